#include "task/smaller_size.h"

#include <initializer_list>

namespace tritonsmith::task {

int64_t smaller_size(int64_t size, int64_t widest) {
    const int64_t power = size & -size, odd = size / power;
    if (power > widest) return size / 2;
    for (const int64_t factor : {3, 5, 7, 11, 13})
        if (odd % factor == 0) return size / factor;
    return odd > 1 ? power * (odd / 2 | 1) : size / 2;
}

}  // namespace tritonsmith::task
