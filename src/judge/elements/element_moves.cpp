#include <algorithm>
#include <cmath>

#include "judge/elements/element_families.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

int64_t place(const plan::Tensor& indices, const Index& at, int64_t size, ElementContext& context) {
    const double value = context.at(indices, at).value;
    if (!(value >= -static_cast<double>(size) && value < static_cast<double>(size)))
        throw CannotEvaluate("an index out of range");
    const auto whole = static_cast<int64_t>(value);
    return whole < 0 ? whole + size : whole;
}

namespace {

std::vector<plan::Tensor> tensors_of(const StepArguments& a) {
    const plan::Value* value = a.find(0, "tensors");
    return value ? plan::tensors_in(*value) : std::vector<plan::Tensor>{};
}

/// (input, padding, value?), the last dimension first.
std::optional<OracleElement> pad(const std::string& base, const StepArguments& a, Index at,
                                 ElementContext& context) {
    const bool constant = base == "aten::constant_pad_nd",
               mirrored = base.starts_with("aten::reflection_pad");
    if (!constant && !mirrored && !base.starts_with("aten::replication_pad")) return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    const std::vector<int64_t> padding = a.integers(1, "padding");
    for (size_t i = 0; 2 * i < padding.size(); i++) {
        const size_t d = x.shape.size() - 1 - i;
        const int64_t size = x.shape.at(d), last = size - 1;
        int64_t& place = at.at(d);
        place -= padding[2 * i];
        if (place >= 0 && place < size) continue;
        if (constant) {
            const double value = a.real(2, "value", 0);
            return OracleElement{value, std::abs(value)};
        }
        place = mirrored ? (place < 0 ? -place : 2 * last - place) : std::clamp<int64_t>(place, 0, last);
        if (place < 0 || place > last) throw CannotEvaluate("a pad wider than what it mirrors");
    }
    return context.at(x, at);
}

/// (input, shifts, dims); without dimensions all elements in a row are shifted.
OracleElement roll(const StepArguments& a, Index at, ElementContext& context) {
    const plan::Tensor& x = a.tensor(0);
    const std::vector<int64_t> shifts = a.integers(1, "shifts"), dims = a.integers(2, "dims");
    const auto back = [](int64_t place, int64_t by, int64_t size) {
        return ((place - by) % size + size) % size;
    };
    if (dims.empty()) {
        int64_t linear = 0, count = 1;
        for (size_t d = 0; d < at.size(); d++) linear = linear * x.shape[d] + at[d], count *= x.shape[d];
        linear = back(linear, shifts.at(0), count);
        for (size_t d = at.size(); d-- > 0; linear /= x.shape[d]) at[d] = linear % x.shape[d];
    }
    for (size_t i = 0; i < dims.size(); i++) {
        const size_t d = dimension(x, dims[i]);
        at[d] = back(at[d], shifts.at(i), x.shape[d]);
    }
    return context.at(x, at);
}

/// (input, factor): channels become pixels of blocks of that size, or pixels channels.
OracleElement shuffled(bool back, const StepArguments& a, const Index& index, ElementContext& context) {
    const size_t c = index.size() - 3, h = c + 1, w = c + 2;
    const int64_t factor = a.whole(1, back ? "downscale_factor" : "upscale_factor", 1);
    Index at = index;
    if (back) {
        at[c] = index[c] / (factor * factor);
        at[h] = index[h] * factor + index[c] / factor % factor;
        at[w] = index[w] * factor + index[c] % factor;
    } else {
        at[c] = (index[c] * factor + index[h] % factor) * factor + index[w] % factor;
        at[h] = index[h] / factor;
        at[w] = index[w] / factor;
    }
    return context.at(a.tensor(0), at);
}

/// x[i, j], x[:, i], … with tensors of places beside each other.
OracleElement indexed(const StepArguments& a, const Index& index, ElementContext& context) {
    const plan::Tensor& x = a.tensor(0);
    const plan::Value* list = a.find(1, "indices");
    const auto* items = list ? std::get_if<plan::Sequence>(&list->v) : nullptr;
    if (!items) throw CannotEvaluate("an index that is no list");
    size_t first = 0, last = 0, rank = 0;
    for (size_t d = 0; d < items->items.size(); d++)
        if (const auto* places = std::get_if<plan::Tensor>(&items->items[d].v)) {
            if (places->dtype == plan::DType::b1 || places->dtype == plan::DType::u8)
                throw CannotEvaluate("an index of flags");
            if (rank > 0 && last != d) throw CannotEvaluate("indices that are apart");
            if (last == 0) first = d;
            last = d + 1;
            rank = std::max(rank, places->shape.size());
        }
    Index at;
    const auto begin = index.begin() + static_cast<std::ptrdiff_t>(first);
    const Index within(begin, begin + static_cast<std::ptrdiff_t>(rank));
    for (size_t d = 0; d < x.shape.size(); d++) {
        if (d < first || d >= last) {
            at.push_back(index.at(d < first ? d : d - (last - first) + rank));
            continue;
        }
        const auto& places = std::get<plan::Tensor>(items->items[d].v);
        Index own(places.shape.size());
        for (size_t k = 0; k < own.size(); k++)
            own[k] = places.shape[k] == 1 ? 0 : within[k + rank - own.size()];
        at.push_back(place(places, own, x.shape[d], context));
    }
    return context.at(x, at);
}

/// Of all elements in a row.
Index unravelled(const plan::Tensor& x, int64_t linear) {
    Index at(x.shape.size());
    for (size_t d = at.size(); d-- > 0; linear /= x.shape[d]) at[d] = linear % x.shape[d];
    return at;
}

}  // namespace

