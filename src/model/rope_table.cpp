#include "model/rope_table.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace tritonsmith::model {

RopeAngles RopeTable::angles(const at::Tensor& positions) const {
    const int64_t* from = positions.const_data_ptr<int64_t>();
    const int64_t n = positions.numel();
    if (n > 0 && *std::min_element(from, from + n) < 0) throw InputError("positions must be 0 or more");
    const int64_t wanted = n > 0 ? *std::max_element(from, from + n) + 1 : 1;
    const std::lock_guard lock(mutex_);
    if (!rows_.cos.defined() || rows_.cos.size(0) < wanted) grow(wanted);
    return {rows_.cos, rows_.sin, positions};
}

void RopeTable::grow(int64_t positions) const {
    constexpr int64_t block = 64;
    const int64_t now = rows_.cos.defined() ? rows_.cos.size(0) : 0,
                  size = (std::max(positions, 2 * now) + block - 1) / block * block;
    std::vector<at::Tensor> cos, sin;
    if (now > 0) {
        cos.push_back(rows_.cos);
        sin.push_back(rows_.sin);
    }
    for (int64_t first = now; first < size; first += block) {
        RopeRows rows = rope_rows(frequencies_, at::arange(first, first + block), dtype_);
        cos.push_back(std::move(rows.cos));
        sin.push_back(std::move(rows.sin));
    }
    rows_ = {at::cat(cos), at::cat(sin)};
}

}  // namespace tritonsmith::model
