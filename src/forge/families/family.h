#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "forge/emit/kernel.h"
#include "forge/field/context.h"

namespace tritonsmith::forge {

/// What a kernel was made of.
struct Written {
    std::vector<Launch> launches;
    std::set<int> inlined;  ///< values that it makes without storing them
    std::set<int> loaded;   ///< values that other kernels must have written before

    /// Of one launch.
    static Written by(Launch launch, std::set<int> inlined, std::set<int> loaded) {
        Written out{{}, std::move(inlined), std::move(loaded)};
        out.launches.push_back(std::move(launch));
        return out;
    }
};

/// A family of kernels. To add one: a file in this folder, and a line in registry.cpp.
struct Family {
    const char* name;
    /// Kernels that write `value` to memory; nothing where it is not for this family. Families are asked in
    /// the registry's order, the most special ones first. @throws Refused
    std::optional<Written> (*write)(Context& context, int value);
};

/// In the order in which they are asked.
const std::vector<Family>& families();

// The families.
std::optional<Written> write_contraction(Context& context, int value);
std::optional<Written> write_library(Context& context, int value);
std::optional<Written> write_attention(Context& context, int value);
std::optional<Written> write_rows(Context& context, int value);
std::optional<Written> write_scan(Context& context, int value);
std::optional<Written> write_sort(Context& context, int value);
std::optional<Written> write_scatter(Context& context, int value);
std::optional<Written> write_recurrent(Context& context, int value);
std::optional<Written> write_concatenation(Context& context, int value);
std::optional<Written> write_elementwise(Context& context, int value);

}  // namespace tritonsmith::forge
