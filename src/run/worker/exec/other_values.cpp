#include "run/worker/exec/other_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "run/draw/draw.h"
#include "run/worker/exec/draw_step.h"

namespace tritonsmith::run {
namespace {

constexpr uint32_t kConstantInputStream = 19;  ///< ordinal: twice the tensor's, and one more

class OtherValues {
  public:
    /// @param values as rows; not empty
    OtherValues(at::Tensor values, const Other& how)
        : how_(how), values_(std::move(values)), first_(values_.reshape({-1})[0]) {}

    at::Tensor make() const {
        if (values_.eq(first_).all().item<bool>()) return of_one_value();
        if (!how_.patterns) return {};
        if (values_.is_floating_point() && values_.isnan().any().item<bool>()) return {};
        const bool floating = values_.is_floating_point();
        const at::Tensor plain = values_.scalar_type() == at::kBool ? values_.to(at::kByte) : values_;
        const at::Tensor low = plain.min(), high = plain.max();
        const at::Tensor is_high = plain.eq(high);
        const bool two = is_high.logical_or(plain.eq(low)).all().item<bool>();
        const bool flags = two && low.eq(0).item<bool>() && high.eq(1).item<bool>();
        const bool sorted = columns() > 1 && values_.scalar_type() != at::kBool &&
                            plain.slice(1, 1).ge(plain.slice(1, 0, -1)).all().item<bool>();
        if (!floating && sorted && !(flags && rows() > 1)) return sorted_integers();
        if (two) return mask(is_high, low, high).to(values_.scalar_type());
        if (!floating) return how_.empty ? one_class_less(permuted()) : permuted();
        return numbers(sorted);
    }

  private:
    int64_t rows() const { return values_.size(0); }
    int64_t columns() const { return values_.size(1); }

    at::Tensor uniform(uint32_t which) const {
        at::Tensor out = at::empty(values_.sizes(), values_.options().dtype(at::kFloat));
        draw_into(out, {{how_.seed, kConstantInputStream, 2 * how_.ordinal + which}, {Law::uniform, 0, 1}});
        return out;
    }

    /// One row in four, of several.
    at::Tensor emptied_rows() const {
        const at::Tensor row = at::arange(rows(), values_.options().dtype(at::kLong)).unsqueeze(1);
        return row.remainder(4).eq(how_.empty ? 1 : -1);
    }

    /// Where flags change: somewhere; the first of a row only where they may anywhere.
    at::Tensor flipped() const {
        at::Tensor out = uniform(0).lt(1.0 / 3);
        if (columns() > 1) {
            const at::Tensor row = at::arange(rows(), values_.options().dtype(at::kLong));
            out.select(1, 0).copy_(row.remainder(2).eq(how_.anywhere ? 0 : -1));
            if (how_.anywhere) out.select(1, columns() / 2).fill_(false);
            out.logical_or_(emptied_rows());
        }
        if (!out.any().item<bool>()) out.select(0, rows() - 1).select(0, columns() - 1).fill_(true);
        return out;
    }

    at::Tensor of_one_value() const {
        if (values_.scalar_type() == at::kBool) return at::where(flipped(), values_.logical_not(), values_);
        if (!values_.is_floating_point()) {
            const auto value = first_.item<int64_t>();
            if (value > 1) {
                at::Tensor lengths = uniform(0)
                                         .to(at::kDouble)
                                         .mul(static_cast<double>(value))
                                         .floor()
                                         .add(1)
                                         .clamp_max(static_cast<double>(value));
                if (how_.empty && !how_.places && lengths.numel() > 1)
                    lengths.view({-1}).select(0, lengths.numel() / 2).fill_(0);
                return lengths;
            }
            if (!how_.patterns) return {};
            // One alone may be a count of steps.
            if (how_.near && value == 1 && values_.numel() == 1) return values_.add(1);
            return at::where(flipped(), at::zeros_like(values_).add_(value == 0 ? 1 : 0), values_);
        }
        const auto value = first_.item<double>();
        if (!std::isfinite(value)) return {};
        const at::Tensor kept = uniform(0).lt(0.75), factor = uniform(1).to(at::kDouble).add(0.5);
        if (value == 0) return factor.sub(1).mul(how_.near ? 0.1 : 2);
        if (how_.near) return kept.to(at::kDouble).mul(value);
        if (how_.anywhere && how_.compared && how_.patterns)
            return at::where(flipped(), at::zeros_like(values_), values_);
        if (how_.anywhere) {
            const at::Tensor signs = uniform(0).lt(0.375).to(at::kDouble).mul(-2).add(1);
            const at::Tensor out = factor.mul(value).mul(signs);
            return how_.empty ? out.masked_fill(emptied_rows().logical_or(kept.logical_not()), 0) : out;
        }
        return at::where(kept, factor.mul(value), factor.mul(0));
    }

    at::Tensor permuted() const {
        const at::Tensor out = values_.gather(1, uniform(0).argsort(int64_t{1}));
        return out.eq(values_).all().item<bool>() ? values_.roll({1}, {1}) : out;
    }

