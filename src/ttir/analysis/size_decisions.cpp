#include <algorithm>
#include <string_view>

#include "ttir/analysis/kernel_form.h"
#include "ttir/analysis/lane_range.h"
#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {
namespace {

class Decisions {
  public:
    Decisions(const Function& function, const std::array<int64_t, 3>& grid,
              const std::vector<std::optional<int64_t>>& arguments)
        : grid_(grid), function_(function), values_(function.values.size()) {
        for (size_t i = 0; i < std::min(function.parameters.size(), arguments.size()); ++i)
            if (arguments[i]) known(function.parameters[i]) = LaneRange::exactly(*arguments[i]);
        region(function.body);
    }
    std::string text() { return std::move(out_); }

  private:
    LaneRange& known(ValueId value) { return values_[static_cast<size_t>(value)]; }
    const Type& type(ValueId value) const { return function_.values[static_cast<size_t>(value)]; }

    void region(const Region& region) {
        for (const Block& block : region.blocks)
            for (const Operation& op : block.operations) {
                if (op.results.size() == 1 && op.regions.empty()) known(op.results[0]) = result(op);
                for (const Region& nested : op.regions) this->region(nested);
            }
    }

    LaneRange constant(const Operation& op) const {
        const auto value = op.attributes.find("value");
        if (value == op.attributes.end()) return {};
        if (const auto* integer = std::get_if<TypedInt>(&value->second.v))
            return LaneRange::exactly(integer->value);
        const auto* dense = std::get_if<Dense>(&value->second.v);
        if (!dense || dense->bits.size() != 1) return {};
        const int unused = 64 - bit_width(dense->type.elem);
        if (dense->type.elem == Scalar::i1 || unused == 64) return LaneRange::exactly(dense->bits[0] != 0);
        return LaneRange::exactly(static_cast<int64_t>(dense->bits[0] << unused) >> unused);
    }

    static std::string keyword(const Operation& op, const char* name) {
        const auto found = op.attributes.find(name);
        const auto* value =
            found == op.attributes.end() ? nullptr : std::get_if<EnumAttribute>(&found->second.v);
        return value ? value->value : "";
    }

    /// Unknown unless it is one number, the same for all programs.
    LaneRange result(const Operation& op) {
        const std::string_view name = op.name;
        if (name == "arith.constant") return constant(op);
        if (name == "tt.get_num_programs") {
            const std::string axis = keyword(op, "axis");
            return LaneRange::exactly(grid_[axis == "y" ? 1 : axis == "z" ? 2 : 0]);
        }
        for (const ValueId operand : op.operands)
            if (!known(operand).exact()) return {};
        if (op.operands.empty()) return {};
        const LaneRange& a = known(op.operands[0]);
        if (name == "arith.sitofp" || name == "arith.uitofp") {
            out_ += a.low == 0 ? "z" : a.low == 1 ? "o" : "n";
            return {};
        }
        if (name == "tt.splat" || name == "tt.broadcast" || name == "tt.expand_dims" ||
            name == "tt.reshape" || name == "arith.trunci" || name == "arith.extui" ||
            name == "arith.index_cast")
            return a;
        if (name == "arith.extsi") return type(op.operands[0]).elem == Scalar::i1 ? times(a, -1) : a;
        if (name == "arith.select") return a.low ? known(op.operands[1]) : known(op.operands[2]);
        if (op.operands.size() != 2) return {};
        const LaneRange& b = known(op.operands[1]);
        if (name == "arith.cmpi") {
            const LaneRange outcome = compared(ttir::comparison(keyword(op, "predicate")), a, b, {});
            out_ += !outcome.exact() ? "?" : outcome.low ? "t" : "f";
            return outcome;
        }
        const IntegerOp what = integer_op(op.name);
        const bool extreme = what == IntegerOp::least || what == IntegerOp::most ||
                             what == IntegerOp::least_unsigned || what == IntegerOp::most_unsigned;
        if (extreme) out_ += a.low < b.low ? "<" : a.low > b.low ? ">" : "=";
        return what == IntegerOp::other ? LaneRange::unknown() : arithmetic(what, a, b, {});
    }

    const std::array<int64_t, 3>& grid_;
    const Function& function_;
    std::vector<LaneRange> values_;
    std::string out_;
};

}  // namespace

std::string size_decisions(const Module& module, const std::array<int64_t, 3>& grid,
                           const std::vector<std::optional<int64_t>>& arguments) {
    const Function* entry = module.entry();
    return entry ? Decisions(*entry, grid, arguments).text() : "";
}

}  // namespace tritonsmith::ttir
