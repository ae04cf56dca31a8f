// tritonsmith-generate: `tritonsmith generate`, which takes its place.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
    using namespace tritonsmith::cli;
    const AddCommand commands[] = {add_generate_itself};
    return run_program(commands, argc, argv);
}
