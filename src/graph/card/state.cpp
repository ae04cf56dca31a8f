#include "graph/card/state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "graph/text.h"

namespace tritonsmith::graph {
namespace {

constexpr std::string_view kCounter = "num_batches_tracked";

/// TensorList of one module, or of several that differ in one number.
struct Group {
    std::string module;  ///< "layers.0.fc", "layers.{0..3}.fc"; "" at the top
    std::string tensors;
    std::string wild = {};  ///< `module` with its number that changes as "#"
    int64_t first = 0, last = 0;
};

/// Numbers of a name that are not in braces already: start and length.
std::vector<std::pair<size_t, size_t>> numbers_in(const std::string& name) {
    std::vector<std::pair<size_t, size_t>> out;
    int depth = 0;
    for (size_t i = 0; i < name.size();) {
        depth += name[i] == '{';
        depth -= name[i] == '}';
        size_t end = i;
        while (end < name.size() && end - i < 9 && name[end] >= '0' && name[end] <= '9') ++end;
        if (end > i && depth == 0) out.emplace_back(i, end - i);
        i = end > i ? end : i + 1;
    }
    return out;
}

/// Joins `next` to `group` where the modules are alike but for one number, which goes up by 1.
bool join(Group& group, const Group& next) {
    if (group.tensors != next.tensors) return false;
    for (const auto& [at, length] : numbers_in(next.module)) {
        const std::string wild = next.module.substr(0, at) + "#" + next.module.substr(at + length);
        const int64_t number = std::stoll(next.module.substr(at, length));
        if (group.wild == wild && number == group.last + 1) {
            group.last = number;
            return true;
        }
        if (!group.wild.empty()) continue;
        for (const auto& [from, size] : numbers_in(group.module)) {
            const int64_t start = std::stoll(group.module.substr(from, size));
            if (group.module.substr(0, from) + "#" + group.module.substr(from + size) != wild ||
                number != start + 1)
                continue;
            group.wild = wild;
            group.first = start;
            group.last = number;
            return true;
        }
    }
    return false;
}

std::vector<Group> joined_once(const std::vector<Group>& all) {
    std::vector<Group> out;
    for (const Group& next : all) {
        bool done = false;
        for (Group& group : out) done = done || join(group, next);
        if (!done) out.push_back(next);
    }
    for (Group& group : out) {
        if (group.wild.empty()) continue;
        group.module = group.wild;
        group.module.replace(group.module.find('#'), 1, fmt::format("{{{}..{}}}", group.first, group.last));
        group.wild.clear();
    }
    return out;
}

/// "weight f32[2,3], bias f32[2]"; names of one type stand together.
class TensorList {
  public:
    void add(const std::string& name, const std::string& type) {
        if (types_.empty() || types_.back().first != type) types_.push_back({type, {}});
        types_.back().second.push_back(name);
        ++count_;
    }
    std::string text() const {
        if (types_.size() == 1 && count_ > 1)
            return fmt::format("{{{}}} {}", fmt::join(types_[0].second, ","), types_[0].first);
        std::vector<std::string> parts;
        for (const auto& [type, names] : types_)
            parts.push_back(fmt::format("{} {}", fmt::join(names, ","), type));
        return count_ == 1 ? parts[0] : fmt::format("{{{}}}", fmt::join(parts, ", "));
    }

  private:
    std::vector<std::pair<std::string, std::vector<std::string>>> types_;
    size_t count_ = 0;
};

std::pair<std::string, std::string> module_and_leaf(const std::string& name) {
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) return {"", name};
    return {name.substr(0, dot), name.substr(dot + 1)};
}

}  // namespace

bool counters_beside_means(const std::vector<plan::Weight>& weights) {
    std::set<std::string> means, counters;
    for (const plan::Weight& weight : weights) {
        const auto [module, leaf] = module_and_leaf(weight.name);
        if (leaf == "running_mean") means.insert(module);
        if (leaf == kCounter && (weight.tensor.dtype != DType::i64 || !weight.tensor.shape.empty()))
            return false;
        if (leaf == kCounter) counters.insert(module);
    }
    return !means.empty() && means == counters;
}

std::vector<std::string> state_lines(const std::vector<plan::Weight>& weights) {
    const bool implied = counters_beside_means(weights);
    std::vector<std::pair<std::string, TensorList>> modules;
    for (const plan::Weight& weight : weights) {
        const auto [module, leaf] = module_and_leaf(weight.name);
        if (implied && leaf == kCounter) continue;
        TensorList* same = nullptr;
        for (auto& [name, tensors] : modules)
            if (name == module) same = &tensors;
        if (!same) same = &modules.emplace_back(module, TensorList{}).second;
        same->add(leaf + (weight.parameter ? "" : "*"), type_text(weight.tensor.dtype, weight.tensor.shape));
    }
    std::vector<Group> groups;
    for (const auto& [module, tensors] : modules) groups.push_back({module, tensors.text()});
    for (size_t before = groups.size() + 1; groups.size() < before;) {
        before = groups.size();
        groups = joined_once(groups);
    }
    std::vector<std::string> out;
    for (const Group& group : groups)
        out.push_back((group.module.empty() ? "" : group.module + ".") + group.tensors);
    return out;
}

std::vector<std::string> grouped_names(const std::vector<std::string>& names) {
    std::vector<Group> groups;
    for (const std::string& name : names) groups.push_back({name, ""});
    for (size_t before = groups.size() + 1; groups.size() < before;) {
        before = groups.size();
        groups = joined_once(groups);
    }
    std::vector<std::string> out;
    for (const Group& group : groups) out.push_back(group.module);
    return out;
}

}  // namespace tritonsmith::graph
