#pragma once

#include "model/json_fields.h"

/// Files whose matrices are int8: the layout "int-quantized" of compressed-tensors, of weights alone.
/// NAME.weight is int8 [rows, inputs], NAME.weight_scale a factor for each row, [rows, 1]. Embedding, head,
/// norms and biases are not quantised.
namespace tritonsmith::model {

/// The tensor with the factors of a matrix's rows. @param tensor "NAME.weight"
std::string scales_name(const std::string& tensor);

/// Whether config.json has the layout above; false: nothing is quantised. @throws InputError for any other
/// quantization_config
bool has_int8_matrices(const JsonFields& config);
/// What such a model's config.json has as its quantization_config.
Json int8_quantization_config();

}  // namespace tritonsmith::model
