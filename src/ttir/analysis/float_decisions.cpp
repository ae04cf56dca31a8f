#include <algorithm>
#include <set>
#include <string_view>

#include "ttir/analysis/kernel_form.h"
#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {
namespace {

enum class Origin : uint8_t {
    unknown,  ///< memory, a loop
    numbers,  ///< no more than arguments, constants and the program's place
    floats    ///< the same, a floating argument among them
};

/// What makes a number no more than a multiple of what it was, in another place or width.
bool is_scaling(std::string_view name) {
    static const std::set<std::string_view> kScaling = {
        "arith.mulf",  "arith.divf", "arith.negf",   "arith.extf",     "arith.truncf",
        "tt.fp_to_fp", "tt.splat",   "tt.broadcast", "tt.expand_dims", "tt.reshape"};
    return kScaling.contains(name);
}

bool reads_memory(std::string_view name) {
    return name.find("load") != name.npos || name.find("atomic") != name.npos ||
           name.find("gather") != name.npos;
}

class Origins {
  public:
    explicit Origins(const Function& function) : origins_(function.values.size(), Origin::unknown) {
        for (const ValueId parameter : function.parameters) {
            const Type& type = function.values[static_cast<size_t>(parameter)];
            of(parameter) =
                type.kind == Type::Kind::scalar && !is_integer(type.elem) ? Origin::floats : Origin::numbers;
        }
        visit(function.body, [this](const Operation& op) { operation(op); });
    }
    bool decided() const { return decided_; }

  private:
    Origin& of(ValueId value) { return origins_[static_cast<size_t>(value)]; }

    void operation(const Operation& op) {
        Origin origin = Origin::numbers;
        bool known = op.regions.empty() && !reads_memory(op.name);
        for (const ValueId operand : op.operands) {
            known &= of(operand) != Origin::unknown;
            origin = std::max(origin, of(operand));
        }
        const bool moved = !op.regions.empty() || !op.successors.empty();  // out of sight
        if (known)
            for (const ValueId result : op.results) of(result) = origin;
        decided_ |= origin == Origin::floats && (moved || (known && !is_scaling(op.name)));
    }

    std::vector<Origin> origins_;
    bool decided_ = false;
};

}  // namespace

bool decides_by_floats(const Module& module) {
    const Function* entry = module.entry();
    return entry && Origins(*entry).decided();
}

}  // namespace tritonsmith::ttir
