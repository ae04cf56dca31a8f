#pragma once

#include <array>
#include <string>
#include <vector>

/// The dtypes that options accept, by name. Without torch, so that the command line can include it.
namespace tritonsmith::model {

/// Of weights; weight_dtype() maps them to torch's. float16 and fp8 (e4m3) are for GPUs, int8 for CPUs.
inline constexpr std::array weight_dtype_names = {"float32", "bfloat16", "float16", "int8", "fp8"};

/// Values of --dtype; auto: bfloat16, or on the CPU float32 or int8 if the file has it.
inline std::vector<std::string> weight_dtype_choices() {
    std::vector<std::string> choices = {"auto"};
    choices.insert(choices.end(), weight_dtype_names.begin(), weight_dtype_names.end());
    return choices;
}

/// Values of --cache-dtype; auto: the dtype of activations.
inline std::vector<std::string> cache_dtype_choices() {
    return {"auto", "fp8"};
}

}  // namespace tritonsmith::model
