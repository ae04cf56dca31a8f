// tritonsmith-model-tool: the model for tests in Python. JSON lines on stdin, one answer for each on stdout:
//   {"do":"logits","folder":F,"tokens":[[…]…],"out":FILE, OPTIONS}
//       FILE (safetensors): logits [tokens, vocabulary], hidden, and logprobs [tokens - 1] of each next token
//       of the whole list
//   {"do":"save","folder":F,"to":FOLDER,"shard_bytes":n,"int8_matrices":b, OPTIONS}
//   {"do":"random","folder":F,"to":FOLDER,"seed":n, OPTIONS}     F holds a config.json
// OPTIONS: "dtype":"float32"|"bfloat16"|"float16"|"int8"|"fp8", "device":"cpu"|"cuda:0", "exact":b, "plain":b
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <string>

#include "model/json_fields.h"
#include "model/model.h"
#include "model/packed_attention.h"
#include "model/request_lines.h"
#include "model/weights/safetensors_writer.h"
#include "model/weights/weight_dtype.h"

namespace {

using namespace tritonsmith;
using namespace tritonsmith::model;

Model::Options options_of(const JsonFields& request) {
    return {.device = at::Device(request.text_or("device", "cpu")),
            .dtype = weight_dtype(request.text_or("dtype", "float32")),
            .exact = request.boolean_or("exact", false),
            .plain = request.boolean_or("plain", false)};
}

void logits(const JsonFields& request, const Model& model) {
    std::vector<int64_t> tokens, lengths;
    for (const auto& sequence : request.value("tokens").get<std::vector<std::vector<int64_t>>>()) {
        tokens.insert(tokens.end(), sequence.begin(), sequence.end());
        lengths.push_back(static_cast<int64_t>(sequence.size()));
    }
    const at::Device device = model.options().device;
    PackedAttention attention(model.heads(), lengths, device);
    const at::Tensor ids = at::tensor(tokens, at::kLong).to(device);
    const at::Tensor hidden = model.forward(ids, attention.positions(), attention);
    const at::Tensor logits = model.logits(hidden);
    const int64_t last = ids.size(0) - 1;
    const at::Tensor logprobs = log_probabilities(logits.narrow(0, 0, last), ids.narrow(0, 1, last));
    write_safetensors(request.text("out"),
                      {{"logits", logits}, {"hidden", hidden.to(at::kFloat)}, {"logprobs", logprobs}});
}

void answer(const JsonFields& request) {
    const std::string what = request.text("do"), folder = request.text("folder");
    if (what == "logits") return logits(request, Model::load(folder, options_of(request)));
    if (what == "save")
        return Model::load(folder, options_of(request))
            .save(request.text("to"),
                  {.shard_bytes = request.integer_or("shard_bytes", 4LL << 30, 1, 1LL << 40),
                   .int8_matrices = request.boolean_or("int8_matrices", false)});
    if (what == "random")
        return Model::random(load_config(folder), options_of(request),
                             static_cast<uint64_t>(request.integer_or("seed", 0, 0, 1LL << 40)))
            .save(request.text("to"));
    throw InputError("do: \"" + what + "\" is unknown");
}

}  // namespace

int main() {
    answer_request_lines([](const JsonFields& request) {
        answer(request);
        return Json::object();
    });
    return 0;
}
