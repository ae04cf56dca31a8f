#include <signal.h>

#include <cstdio>
#include <exception>

#include "serve/program/program.h"

/// tritonsmith-engine, and tritonsmith-gpu-engine where torch's CUDA library is linked: serves a model
/// (docs/engine.md). `tritonsmith serve model` and `tritonsmith generate --model` start it.
int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);  // a closed connection is an error at the write that meets it
    return tritonsmith::serve::run_engine_program(argc, argv);
}
