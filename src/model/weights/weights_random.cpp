#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "model/weights/weight_places.h"
#include "model/weights/weights_io.h"

namespace tritonsmith::model {
namespace {

at::Generator generator_of(at::Device device, uint64_t seed) {
    at::Generator generator = device.is_cpu() ? at::make_generator<at::CPUGeneratorImpl>(seed)
                                              : at::globalContext()
                                                    .getAcceleratorHooksInterface(device.type())
                                                    .getNewGenerator(device.has_index() ? device.index() : 0);
    generator.set_current_seed(seed);
    return generator;
}

}  // namespace

Weights random_weights(const Config& config, const Model::Options& options, uint64_t seed) {
    Weights weights;
    weights.layers.resize(static_cast<size_t>(config.layers));
    at::Generator generator = generator_of(options.device, seed);
    const auto of = [&](at::ScalarType type) {
        return at::TensorOptions().dtype(type).device(options.device);
    };
    const std::vector<WeightPlace> places = weight_places(config, weights);
    for (const WeightPlace& place : places) {
        const int64_t rows = place.rows();
        if (place.role == WeightPlace::Role::norm) {
            *place.vector = at::ones({rows}, of(vector_dtype(options)));
        } else if (place.role == WeightPlace::Role::bias) {
            *place.vector = at::zeros({rows}, of(vector_dtype(options)));
        } else {
            at::Tensor values =
                at::empty({rows, place.stored.front().shape[1]}, of(unquantised_dtype(options)));
            values.normal_(0.0, 0.02, generator);
            *place.matrix = {values};
            take_for_products(place, config, weights, options);
        }
        tell_loaded(places, place, weights, options);
    }
    if (config.tied_embeddings) weights.head = weights.embedding;
    return weights;
}

}  // namespace tritonsmith::model
