#include "judge/stages/size_assumptions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "judge/candidate/launches.h"

namespace tritonsmith::judge {

namespace {

using Numbers = std::set<int64_t>;

struct Found {
    Numbers numbers;   ///< constants of kernels, integers that they are launched with, dimensions of grids
    Numbers dividing;  ///< those that a size may have to be a multiple of
    std::vector<std::array<int64_t, 3>> grids;
};

/// Looks through one kernel.
class KernelNumbers {
  public:
    KernelNumbers(const ttir::Module& module, Found& found) : found_(found) {
        for (const ttir::Function& function : module.functions) {
            function_ = &function;
            look(function.body);
        }
        found.numbers.insert(constants_.begin(), constants_.end());
        // What is promised is about any of its numbers; tiles of groups are counted by products.
        if (promises_) found.dividing.insert(constants_.begin(), constants_.end());
        if (unmasked_.empty()) return;
        found.dividing.insert(unmasked_.begin(), unmasked_.end());
        for (const int64_t tile : unmasked_)
            for (const int64_t constant : constants_)
                if (constant > 1 && constant <= 64 && tile <= 4096) found.dividing.insert(tile * constant);
    }

  private:
    const ttir::Type& type(ttir::ValueId value) const {
        return function_->values[static_cast<size_t>(value)];
    }

    void look(const ttir::Region& region) {
        for (const ttir::Block& block : region.blocks)
            for (const ttir::Operation& op : block.operations) {
                look(op);
                for (const ttir::Region& nested : op.regions) look(nested);
            }
    }

    void look(const ttir::Operation& op) {
        const std::string_view name = op.name;
        promises_ |= name == "llvm.intr.assume";
        for (const char* promise : {"tt.divisibility", "tt.contiguity", "tt.constancy"})
            if (const auto found = op.attributes.find(promise); found != op.attributes.end()) {
                promises_ = true;
                constant(found->second);
            }
        if (name == "arith.constant") constant(op.attributes.at("value"));
        if (name != "tt.load" && name != "tt.store") return;
        const size_t mask = name == "tt.load" ? 1 : 2;
        const bool masked = mask < op.segments.size() && op.segments[mask] > 0;
        const auto checks = op.attributes.find("boundaryCheck");
        const auto* checked =
            checks == op.attributes.end() ? nullptr : std::get_if<std::vector<int64_t>>(&checks->second.v);
        const ttir::Type& pointer = type(op.operands[0]);
        const ttir::Type& tile = pointer.is_tensor() || !pointer.pointee ? pointer : *pointer.pointee;
        if (masked || (checked && checked->size() == tile.shape.size() && !checked->empty())) return;
        unmasked_.insert(tile.shape.begin(), tile.shape.end());
    }

    void constant(const ttir::Attribute& value) {
        if (const auto* integer = std::get_if<ttir::TypedInt>(&value.v)) constants_.insert(integer->value);
        if (const auto* dense = std::get_if<ttir::Dense>(&value.v))
            constants_.insert(dense->bits.begin(), dense->bits.end());
    }

    Found& found_;
    const ttir::Function* function_ = nullptr;
    Numbers constants_, unmasked_;
    bool promises_ = false;
};

Found look(const AtSize& at) {
    Found found;
    for (const auto& module : at.modules) KernelNumbers(*module, found);
    for (const LaunchRef& ref : launches(at.plan)) {
        found.grids.push_back(ref.launch->grid);
        found.numbers.insert(ref.launch->grid.begin(), ref.launch->grid.end());
        for (const plan::Value& value : ref.launch->args)
            if (const auto* integer = std::get_if<int64_t>(&value.v)) found.numbers.insert(*integer);
    }
    return found;
}

Numbers common(const Numbers& a, const Numbers& b) {
    Numbers out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(out, out.end()));
    return out;
}

}  // namespace

bool rests_on_own_size(const AtSize& full, const AtSize& small, const std::map<std::string, int64_t>& own,
                       const std::map<std::string, int64_t>& scaled) {
    constexpr int64_t least_size = 16;  // smaller numbers are in every program
    const Found before = look(full), after = look(small);
    const auto one = [](const std::array<int64_t, 3>& grid) { return grid[0] * grid[1] * grid[2] == 1; };
    if (before.grids == after.grids && !std::all_of(after.grids.begin(), after.grids.end(), one)) return true;
    const Numbers same = common(before.numbers, after.numbers),
                  dividing = common(before.dividing, after.dividing);
    for (const auto& [name, now] : scaled) {
        const int64_t then = own.at(name);
        if (then >= least_size && same.contains(then)) return true;
        if (std::any_of(dividing.begin(), dividing.end(),
                        [&](int64_t n) { return n > 1 && then % n == 0 && now % n != 0; }))
            return true;
    }
    return false;
}

}  // namespace tritonsmith::judge