    /// Integers of which each row has some more than once, without one of them: its places go to another.
    at::Tensor one_class_less(const at::Tensor& values) const {
        const at::Tensor sorted = std::get<0>(values_.sort(1));
        if (columns() < 2 || !sorted.slice(1, 1).eq(sorted.slice(1, 0, -1)).any(1).all().item<bool>())
            return values;
        const at::Tensor gone = values.select(0, rows() / 2).select(0, columns() / 2), first = values.min(),
                         other = at::where(first.eq(gone), values.max(), first);
        return at::where(values.eq(gone), other, values);
    }

    at::Tensor mask(const at::Tensor& is_high, const at::Tensor& low, const at::Tensor& high) const {
        const at::Tensor count = is_high.sum(1);
        if (how_.near || (rows() > 1 && count.eq(count[0]).all().item<bool>())) return permuted();
        at::Tensor out = is_high.logical_xor(flipped());
        if (how_.empty && rows() > 1) {
            // All of one kind, or of the other.
            const at::Tensor row = at::arange(rows(), count.options()).unsqueeze(1);
            out = at::where(emptied_rows(), row.remainder(8).eq(5), out);
        }
        return at::where(out, high, low);
    }

    at::Tensor sorted_integers() const {
        const int64_t n = columns();
        const at::Tensor from = values_.slice(1, 0, 1).to(at::kLong),
                         to = values_.slice(1, n - 1).to(at::kLong);
        const at::Tensor steps = values_.slice(1, 1).to(at::kLong) - values_.slice(1, 0, n - 1).to(at::kLong);
        const bool strict = steps.gt(0).all().item<bool>();
        if (strict && how_.index) return permuted();
        if (how_.steps_kept)
            return at::cat(
                std::vector<at::Tensor>{
                    from, from + steps.gather(1, uniform(0).slice(1, 1).argsort(int64_t{1})).cumsum(1)},
                1);
        const at::Tensor u = std::get<0>(uniform(0).to(at::kDouble).sort(1));
        at::Tensor out;
        if (strict) {
            // Near: none of them twice.
            const at::Tensor place = at::arange(n, from.options()).unsqueeze(0).mul(how_.near ? 1 : 0);
            const at::Tensor room = (to - from).sub(how_.near ? n - 1 : 0);
            out = from + place + u.mul(room.add(1)).floor().to(at::kLong).minimum(room);
        } else {
            out = values_.to(at::kLong).gather(
                1, u.mul(static_cast<double>(n)).floor().to(at::kLong).clamp_max(n - 1));
        }
        out.slice(1, 0, 1).copy_(from);
        out.slice(1, n - 1).copy_(to);
        if (how_.empty && n > 2) {
            // A segment between two offsets, or of those that come more than once.
            const at::Tensor gone = out.slice(1, n / 2, n / 2 + 1);
            const at::Tensor before = at::where(out.lt(gone), out, from).amax(1, true);
            if (strict)
                gone.copy_(out.slice(1, n / 2 - 1, n / 2));
            else
                out = at::where(out.eq(gone).logical_and(gone.lt(to)), before, out);
        }
        return out;
    }

    at::Tensor numbers(bool sorted) const {
        const at::Tensor values = values_.to(at::kDouble);
        const at::Tensor u = uniform(0).to(at::kDouble), v = uniform(1).to(at::kDouble);
        if (how_.near && sorted && values.isfinite().all().item<bool>()) {
            const int64_t n = columns();
            const at::Tensor from = values.slice(1, 0, 1), to = values.slice(1, n - 1);
            at::Tensor out = from + std::get<0>(u.sort(1)) * (to - from);
            out.slice(1, 0, 1).copy_(from);
            out.slice(1, n - 1).copy_(to);
            return out;
        }
        if (how_.near) return permuted();
        const double size = at::where(values.isfinite(), values.abs(), 0).max().item<double>();
        const bool signs = values.lt(0).any().item<bool>();
        const at::Tensor small = (signs ? v.sub(0.5) : v).mul(0.2 * std::min(size, 1.0));
        const at::Tensor out = at::where(values.eq(0), small, values.mul(u.mul(0.6).add(0.7)));
        return sorted ? std::get<0>(out.sort(1)) : out;
    }

    const Other& how_;
    at::Tensor values_, first_;
};

/// Complex numbers keep their magnitudes and get other phases: factors of a rotation stay such.
at::Tensor turned(const at::Tensor& values, const Other& how) {
    if (values.numel() == 0) return {};
    at::Tensor phase = at::empty(values.sizes(), values.options().dtype(at::kFloat));
    draw_into(phase,
              {{how.seed, kConstantInputStream, 2 * how.ordinal}, {Law::uniform, 0.2, how.near ? 0.4 : 6}});
    return values.mul(at::polar(at::ones_like(phase), phase).to(values.scalar_type()));
}

}  // namespace

at::Tensor other_values(const at::Tensor& values, const Other& how) {
    if (values.is_complex()) return turned(values, how);
    const bool usual = values.scalar_type() == at::kBool || at::isIntegralType(values.scalar_type(), false) ||
                       (values.is_floating_point() && values.element_size() > 1);
    if (!usual || values.numel() == 0) return {};
    int64_t row = 1;
    for (int64_t d = values.dim(); d-- > 0 && row == 1;) row = values.size(d);
    const at::Tensor out = OtherValues(values.reshape({-1, row}), how).make();
    return out.defined() ? out.reshape(values.sizes()) : out;
}

}  // namespace tritonsmith::run
