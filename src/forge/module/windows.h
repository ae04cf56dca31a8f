#pragma once

#include <cstdint>
#include <vector>

#include "forge/emit/code.h"
#include "graph/graph.h"

namespace tritonsmith::forge {

/// The windows of a convolution or a pool along one axis; of a transposed convolution, what they are spread
/// over.
struct Windows {
    int64_t from = 0;  ///< the axis's size
    int64_t kernel = 1, stride = 1, padding = 0, dilation = 1;
    int64_t more = 0;  ///< elements at the end of a transposed convolution's output (output_padding)
    bool transposed = false, ceil_mode = false;

    /// The result's size by PyTorch's formula (torch.nn.Conv2d, ConvTranspose2d, MaxPool2d).
    int64_t count() const;
    /// The same as an expression of the axis's size, with the layer's numbers as the task has them.
    Code count_of(const Code& size) const;
    /// With ceil_mode no window begins behind the axis and its padding in front: where that is what ends
    /// them, the places where windows begin are counted.
    bool starts_count() const;
    /// Whether two sizes of a task have the same windows.
    bool like(const Windows& other) const;
};

/// Of each of the last axes of what `node` makes; none where it has no windows, or its result is not what the
/// formula says.
std::vector<Windows> windows_of(const graph::Graph& graph, const graph::Node& node);

}  // namespace tritonsmith::forge
