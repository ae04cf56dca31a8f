#pragma once

namespace tritonsmith::forge {

/// What a program's launches move and compute, and how long that takes at least on a GPU like an H100: what
/// ranks schedules before anything is measured.
struct Cost {
    int launches = 0;
    double bytes = 0;         ///< of tensors that launches read and write, once each
    double flops = 0;         ///< of products
    double milliseconds = 0;  ///< estimated
};

}  // namespace tritonsmith::forge
