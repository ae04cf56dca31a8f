#include "cli/sampling/shipped_model.h"

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/process/process.h"

namespace tritonsmith::cli {
namespace {

std::string folder() {
    const char* named = std::getenv("TRITONSMITH_MODEL");
    return named != nullptr && *named != 0 ? named : TRITONSMITH_SHIPPED_MODEL;
}

}  // namespace

std::string shipped_model() {
    if (!std::filesystem::exists(folder() + "/config.json"))
        throw InputError("the model that comes with tritonsmith is not in " + folder() +
                         ": name another with --model DIR");
    return folder();
}

bool shipped_model_is_ready() {
    return std::filesystem::exists(folder() + "/config.json") &&
           std::filesystem::exists(program_folder() + "/tritonsmith-engine");
}

}  // namespace tritonsmith::cli
