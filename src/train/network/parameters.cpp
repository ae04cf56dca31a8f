#include "train/network/parameters.h"

#include <ATen/Functions.h>

#include "model/weights/weight_places.h"

namespace tritonsmith::train {
namespace {

using model::WeightPlace;

const at::Tensor& tensor_of(const WeightPlace& place) {
    return place.matrix != nullptr ? place.matrix->values : *place.vector;
}

Parameter::Kind kind_of(const WeightPlace& place, const model::Weights& weights) {
    if (place.role == WeightPlace::Role::norm) return Parameter::Kind::norm;
    if (place.role == WeightPlace::Role::bias) return Parameter::Kind::bias;
    if (place.matrix == &weights.embedding) return Parameter::Kind::embedding;
    return place.matrix == &weights.head ? Parameter::Kind::head : Parameter::Kind::matrix;
}

/// Without a gradient.
Parameter parameter_at(const std::vector<WeightPlace>& places, size_t number, const model::Weights& weights) {
    const WeightPlace& place = places[number];
    Parameter parameter{.kind = kind_of(place, weights),
                        .parts = {},
                        .value = tensor_of(place),
                        .gradient = {},
                        .number = static_cast<int64_t>(number),
                        .layer = place.layer};
    int64_t row = 0;
    for (const model::StoredTensor& stored : place.stored) {
        parameter.parts.push_back({stored.name, row, stored.shape[0]});
        row += stored.shape[0];
    }
    return parameter;
}

}  // namespace

model::Weights make_gradients(const model::Model& model,
                              const std::function<at::Tensor(const at::Tensor& weight)>& make) {
    model::Weights weights = model.weights(), gradients;
    gradients.layers.resize(weights.layers.size());
    const std::vector<WeightPlace> from = model::weight_places(model.config(), weights),
                                   to = model::weight_places(model.config(), gradients);
    for (size_t i = 0; i < from.size(); ++i) {
        const at::Tensor gradient = make(tensor_of(from[i]));
        if (to[i].matrix != nullptr)
            *to[i].matrix = {gradient};
        else
            *to[i].vector = gradient;
    }
    if (model.config().tied_embeddings) gradients.head = gradients.embedding;
    return gradients;
}

model::Weights zero_gradients(const model::Model& model, at::ScalarType dtype) {
    return make_gradients(model, [dtype](const at::Tensor& weight) {
        return at::zeros(weight.sizes(), weight.options().dtype(dtype));
    });
}

std::vector<Parameter> parameters_of(const model::Model& model, const model::Weights& gradients) {
    model::Weights weights = model.weights(), sums = gradients;  // handles: places point into them
    const std::vector<WeightPlace> places = model::weight_places(model.config(), weights),
                                   added = model::weight_places(model.config(), sums);
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < places.size(); ++i) {
        parameters.push_back(parameter_at(places, i, weights));
        parameters.back().gradient = tensor_of(added[i]);
    }
    return parameters;
}

std::vector<Parameter> parameters_of_layer(const model::Config& config, const model::Weights& weights,
                                           int layer) {
    model::Weights handles = weights;
    const std::vector<WeightPlace> places = model::weight_places(config, handles);
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < places.size(); ++i)
        if (places[i].layer == layer) parameters.push_back(parameter_at(places, i, handles));
    return parameters;
}

}  // namespace tritonsmith::train
