#include "endpoint/key.h"

#include <algorithm>
#include <cstdlib>

#include "base/process/files.h"

namespace tritonsmith::endpoint {
namespace {

Key checked(std::string value, const std::string& source) {
    value.erase(value.find_last_not_of(" \t\r\n") + 1);
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (value.empty()) throw InputError("no API key in " + source);
    // A line break would end the header and begin another.
    if (value.size() > 8000 ||
        !std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 127; }))
        throw InputError(source + " holds no API key: it has characters that a header cannot hold");
    return {std::move(value), source};
}

}  // namespace

Key find_key(const std::string& variable, const std::string& file, const Address& address) {
    if (!variable.empty() && !file.empty())
        throw InputError("give --api-key-env or --api-key-file, not both");
    if (!file.empty()) {
        const std::string text = read_file(file, "API key", 1 << 16);
        return checked(text.substr(0, text.find('\n')), "the file " + file);
    }
    const std::string name = variable.empty() ? "OPENAI_API_KEY" : variable;
    const char* value = std::getenv(name.c_str());
    if (!variable.empty()) {
        if (!value) throw InputError("the environment variable " + name + " (--api-key-env) is not set");
        return checked(value, "$" + name);
    }
    const bool safe = address.local() || address.kind == Address::Kind::https;
    return value && *value && safe ? checked(value, "$" + name) : Key{};
}

std::string without_key(std::string text, const Key& key) {
    if (key.value.size() < 4) return text;
    for (size_t at = 0; (at = text.find(key.value, at)) != std::string::npos;)
        text.replace(at, key.value.size(), "[key]");
    return text;
}

}  // namespace tritonsmith::endpoint
