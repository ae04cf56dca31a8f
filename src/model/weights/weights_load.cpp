#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/text.h"
#include "kernels/kernels.h"
#include "model/weights/model_files.h"
#include "model/weights/quantised_files.h"
#include "model/weights/weight_places.h"
#include "model/weights/weights_io.h"

namespace tritonsmith::model {
namespace {

class Loader {
  public:
    Loader(const ModelFiles& files, const Model::Options& options) : files_(files), options_(options) {}

    void load(const WeightPlace& place, bool int8) {
        for (const StoredTensor& tensor : place.stored) check(tensor, int8);
        if (int8) return load_int8(place);
        at::Tensor values = stacked(place, unquantised_dtype(options_));
        if (place.role == WeightPlace::Role::matrix)
            place.matrix->values = std::move(values);
        else  // rounded to the weights' dtype first, as on every device
            *place.vector = values.to(vector_dtype(options_));
    }

    /// What was mapped and is kept in another form.
    void release(const WeightPlace& place) const {
        for (const StoredTensor& tensor : place.stored) files_.file(tensor.name).release(tensor.name);
    }

  private:
    /// Kept as it is where products read int8, else multiplied out.
    void load_int8(const WeightPlace& place) {
        Model::Options here = options_;
        here.device = at::kCPU;
        Matrix matrix{Loader(files_, here).stacked(place, at::kChar),
                      at::empty({place.rows()}, at::TensorOptions().dtype(at::kFloat))};
        int64_t row = 0;
        for (const StoredTensor& tensor : place.stored) {
            const StoredTensor scales{scales_name(tensor.name), {tensor.shape[0], 1}};
            check(scales, false);
            matrix.scales.narrow(0, row, tensor.shape[0]).copy_(files_.tensor(scales.name).flatten());
            row += tensor.shape[0];
        }
        if (options_.dtype == at::kChar)
            *place.matrix = std::move(matrix);
        else
            place.matrix->values = dequantise(matrix).to(unquantised_dtype(options_)).to(options_.device);
    }

    void check(const StoredTensor& tensor, bool int8) const {
        const Safetensors& file = files_.file(tensor.name);
        const TensorEntry& entry = file.entries().at(tensor.name);
        if (entry.shape != tensor.shape)
            throw InputError(fmt::format(
                "{}: tensor {} is [{}], and config.json requires [{}]; is the file of another model?",
                file.where(), tensor.name, fmt::join(entry.shape, ", "), fmt::join(tensor.shape, ", ")));
        const bool known = int8 ? entry.dtype == "I8"
                                : entry.dtype == "F32" || entry.dtype == "BF16" || entry.dtype == "F16";
        if (!known)
            throw InputError(fmt::format("{}: tensor {} is {}, and config.json requires {}", file.where(),
                                         tensor.name, entry.dtype, int8 ? "I8" : "BF16, F16 or F32"));
    }

    at::Tensor mapped(const WeightPlace& place) const {
        std::vector<std::string> names;
        const Safetensors& file = files_.file(place.stored.front().name);
        for (const StoredTensor& tensor : place.stored) {
            if (&files_.file(tensor.name) != &file) return {};
            names.push_back(tensor.name);
        }
        return file.adjacent(names);
    }

    at::Tensor stacked(const WeightPlace& place, at::ScalarType dtype) const {
        if (options_.device.is_cpu() && !options_.copied) {
            at::Tensor whole = mapped(place);
            if (whole.defined() && whole.scalar_type() == dtype) return whole;
        }
        std::vector<int64_t> shape = place.stored.front().shape;
        shape[0] = place.rows();
        at::Tensor result = at::empty(shape, at::TensorOptions().dtype(dtype).device(options_.device));
        int64_t row = 0;
        for (const StoredTensor& tensor : place.stored) {
            result.narrow(0, row, tensor.shape[0]).copy_(files_.tensor(tensor.name));
            files_.file(tensor.name).release(tensor.name);
            row += tensor.shape[0];
        }
        return result;
    }