std::optional<OracleElement> moves(const std::string& base, int /*result*/, const StepArguments& a,
                                   const Index& index, ElementContext& context) {
    if (base == "aten::cat" || base == "aten::stack") {
        const bool stack = base == "aten::stack";
        const std::vector<plan::Tensor> parts = tensors_of(a);
        if (parts.empty() || index.empty()) throw CannotEvaluate(base);
        int64_t dim = a.whole(1, "dim", 0);
        if (dim < 0) dim += static_cast<int64_t>(index.size());
        Index at = index;
        int64_t& along = at.at(static_cast<size_t>(dim));
        if (stack) {
            const auto which = static_cast<size_t>(along);
            at.erase(at.begin() + dim);
            return context.at(parts.at(which), at);
        }
        for (const plan::Tensor& part : parts) {
            if (part.shape.size() != index.size()) continue;  // an empty one, by PyTorch's old rule
            if (along < part.shape[static_cast<size_t>(dim)]) return context.at(part, at);
            along -= part.shape[static_cast<size_t>(dim)];
        }
        throw CannotEvaluate(base);
    }
    if (base == "aten::tril" || base == "aten::triu") {
        if (index.size() < 2) throw CannotEvaluate(base);
        const int64_t beyond = index.back() - index[index.size() - 2], diagonal = a.whole(1, "diagonal", 0);
        const bool kept = base == "aten::tril" ? beyond <= diagonal : beyond >= diagonal;
        return kept ? context.at(a.tensor(0), index) : OracleElement{};
    }
    if (base == "aten::gather" || base == "aten::index_select") {
        const plan::Tensor &x = a.tensor(0), &indices = a.tensor(2);
        const size_t dim = dimension(x, a.whole(1, "dim", 0));
        Index at = index;
        at[dim] = place(indices, base == "aten::gather" ? index : Index{index[dim]}, x.shape[dim], context);
        return context.at(x, at);
    }
    if (base == "aten::embedding") {
        const plan::Tensor &table = a.tensor(0), &indices = a.tensor(1);
        if (index.empty()) throw CannotEvaluate(base);
        const Index at(index.begin(), index.end() - 1);
        return context.at(table, {place(indices, at, table.shape.at(0), context), index.back()});
    }
    if (auto padded = pad(base, a, index, context)) return padded;
    if (base == "aten::roll") return roll(a, index, context);
    if (base == "aten::pixel_shuffle" || base == "aten::pixel_unshuffle")
        return shuffled(base == "aten::pixel_unshuffle", a, index, context);
    if (base == "aten::index") return indexed(a, index, context);
    if (base == "aten::take") {
        const plan::Tensor& x = a.tensor(0);
        return context.at(x, unravelled(x, place(a.tensor(1), index, plan::element_count(x), context)));
    }
    if (base == "aten::repeat") {
        const plan::Tensor& x = a.tensor(0);
        Index at(index.end() - static_cast<std::ptrdiff_t>(x.shape.size()), index.end());
        for (size_t d = 0; d < at.size(); d++) at[d] %= x.shape[d];
        return context.at(x, at);
    }
    if (base == "aten::channel_shuffle") {
        const int64_t groups = a.whole(1, "groups", 1), each = a.tensor(0).shape.at(1) / groups;
        Index at = index;
        at.at(1) = index[1] % groups * each + index[1] / groups;
        return context.at(a.tensor(0), at);
    }
    if (base == "aten::flip") {
        const plan::Tensor& x = a.tensor(0);
        Index at = index;
        for (int64_t dim : a.integers(1, "dims")) {
            const size_t d = dimension(x, dim);
            at[d] = x.shape[d] - 1 - at[d];
        }
        return context.at(x, at);
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
