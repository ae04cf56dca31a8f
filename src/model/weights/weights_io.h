#pragma once

#include <filesystem>

#include "model/model.h"

namespace tritonsmith::model {

struct WeightPlace;

/// Weights from the safetensors of a folder, in the dtype and on the device of the options.
/// @throws InputError that names the file, the tensor and the mend
Weights load_weights(const std::filesystem::path& folder, const Config& config,
                     const Model::Options& options);
/// Drawn: matrices normal with deviation 0.02, norms 1, biases 0.
Weights random_weights(const Config& config, const Model::Options& options, uint64_t seed);
/// See Model::save. @param json what becomes config.json
void save_weights(const std::filesystem::path& folder, const Config& config, const Json& json,
                  const Weights& weights, at::ScalarType dtype, int64_t shard_bytes);

/// @throws InputError for a dtype that the device does not take
void check_options(const Model::Options& options);
/// What weights are rounded to first: the options' dtype, or bfloat16 before they are quantised.
at::ScalarType unquantised_dtype(const Model::Options& options);
/// What norms and biases are kept in.
at::ScalarType vector_dtype(const Model::Options& options);
/// A matrix as it was read or drawn becomes one that products read: quantised, in tiles, or as it is. An
/// embedding that is only looked up stays as it is; in e4m3 the head too, as logits are compared by what
/// little they differ. @param weights that the place points into @throws InputError for a shape that products
/// with e4m3 do not take
void take_for_products(const WeightPlace& place, const Config& config, const Weights& weights,
                       const Model::Options& options);

}  // namespace tritonsmith::model
