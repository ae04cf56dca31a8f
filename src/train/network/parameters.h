#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/model.h"

namespace tritonsmith::train {

/// One tensor that is trained, or some of its elements. Where the model keeps several tensors of the file as
/// one (the projections of queries, keys and values), the parameter is all of them: parts are its rows, in
/// order.
struct Parameter {
    enum class Kind { embedding, head, matrix, norm, bias };
    struct Part {
        std::string name;  ///< as in the file
        int64_t first, rows;
    };

    Kind kind = Kind::matrix;
    std::vector<Part> parts;
    at::Tensor value, gradient;  ///< of the same shape; the gradient in a dtype of its own
    int64_t number = 0;          ///< in parameters_of()
    int64_t layer = -1;          ///< -1: embedding, last norm or head
    int64_t first_element = 0;   ///< of the whole tensor, where this is a part of one

    const std::string& name() const { return parts.front().name; }
    /// Whether weight decay applies: not to norms and biases.
    bool decays() const { return kind != Kind::norm && kind != Kind::bias; }
};

/// Gradients of all weights. @param make of a weight its gradient @return a tied head is the embedding
model::Weights make_gradients(const model::Model& model,
                              const std::function<at::Tensor(const at::Tensor& weight)>& make);
/// Zero. @param dtype float32 or bfloat16 @return tensors of the weights' shapes
model::Weights zero_gradients(const model::Model& model, at::ScalarType dtype);
/// All parameters in the order of the file. @param gradients zero_gradients() of this model
std::vector<Parameter> parameters_of(const model::Model& model, const model::Weights& gradients);
/// Those of one layer, without gradients. @param weights of which the layer is there
std::vector<Parameter> parameters_of_layer(const model::Config& config, const model::Weights& weights,
                                           int layer);

}  // namespace tritonsmith::train
