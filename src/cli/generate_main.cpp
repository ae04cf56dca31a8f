// tritonsmith-generate: `tritonsmith generate` and `tritonsmith data`, which become it.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
    using namespace tritonsmith::cli;
    const AddCommand commands[] = {add_generate_itself, add_data_itself};
    return run_program(commands, argc, argv);
}