    const ModelFiles& files_;
    const Model::Options& options_;
};

/// Whether the file has its values in int8.
bool is_int8(const WeightPlace& place, const Config& config) {
    return config.int8_matrices && place.in_layer() && place.matrix != nullptr;
}

/// An unknown tensor would change what the model computes.
void refuse_others(const ModelFiles& files, const Config& config, const std::vector<WeightPlace>& places) {
    std::set<std::string> known;
    for (const WeightPlace& place : places)
        for (const StoredTensor& tensor : place.stored) {
            known.insert(tensor.name);
            if (is_int8(place, config)) known.insert(scales_name(tensor.name));
        }
    for (const std::string& name : files.names()) {
        if (known.contains(name) || name.ends_with(".rotary_emb.inv_freq")) continue;
        if (config.tied_embeddings && name == "lm_head.weight") continue;
        throw InputError(
            fmt::format("{}: tensor {} is not part of a {} model with this config.json; are they "
                        "of one model?",
                        files.where(), shortened(name, 200), config.family));
    }
}

}  // namespace

void check_options(const Model::Options& options) {
    const at::ScalarType dtype = options.dtype;
    const bool everywhere = dtype == at::kFloat || dtype == at::kBFloat16;
    const bool own_cpu = options.device.is_cpu() && !options.plain,
               own_cuda = !options.device.is_cpu() && !options.plain;
    const bool here =
        own_cpu ? dtype == at::kChar : dtype == at::kHalf || (own_cuda && dtype == at::kFloat8_e4m3fn);
    if (!everywhere && !here)
        throw InputError(fmt::format("weights in {} are not supported on {}: use float32, bfloat16 or {}",
                                     dtype == at::kFloat8_e4m3fn ? "fp8" : c10::toString(dtype),
                                     options.device.str(),
                                     own_cpu    ? "int8"
                                     : own_cuda ? "float16, or fp8"
                                                : "float16"));
    std::string why;
    if (dtype == at::kFloat8_e4m3fn && !kernels::find_library(&why))
        throw MachineError("weights in fp8 need this project's CUDA kernels: " + why);
}

at::ScalarType unquantised_dtype(const Model::Options& options) {
    return is_quantised(options.dtype) ? at::kBFloat16 : options.dtype;
}

at::ScalarType vector_dtype(const Model::Options& options) {
    return options.device.is_cpu() && !options.plain ? at::kFloat : unquantised_dtype(options);
}

void take_for_products(const WeightPlace& place, const Config& config, const Weights& weights,
                       const Model::Options& options) {
    if (place.matrix == nullptr) return;
    Matrix& matrix = *place.matrix;
    const bool embedding = &matrix == &weights.embedding, head = &matrix == &weights.head;
    if (embedding && !config.tied_embeddings) return;
    if (options.dtype == at::kChar && !matrix.scales.defined()) matrix = quantise(matrix.values);
    if (options.dtype == at::kFloat8_e4m3fn && !embedding && !head) {
        if (matrix.inputs() % 16 != 0 || matrix.outputs() % 16 != 0) {
            std::vector<std::string> names;  // which one product takes together
            for (const StoredTensor& tensor : place.stored) names.push_back(tensor.name);
            throw InputError(fmt::format(
                "weights in fp8 need sizes that are multiples of 16: {} is [{}, {}]; use bfloat16",
                fmt::join(names, " with "), matrix.outputs(), matrix.inputs()));
        }
        matrix = quantise(matrix.values, at::kFloat8_e4m3fn);
    }
    if (options.device.is_cpu() && !options.plain) matrix = for_products(std::move(matrix));
}

void tell_loaded(const std::vector<WeightPlace>& places, const WeightPlace& place, const Weights& weights,
                 const Model::Options& options) {
    const bool last = &place == &places.back() || (&place)[1].layer != place.layer;
    if (options.loaded && place.in_layer() && last) options.loaded(weights, place.layer);
}

Weights load_weights(const std::filesystem::path& folder, const Config& config,
                     const Model::Options& options) {
    const ModelFiles files = ModelFiles::open(folder);
    if (config.layers > static_cast<int>(files.names().size()))  // before anything is sized by it
        throw InputError(fmt::format(
            "{}: config.json has {} layers, and the files hold {} tensors; are they of one model?",
            files.where(), config.layers, files.names().size()));
    Weights weights;
    weights.layers.resize(static_cast<size_t>(config.layers));
    const std::vector<WeightPlace> places = weight_places(config, weights);
    Loader loader(files, options);
    refuse_others(files, config, places);
    for (const WeightPlace& place : places) {
        loader.load(place, is_int8(place, config));
        take_for_products(place, config, weights, options);
        if (place.matrix && !place.matrix->values.defined()) loader.release(place);
        tell_loaded(places, place, weights, options);
    }
    if (config.tied_embeddings) weights.head = weights.embedding;
    return weights;
}

}  // namespace tritonsmith::model
