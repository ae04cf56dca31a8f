#include "bench/answers/problem_index.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"

namespace tritonsmith::bench {
namespace {

/// TritonBench's files differ in white space, and some have the tests behind a line of '#'.
std::string key_of(const std::string& text) {
    const std::string line(146, '#');
    std::string out;
    for (const char c : std::string_view(text).substr(0, text.find(line)))
        if (!std::isspace(static_cast<unsigned char>(c))) out += c;
    return out.empty() ? "" : sha256(out);
}

template <class Map>
const Problem* found(const Map& map, const std::string& key) {
    const auto it = map.find(key);
    return it == map.end() ? nullptr : it->second;
}

}  // namespace

ProblemIndex::ProblemIndex(const std::vector<Problem>& problems) {
    auto add = [](auto& map, const std::string& key, const Problem& problem) {
        if (key.empty()) return;
        const auto [it, fresh] = map.emplace(key, &problem);
        if (!fresh && it->second != &problem) it->second = nullptr;
    };
    for (const Problem& one : problems) {
        add(names_, one.name, one);
        for (const std::string& key : one.keys) add(keys_, key_of(key), one);
    }
    for (const Problem& one : problems) names_[one.id] = &one;  // ids are unique, names need not be
}

const Problem* ProblemIndex::by_name(const std::string& name) const {
    if (const Problem* one = found(names_, name)) return one;
    if (const size_t at = name.find(".jsonl#"); at != std::string::npos)
        return found(names_, name.substr(at + 7));
    return found(names_, std::filesystem::path(name).stem().string());
}

const Problem* ProblemIndex::by_number(int level, int number) const {
    return found(names_, fmt::format("L{}-{}", level, number));
}

const Problem* ProblemIndex::by_key(const std::string& text) const {
    const std::string key = key_of(text);
    return key.empty() ? nullptr : found(keys_, key);
}

}  // namespace tritonsmith::bench
