#pragma once

#include <filesystem>

#include "model/model.h"

namespace tritonsmith::model {

struct WeightPlace;

/// Loads weights from the safetensors of a folder, in the dtype and on the device of the options.
/// @throws InputError that names the file, the tensor and the fix
Weights load_weights(const std::filesystem::path& folder, const Config& config,
                     const Model::Options& options);
/// Draws weights: matrices normal with deviation 0.02, norms 1, biases 0.
Weights random_weights(const Config& config, const Model::Options& options, uint64_t seed);
/// See Model::save. @param json what becomes config.json
void save_weights(const std::filesystem::path& folder, const Config& config, const Json& json,
                  const Weights& weights, at::ScalarType dtype, const SaveOptions& options);

/// @throws InputError for a dtype that the device does not take
void check_options(const Model::Options& options);
/// The dtype that weights are rounded to first: the options' dtype, or bfloat16 before quantisation.
at::ScalarType unquantised_dtype(const Model::Options& options);
/// The dtype of norms and biases.
at::ScalarType vector_dtype(const Model::Options& options);
/// Converts a matrix, as it was read or drawn, to the form that products read: quantised, in tiles, or
/// unchanged. An embedding that is only looked up stays unchanged; in e4m3 the head too, since small
/// differences of logits matter. @param weights that the place points into @throws InputError for a shape
/// that products with e4m3 do not support
void take_for_products(const WeightPlace& place, const Config& config, const Weights& weights,
                       const Model::Options& options);

/// Behind a place that was read or drawn: calls options.loaded if it was the last one of a layer.
void tell_loaded(const std::vector<WeightPlace>& places, const WeightPlace& place, const Weights& weights,
                 const Model::Options& options);

}  // namespace tritonsmith::model
