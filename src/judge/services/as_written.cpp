#include "judge/services/as_written.h"

#include <fcntl.h>

#include <cstring>

#include "base/json.h"
#include "base/text.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {
namespace {

using Result = std::variant<AsWrittenResult, Finding>;

constexpr int64_t kAlignment = 64;

Json values(const plan::List& list) {
    Json json = Json::array();
    for (const plan::Value& value : list) json.push_back(plan::to_json(value));
    return json;
}

Finding failed(const std::string& how, const std::string& message) {
    return {"as_written_failed",
            "the file, run as it is written, fails where its plan did not: " + message,
            0,
            {{"how", how}}};
}

/// What the child's end says where it is no answer.
Finding of_ending(const Finding& why) {
    Finding finding = failed(why.reason, why.message);
    finding.evidence.update(why.evidence);
    return finding;
}

/// What the child said went wrong. It is not believed: only shown.
Finding of_answer(const Json& answer) {
    auto text = [&](const char* key, size_t most) {
        auto found = answer.find(key);
        return found != answer.end() && found->is_string() ? printable(found->get<std::string>(), most)
                                                           : std::string();
    };
    Finding finding = failed(text("reason", 40), text("message", 2000));
    finding.evidence["type"] = text("type", 200);
    if (const std::string traceback = text("traceback", 8000); !traceback.empty())
        finding.evidence["traceback"] = traceback;
    const auto line = answer.find("line");
    if (line != answer.end() && line->is_number_integer() && *line > 0 && *line < 10'000'000)
        finding.line = line->get<int>();
    return finding;
}

}  // namespace

int64_t output_room(const plan::Plan& plan) {
    int64_t bytes = 0;
    for (const auto& tensors : {plan::tensors_in(plan.output), plan::tensors_in(plan.inputs)})
        for (const plan::Tensor& tensor : tensors) {
            int64_t size = plan::element_size(tensor.dtype);
            for (int64_t dimension : tensor.shape)
                if (__builtin_mul_overflow(size, dimension, &size))
                    throw InputError("the plan's outputs are too large");
            if (__builtin_add_overflow(bytes, size + kAlignment, &bytes))
                throw InputError("the plan's outputs are too large");
        }
    return bytes;
}

namespace {

/// The outputs as they are now, for good: the child is gone, and nobody else may hold the file writable.
run::Pack sealed(Fd file, const Json& index) {
    if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE) != 0)
        throw InputError(std::string("its memory file cannot be sealed: ") + std::strerror(errno));
    return run::Pack(file.release(), index);
}

/// A child's whole answer.
Result read(FileAnswer answer) {
    try {
        const Json& json = answer.json;
        if (!json.at("ok").get<bool>()) return of_answer(json);
        AsWrittenResult result;
        result.seconds = json.at("seconds").get<double>();
        result.unlinked_draws = json.at("unlinked_draws").get<int64_t>();
        result.derived = json.at("derived").get<bool>();
        result.outputs = sealed(std::move(answer.outputs), json.at("outputs"));
        return result;
    } catch (const Json::exception& error) {
        return failed("trace_protocol", std::string("its answer is damaged: ") + error.what());
    } catch (const InputError& error) {
        return failed("trace_protocol", printable(error.what(), 500));
    }
}

}  // namespace

AsWritten::AsWritten(trace::TracerOptions options) : process_(std::move(options)) {}

Result AsWritten::run(const AsWrittenRequest& request) {
    std::variant<FileAnswer, Finding> told =
        process_.ask({{"do", "module"},
                      {"source", request.source},
                      {"filename", request.filename},
                      {"entry", request.entry},
                      {"device", request.device},
                      {"inputs", values(request.inputs)},
                      {"init_inputs", values(request.init_inputs)},
                      {"index", request.given->index()},
                      {"links", request.links},
                      {"seed", request.seed}},
                     request.given->fd(), {request.deadline, request.memory_bytes, request.output_bytes});
    if (const auto* finding = std::get_if<Finding>(&told)) return of_ending(*finding);
    return read(std::get<FileAnswer>(std::move(told)));
}

void AsWritten::check(const std::string& device) {
    const run::Pack nothing(memory_file("tritonsmith-nothing", 0).release(), Json::array());
    AsWrittenRequest request;
    request.source =
        "import torch\nimport triton\nimport triton.language as tl\n\n"
        "@triton.jit\ndef one(x):\n    tl.store(x, 1.0)\n\n"
        "class ModelNew(torch.nn.Module):\n    def forward(self):\n"
        "        x = torch.zeros(1, device='cuda')\n        one[(1,)](x)\n        return x\n";
    request.filename = "check.py";
    request.device = device;
    request.given = &nothing;
    request.output_bytes = kAlignment;
    const Result result = run(request);
    if (const auto* finding = std::get_if<Finding>(&result))
        throw MachineError("candidates' files cannot be run on " + device + ": " + finding->message + "\n" +
                           dump(finding->evidence, 1));
    const run::Pack& outputs = std::get<AsWrittenResult>(result).outputs;
    const run::PackEntry* output = outputs.find("output/0");
    float value = 0;
    if (output && output->dtype == plan::DType::f32 && run::Pack::element_count(*output) == 1)
        std::memcpy(&value, outputs.bytes(*output), sizeof value);
    if (value != 1)
        throw MachineError("candidates' files cannot be run on " + device + ": a kernel that stores 1 gave " +
                           std::to_string(value));
}

}  // namespace tritonsmith::judge
