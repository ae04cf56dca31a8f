#include "train/network/adapters.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "base/error.h"
#include "model/weights/weight_places.h"
#include "train/network/products.h"

namespace tritonsmith::train {
namespace {

/// Calls f(matrix of the model, its adapter) for all that have one, in the order of the file.
template <class Function>
void for_each_matrix(const model::Weights& weights, Adapters& adapters, const Function& f) {
    for (size_t i = 0; i < adapters.layers.size(); ++i) {
        const model::LayerWeights& layer = weights.layers[i];
        LayerAdapters& of = adapters.layers[i];
        f(layer.qkv, of.qkv);
        f(layer.output, of.output);
        f(layer.gate_up, of.gate_up);
        f(layer.down, of.down);
    }
}

/// Rows of A that belong to a part.
at::Tensor part_of_a(const Adapter& adapter, size_t part) {
    const int64_t rank = adapter.b.size(1);
    return adapter.a.narrow(0, static_cast<int64_t>(part) * rank, rank);
}

at::Tensor part_of_b(const Adapter& adapter, size_t part) {
    return adapter.b.narrow(0, adapter.parts[part].first, adapter.parts[part].rows);
}

/// "model.layers.0.mlp.down_proj.weight" → "base_model.model.model.layers.0.mlp.down_proj.lora_A.weight"
std::string peft_name(const std::string& name, const char* which) {
    constexpr std::string_view ending = ".weight";
    return "base_model.model." + name.substr(0, name.size() - ending.size()) + "." + which + ".weight";
}

}  // namespace

Adapters new_adapters(const model::Model& model, int64_t rank, double alpha, uint64_t seed) {
    const at::NoGradGuard no_grad;
    Adapters adapters{rank, alpha / static_cast<double>(rank), {}};
    model::Weights weights = model.weights();  // handles: places point into them
    adapters.layers.resize(weights.layers.size());
    const std::vector<model::WeightPlace> places = model::weight_places(model.config(), weights);
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    for_each_matrix(weights, adapters, [&](const model::Matrix& matrix, Adapter& adapter) {
        int64_t row = 0;
        for (const model::WeightPlace& place : places) {
            if (place.matrix != &matrix) continue;
            for (const model::StoredTensor& stored : place.stored) {
                adapter.parts.push_back({stored.name, row, stored.shape[0]});
                row += stored.shape[0];
            }
        }
        const int64_t inputs = matrix.values.size(1);
        const double most = 1 / std::sqrt(static_cast<double>(inputs));
        at::Tensor a = at::empty({static_cast<int64_t>(adapter.parts.size()) * rank, inputs}, at::kFloat);
        a.uniform_(-most, most, generator);
        adapter.a = a.to(matrix.values.options());
        adapter.b = at::zeros({row, rank}, matrix.values.options());
    });
    return adapters;
}

Adapters zero_gradients(const Adapters& adapters, at::ScalarType dtype) {
    Adapters gradients = adapters;
    for (LayerAdapters& layer : gradients.layers)
        for (Adapter* one : {&layer.qkv, &layer.output, &layer.gate_up, &layer.down}) {
            one->a = at::zeros(one->a.sizes(), one->a.options().dtype(dtype));
            one->b = at::zeros(one->b.sizes(), one->b.options().dtype(dtype));
        }
    return gradients;
}

std::vector<Parameter> parameters_of(const Adapters& adapters, const Adapters& gradients) {
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < adapters.layers.size(); ++i) {
        const LayerAdapters &of = adapters.layers[i], &sums = gradients.layers[i];
        for (const auto& [one, sum] :
             {std::pair{&of.qkv, &sums.qkv}, std::pair{&of.output, &sums.output},
              std::pair{&of.gate_up, &sums.gate_up}, std::pair{&of.down, &sums.down}}) {
            Parameter a{.parts = {}, .value = one->a, .gradient = sum->a},
                b{.parts = {}, .value = one->b, .gradient = sum->b};
            for (size_t part = 0; part < one->parts.size(); ++part) {
                const Parameter::Part& rows = one->parts[part];
                a.parts.push_back({peft_name(rows.name, "lora_A"), static_cast<int64_t>(part) * adapters.rank,
                                   adapters.rank});
                b.parts.push_back({peft_name(rows.name, "lora_B"), rows.first, rows.rows});
            }
            for (Parameter* parameter : {&a, &b}) {
                parameter->number = static_cast<int64_t>(parameters.size());
                parameter->layer = static_cast<int64_t>(i);
                parameters.push_back(std::move(*parameter));
            }
        }
    }
    return parameters;
}

int64_t adapter_elements(const model::Config& config, int64_t rank) {
    const int64_t hidden = config.hidden, queries = int64_t{config.heads} * config.head_dim,
                  keys = int64_t{config.kv_heads} * config.head_dim, mlp = config.intermediate;
    const int64_t inputs = 3 * hidden + queries + 2 * hidden + mlp,
                  outputs = queries + 2 * keys + hidden + 2 * mlp + hidden;
    return config.layers * rank * (inputs + outputs);
}

void add_adapted(at::Tensor& y, const at::Tensor& x, const Adapter& adapter, double scale) {
    for (size_t part = 0; part < adapter.parts.size(); ++part) {
        const at::Tensor inner = at::mm(x, part_of_a(adapter, part).t());
        y.narrow(1, adapter.parts[part].first, adapter.parts[part].rows)
            .add_(at::mm(inner, part_of_b(adapter, part).t()), scale);
    }
}

void adapter_derivative(const at::Tensor& gradient, const at::Tensor& x, const Adapter& adapter, double scale,
                        at::Tensor& x_gradient, Adapter& gradients) {
    for (size_t part = 0; part < adapter.parts.size(); ++part) {
        const Parameter::Part& rows = adapter.parts[part];
        const at::Tensor a = part_of_a(adapter, part), inner = at::mm(x, a.t());
        const at::Tensor outer = gradient.narrow(1, rows.first, rows.rows) * scale;
        const at::Tensor by_inner = at::mm(outer, part_of_b(adapter, part));
        at::Tensor by_a = part_of_a(gradients, part), by_b = part_of_b(gradients, part);
        add_product(by_b, outer, inner);
        add_product(by_a, by_inner, x);
        x_gradient.addmm_(by_inner, a);
    }
}

MergedAdapters::MergedAdapters(const model::Model& model, const Adapters& adapters) {
    const at::NoGradGuard no_grad;
    Adapters all = adapters;  // handles
    for_each_matrix(model.weights(), all, [&](const model::Matrix& matrix, Adapter& adapter) {
        weights_.push_back(matrix.values);
        originals_.push_back(matrix.values.to(at::kCPU, matrix.values.scalar_type(), false, true));
        at::Tensor merged = matrix.values.to(at::kFloat, false, true);
        for (size_t part = 0; part < adapter.parts.size(); ++part)
            merged.narrow(0, adapter.parts[part].first, adapter.parts[part].rows)
                .add_(
                    at::mm(part_of_b(adapter, part).to(at::kFloat), part_of_a(adapter, part).to(at::kFloat)),
                    adapters.scale);
        weights_.back().copy_(merged);
    });
}

MergedAdapters::~MergedAdapters() {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < weights_.size(); ++i) weights_[i].copy_(originals_[i]);
}

}  // namespace tritonsmith::train
