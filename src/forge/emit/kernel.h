#pragma once

#include <set>
#include <string>
#include <vector>

#include "forge/emit/code.h"
#include "graph/scalar.h"

namespace tritonsmith::forge {

/// A kernel's text with its sizes left open (Numbers), and how forward launches it.
struct Kernel {
    std::string name, docstring;
    struct Pointer {
        std::string parameter, variable;  ///< "x_ptr", forward's "x"
        bool operator==(const Pointer&) const = default;
    };
    std::vector<Pointer> pointers;
    struct Meta {
        std::string name, value;  ///< "BLOCK", "1024" or an expression of forward's
        bool operator==(const Meta&) const = default;
    };
    std::vector<Meta> sizes;  ///< integer parameters that forward computes: "total", "out.numel()"
    std::vector<Meta> metas;  ///< tl.constexpr parameters
    Lines body;
    std::vector<std::string> grid;  ///< expressions of forward's, sizes left open
    int num_warps = 4, num_stages = 0;
    double flops = 0, flops_per_second = 1e15;  ///< of its products (cost.h)
    double traffic = 0;                         ///< bytes that its tiles read, again and again
    double programs = 0;
    std::set<std::string> taken = {"tl", "triton", "torch", "libdevice"};  ///< names in the body

    /// The parameter for a tensor of forward's, called after `role` ("weight"); a new one where there is none
    /// yet.
    std::string pointer(const std::string& variable, const std::string& role);
    std::string unique(const std::string& preferred);
};

/// A tensor that forward makes.
struct Allocation {
    std::string variable;
    std::vector<std::string> shape;  ///< sizes left open
    graph::DType dtype = graph::DType::f32;
    int value = -1;  ///< of the graph; -1 for scratch
};

/// Allocations and launches of forward, in order.
struct Launch {
    std::vector<Allocation> allocations;
    Kernel kernel;
    /// A launch that is repeated: "for step in range(steps):", statements before the loop and behind the
    /// launch.
    std::string loop = {};
    /// Instead of a kernel: what PyTorch is asked for, "torch.matmul(x, weight)"; its result is the
    /// allocation.
    std::string call = {};
    std::vector<std::string> before = {}, after = {};
};

}  // namespace tritonsmith::forge
