#include "ttir/interp/lower/exec_layout.h"

#include <algorithm>
#include <cstring>

namespace tritonsmith::ttir {

int element_size(Scalar type) {
    switch (type) {
        case Scalar::i16:
        case Scalar::bf16:
        case Scalar::f16:
            return 2;
        case Scalar::i32:
        case Scalar::f32:
            return 4;
        case Scalar::i64:
        case Scalar::index:
        case Scalar::f64:
            return 8;
        default:
            return 1;
    }
}

Scalar stored_scalar(const Type& type) {
    if (type.kind == Type::Kind::pointer) return Scalar::i64;
    return type.elem == Scalar::index ? Scalar::i64 : type.elem;
}

bool is_small_float(Scalar type) {
    return type >= Scalar::f8e4m3fn && type <= Scalar::f16;
}
bool is_float(Scalar type) {
    return type >= Scalar::f8e4m3fn && type <= Scalar::f64;
}

int64_t Layout::count() const {
    int64_t n = 1;
    for (size_t d = 0; d < shape.size(); ++d)
        if ((stored >> d & 1) != 0) n *= shape[d];
    return n;
}

int64_t Layout::bytes() const {
    return count() * element_size(elem);
}

uint64_t Layout::full() const {
    uint64_t mask = 0;
    for (size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > 1) mask |= uint64_t{1} << d;
    return mask;
}

Expand::Expand(const std::vector<int64_t>& shape, uint64_t from, uint64_t to) {
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0;) {
        if ((to >> d & 1) == 0) continue;
        const bool stored = (from >> d & 1) != 0;
        levels.push_back({shape[d], stored ? stride : 0});
        if (stored) stride *= shape[d];
    }
    std::reverse(levels.begin(), levels.end());
    collapse();
}

Expand::Expand(std::vector<Level> raw) : levels(std::move(raw)) {
    collapse();
}

void Expand::collapse() {
    std::vector<Level> merged;
    for (const Level& level : levels) {
        total *= level.size;
        if (level.size == 1) continue;
        if (!merged.empty() && merged.back().stride == level.stride * level.size)
            merged.back() = {merged.back().size * level.size, level.stride};
        else
            merged.push_back(level);
    }
    levels = std::move(merged);
    scalar = levels.empty() || (levels.size() == 1 && levels[0].stride == 0);
    identity = total == 1 || (levels.size() == 1 && levels[0].stride == 1);
    if (levels.empty()) levels.push_back({1, 1});
}

namespace {

template <class T>
void copy_strided(std::byte* out, const std::byte* source, int64_t stride, int64_t count) {
    auto* o = reinterpret_cast<T*>(out);
    auto* s = reinterpret_cast<const T*>(source);
    if (stride == 0) {
        std::fill_n(o, count, *s);
    } else if (stride == 1) {
        std::memcpy(o, s, static_cast<size_t>(count) * sizeof(T));
    } else {
        for (int64_t i = 0; i < count; ++i) o[i] = s[i * stride];
    }
}

void copy_row(std::byte* out, const std::byte* source, int size, int64_t stride, int64_t count) {
    switch (size) {
        case 1:
            return copy_strided<uint8_t>(out, source, stride, count);
        case 2:
            return copy_strided<uint16_t>(out, source, stride, count);
        case 4:
            return copy_strided<uint32_t>(out, source, stride, count);
        default:
            return copy_strided<uint64_t>(out, source, stride, count);
    }
}

}  // namespace

void Expand::copy(std::byte* out, const std::byte* source, int size, int64_t begin, int64_t count) const {
    if (scalar) return copy_row(out, source, size, 0, count);
    const Level& inner = levels.back();
    if (levels.size() == 1)
        return copy_row(out, source + begin * inner.stride * size, size, inner.stride, count);
    const size_t outer = levels.size() - 1;
    int64_t row = begin / inner.size, column = begin % inner.size;
    int64_t index[64];
    int64_t offset = 0;
    for (size_t d = outer; d-- > 0;) {
        index[d] = row % levels[d].size;
        row /= levels[d].size;
        offset += index[d] * levels[d].stride;
    }
    while (count > 0) {
        const int64_t run = std::min(count, inner.size - column);
        copy_row(out, source + (offset + column * inner.stride) * size, size, inner.stride, run);
        out += run * size;
        count -= run;
        column = 0;
        for (size_t d = outer; d-- > 0;) {
            offset += levels[d].stride;
            if (++index[d] < levels[d].size) break;
            offset -= levels[d].size * levels[d].stride;
            index[d] = 0;
        }
    }
}

}  // namespace tritonsmith::ttir
