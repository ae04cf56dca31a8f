#pragma once

#include <map>
#include <string>
#include <vector>

#include "forge/module/draft.h"
#include "forge/module/sizes.h"

namespace tritonsmith::forge {

/// What the axes of a tensor are called after: those of data, of a weight [out, in, …], of one [in, out, …].
enum class TensorKind : uint8_t { data, weight, transposed };

/// A tensor of forward's by its size at each draft.
struct Tensor {
    std::string expression;  ///< "x", "self.fc.weight"
    std::vector<Series> shape;
    TensorKind kind = TensorKind::data;
};

/// A kernel as the file has it, and what forward gives it.
struct KernelText {
    static constexpr char kName = '\x03';  ///< stands for its name in `text`
    struct Given {
        std::string text;  ///< "x", or with sizes left open: "BLOCK=" + …
        Symbol size = {};  ///< else a size of a tensor
    };
    std::string text;
    std::vector<Given> given;          ///< in the order of its parameters
    std::vector<std::string> unknown;  ///< numbers that no expression gives: those of the task's own size
    /// The text without the names that it chose: kernels with equal forms are one.
    std::string form() const;
    /// Equal where the forms are, and quickly found.
    uint64_t outline() const;
};

/// A number at every size.
Series series_of(const std::vector<Draft>& drafts, int mark);
/// What the axes of a tensor are usually called.
std::vector<std::string> axis_names(size_t rank, TensorKind kind);
TensorKind kind_of(const Leaf& leaf);

/// Sizes in a kernel are its own parameters (`rows`) or sizes of the tensors that it is given; only what no
/// such expression gives comes from elsewhere in forward (`symbols`).
KernelText kernel_text(const Kernel& kernel, const std::vector<Draft>& drafts,
                       const std::map<std::string, Tensor>& tensors, const std::vector<Symbol>& symbols);

}  // namespace tritonsmith::forge
