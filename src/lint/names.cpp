#include "lint/names.h"

#include <algorithm>
#include <tuple>

#include "lint/operators.h"

namespace tritonsmith::lint {
namespace {

constexpr int kMaxSteps = 8;  // an alias of an alias of ...: cycles end here

}  // namespace

Names::Names(const Facts& facts) : facts_(facts) {
    for (const Binding& binding : facts.bindings) sorted_.push_back(&binding);
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const Binding* a, const Binding* b) {
        return std::tie(a->scope, a->name) < std::tie(b->scope, b->name);
    });
}

const Binding* Names::find(std::string_view name, int scope) const {
    auto key = std::tie(scope, name);
    auto end = std::upper_bound(sorted_.begin(), sorted_.end(), key, [](const auto& k, const Binding* b) {
        return k < std::tie(b->scope, b->name);
    });
    if (end == sorted_.begin() || (*(end - 1))->name != name || (*(end - 1))->scope != scope) return nullptr;
    return *(end - 1);  // the last binding of the name counts
}

const Binding* Names::lookup(std::string_view name, int function) const {
    for (int scope = function; scope >= 0; scope = facts_.functions[static_cast<size_t>(scope)].parent)
        if (const Binding* binding = find(name, scope)) return binding;
    return nullptr;
}

int Names::owner(int function) const {
    for (; function >= 0; function = facts_.functions[static_cast<size_t>(function)].parent)
        if (facts_.functions[static_cast<size_t>(function)].owner >= 0)
            return facts_.functions[static_cast<size_t>(function)].owner;
    return -1;
}

std::string_view Names::resolve(std::string_view name, int function) {
    int cls = owner(function);
    std::string_view current = name;
    for (int step = 0; step < kMaxSteps; ++step) {
        // `self.x` binds as a whole, everything else by its first part.
        size_t head = current.find_first_of(".([");
        const Binding* binding = nullptr;
        if (cls >= 0 && current.starts_with("self.")) {
            head = current.find_first_of(".([", 5);
            binding = find(current.substr(0, head), -1 - cls);
        } else {
            binding = lookup(current.substr(0, head), function);
        }
        std::string_view rest = head == std::string_view::npos ? std::string_view{} : current.substr(head);
        if (!binding) {
            bool bare = rest.empty() || rest == "()";
            for (std::string_view module : facts_.star_imports) {
                if (!bare || (module != "torch" && module != "torch.nn.functional" && module != "torch.nn"))
                    continue;
                std::string path = std::string(module) + "." + std::string(current.substr(0, head));
                if (classify(path) == Operator::None) continue;
                buffer_[step % 2] = path + std::string(rest);
                return buffer_[step % 2];
            }
            break;
        }
        // `x = x.float()` says nothing about where x came from.
        std::string_view name_now = current.substr(0, head), target = binding->target;
        if (target.starts_with(name_now) &&
            (target.size() == name_now.size() ||
             std::string_view(".([").find(target[name_now.size()]) != std::string_view::npos))
            break;
        buffer_[step % 2].assign(binding->target).append(rest);
        current = buffer_[step % 2];
        if (binding->import) break;  // a full path
    }
    return current;
}

bool Names::imported(std::string_view name, int function) const {
    const Binding* binding = lookup(name.substr(0, name.find_first_of(".([")), function);
    return binding && binding->import;
}

int Names::find_function(std::string_view name) const {
    for (size_t i = facts_.functions.size(); i-- > 1;)
        if (facts_.functions[i].owner < 0 && facts_.functions[i].name == name) return static_cast<int>(i);
    return -1;
}

int Names::find_class(std::string_view name) const {
    for (size_t i = facts_.classes.size(); i-- > 0;)
        if (facts_.classes[i].name == name) return static_cast<int>(i);
    return -1;
}

int Names::find_method(int cls, std::string_view name) const {
    for (int step = 0; step < kMaxSteps && cls >= 0; ++step) {
        for (size_t i = facts_.functions.size(); i-- > 1;)
            if (facts_.functions[i].owner == cls && facts_.functions[i].name == name)
                return static_cast<int>(i);
        int base = -1;
        for (std::string_view parent : facts_.classes[static_cast<size_t>(cls)].bases)
            if (base < 0) base = find_class(parent);
        cls = base;
    }
    return -1;
}

}  // namespace tritonsmith::lint
