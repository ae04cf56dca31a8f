#include "ttir/ir/location.h"

namespace tritonsmith::ttir {
namespace {

bool in_file(const Location& frame, std::string_view filename) {
    std::string_view file = frame.file;
    if (!file.ends_with(filename) || filename.empty()) return false;
    return file.size() == filename.size() || file[file.size() - filename.size() - 1] == '/';
}

bool triton_library(const std::string& file) {
    return file.find("/triton/") != std::string::npos;
}

}  // namespace

const Location* own_frame(const Module& module, int location, std::string_view filename) {
    if (location < 0 || location >= static_cast<int>(module.locations.size())) return nullptr;
    const Location& innermost = module.locations[location];
    if (in_file(innermost, filename)) return &innermost;
    for (const Location& caller : innermost.callers) {
        if (in_file(caller, filename)) return &caller;
    }
    return nullptr;
}

const Location* user_frame(const Module& module, int location, std::string_view filename) {
    if (location < 0 || location >= static_cast<int>(module.locations.size())) return nullptr;
    if (!filename.empty())
        if (const Location* own = own_frame(module, location, filename)) return own;
    const Location& innermost = module.locations[static_cast<size_t>(location)];
    if (innermost.line > 0 && !triton_library(innermost.file)) return &innermost;
    for (const Location& caller : innermost.callers)
        if (caller.line > 0 && !triton_library(caller.file)) return &caller;
    return &innermost;
}

}  // namespace tritonsmith::ttir
