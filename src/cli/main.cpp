#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
    using namespace tritonsmith::cli;
    const AddCommand commands[] = {add_verify,   add_generate, add_bench,    add_report, add_serve,
                                   add_sanitize, add_trace,    add_describe, add_lint,   add_data,
                                   add_reward,   add_train,    add_doctor};
    return run_program(commands, argc, argv, become_other_program);
}
