#include "base/process/environment.h"

#include <unistd.h>

extern char** environ;

namespace tritonsmith {

std::map<std::string, std::string> environment_without_keys() {
    std::map<std::string, std::string> out;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const size_t equals = text.find('=');
        if (equals == std::string::npos || text.substr(0, equals).ends_with("_API_KEY")) continue;
        out[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return out;
}

}  // namespace tritonsmith
