#include "judge/stages/size_assumptions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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
    Numbers tiles;     ///< dimensions of what is loaded and stored
    std::set<double> reals;
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
        found_.tiles.insert(tile.shape.begin(), tile.shape.end());
        if (masked || (checked && checked->size() == tile.shape.size() && !checked->empty())) return;
        unmasked_.insert(tile.shape.begin(), tile.shape.end());
    }

    void constant(const ttir::Attribute& value) {
        if (const auto* integer = std::get_if<ttir::TypedInt>(&value.v)) constants_.insert(integer->value);
        if (const auto* number = std::get_if<ttir::TypedFloat>(&value.v)) real(number->type, number->bits);
        if (const auto* dense = std::get_if<ttir::Dense>(&value.v))
            for (const uint64_t bits : dense->bits) {
                constants_.insert(static_cast<int64_t>(bits));
                real(dense->type, bits);
            }
    }

    void real(const ttir::Type& type, uint64_t bits) {
        if (type.elem == ttir::Scalar::f32)
            found_.reals.insert(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
        if (type.elem == ttir::Scalar::f64) found_.reals.insert(std::bit_cast<double>(bits));
    }

    Found& found_;
    const ttir::Function* function_ = nullptr;
    Numbers constants_, unmasked_;
    bool promises_ = false;
};

/// Its programs take their tiles in a loop that begins with their own index: so few or so many of them cover
/// any size.
class TakesTilesInTurn {
  public:
    explicit TakesTilesInTurn(const ttir::Module& module) {
        for (const ttir::Function& function : module.functions) {
            derived_.clear();
            look(function.body);
        }
    }
    explicit operator bool() const { return found_; }

  private:
    void look(const ttir::Region& region) {
        for (const ttir::Block& block : region.blocks)
            for (const ttir::Operation& op : block.operations) {
                const bool derived =
                    op.name == "tt.get_program_id" ||
                    std::any_of(op.operands.begin(), op.operands.end(),
                                [&](ttir::ValueId value) { return derived_.contains(value); });
                found_ |= op.name == "scf.for" && !op.operands.empty() && derived_.contains(op.operands[0]);
                found_ |= op.name == "scf.while" && derived;
                if (derived && op.regions.empty()) derived_.insert(op.results.begin(), op.results.end());
                for (const ttir::Region& nested : op.regions) look(nested);
            }
    }

    std::set<ttir::ValueId> derived_;  ///< from the index of the program
    bool found_ = false;
};

/// Several programs that each do their part, and no more where there is more.
bool has_fixed_parts(const AtSize& at) {
    const std::vector<LaunchRef> all = launches(at.plan);
    return std::any_of(all.begin(), all.end(), [&](const LaunchRef& ref) {
        const std::array<int64_t, 3>& grid = ref.launch->grid;
        return grid[0] * grid[1] * grid[2] != 1 &&
               !TakesTilesInTurn(*at.modules[static_cast<size_t>(ref.launch->kernel)]);
    });
}

Found look(const AtSize& at) {
    Found found;
    for (const auto& module : at.modules) KernelNumbers(*module, found);
    for (const LaunchRef& ref : launches(at.plan)) {
        found.grids.push_back(ref.launch->grid);
        found.numbers.insert(ref.launch->grid.begin(), ref.launch->grid.end());
        for (const plan::Value& value : ref.launch->args)
            if (const auto* integer = std::get_if<int64_t>(&value.v))
                found.numbers.insert(*integer);
            else if (const auto* real = std::get_if<double>(&value.v))
                found.reals.insert(*real);
    }
    return found;
}

template <class T>
std::set<T> common(const std::set<T>& a, const std::set<T>& b) {
    std::set<T> out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(out, out.end()));
    return out;
}

constexpr int64_t least_size = 16;  // smaller numbers are in every program

/// A number that a program may have been given for this size: it, its
/// inverse, or a root of them.
bool goes_with(double real, int64_t size) {
    const double n = static_cast<double>(size), x = std::abs(real);
    for (const double power : {1.0, -1.0, 0.5, -0.5}) {
        const double ratio = x / std::pow(n, power);
        if (ratio > 1 - 2 / n && ratio < 1 + 2 / n) return true;
    }
    return false;
}

}  // namespace

bool counts_on_own_size(const AtSize& full, const AtSize& small, const std::map<std::string, int64_t>& own,
                        const std::map<std::string, int64_t>& scaled) {
    if (rests_on_own_size(full, small, own, scaled)) return true;
    const Found before = look(full), after = look(small);
    const Numbers tiles = common(before.tiles, after.tiles);
    const std::set<double> reals = common(before.reals, after.reals);
    return std::any_of(scaled.begin(), scaled.end(), [&](const auto& size) {
        const auto& [name, now] = size;
        const int64_t then = own.at(name);
        if (then < least_size) return false;
        return std::any_of(tiles.begin(), tiles.end(),
                           [&](int64_t n) { return n > 1 && then % n == 0 && now % n != 0; }) ||
               std::any_of(reals.begin(), reals.end(), [&](double real) { return goes_with(real, then); });
    });
}

bool rests_on_own_size(const AtSize& full, const AtSize& small, const std::map<std::string, int64_t>& own,
                       const std::map<std::string, int64_t>& scaled) {
    const Found before = look(full), after = look(small);
    if (before.grids == after.grids && has_fixed_parts(small)) return true;
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
