#include "trace/compile_cache.h"

#include <fstream>

#include "base/hash.h"
#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::trace {

CompileCache::CompileCache(std::string folder) : folder_(std::move(folder)) {}

std::string CompileCache::path(const std::string& key) const {
    const std::string name = sha256(key);
    return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2) + ".json";
}

std::optional<Json> CompileCache::find(const std::string& key) const {
    if (folder_.empty()) return std::nullopt;
    std::ifstream file(path(key), std::ios::binary);
    if (!file) return std::nullopt;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    // The first line is the hash of the rest: a torn or edited entry is compiled again.
    const size_t line = text.find('\n');
    if (line == std::string::npos || text.substr(0, line) != sha256(text.substr(line + 1)))
        return std::nullopt;
    return parse_untrusted_json(std::string_view(text).substr(line + 1));
}

void CompileCache::keep(const std::string& key, const Json& value) const {
    if (folder_.empty()) return;
    const std::string body = dump(value);
    try {
        write_file(path(key), sha256(body) + "\n" + body);
    } catch (const MachineError&) {
        // not kept
    }
}

}  // namespace tritonsmith::trace
