#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/model.h"

namespace tritonsmith::model {

/// A tensor of the file.
struct StoredTensor {
    std::string name;
    std::vector<int64_t> shape;
};

/// Where one of the model's tensors is in the file: one or several stored tensors, stacked by rows.
struct WeightPlace {
    enum class Role { matrix, bias, norm };
    Role role = Role::matrix;
    std::vector<StoredTensor> stored;
    Matrix* matrix = nullptr;      ///< if role is matrix
    at::Tensor* vector = nullptr;  ///< else
    int layer = -1;                ///< -1: embedding, last norm or head

    bool in_layer() const { return layer >= 0; }

    int64_t rows() const;
};

/// All tensors of a model in the order in which they are written, without a tied head.
/// @param weights with all layers; the places point into it
std::vector<WeightPlace> weight_places(const Config& config, Weights& weights);

}  // namespace tritonsmith::model
