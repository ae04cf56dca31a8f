#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/json.h"
#include "cli/command.h"

namespace tritonsmith::cli {

void print(const std::string& text) {
    bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written && errno != EPIPE)
        throw MachineError(std::string("cannot write to stdout: ") + std::strerror(errno));
}

void print_json(const Json& object) {
    int indent = ::isatty(STDOUT_FILENO) ? 2 : -1;
    print(dump(object, indent) + "\n");
}

}  // namespace tritonsmith::cli
