// tritonsmith-generate: `tritonsmith generate`, `data`, `bench`, `report` and `reward`, which become it.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
    using namespace tritonsmith::cli;
    const AddCommand commands[] = {add_generate_itself, add_data_itself, add_bench_itself, add_report_itself,
                                   add_reward_itself};
    return run_program(commands, argc, argv);
}
