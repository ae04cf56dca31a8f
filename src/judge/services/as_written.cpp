#include "judge/services/as_written.h"

#include <fcntl.h>

#include <cstring>
#include <mutex>

#include "base/json.h"
#include "base/process/process.h"
#include "base/text.h"
#include "plan/ir/json.h"
#include "trace/classify.h"
#include "trace/environment.h"
#include "trace/service.h"
#include "trace/supervise.h"

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

/// The outputs as they are now, for good: the child is gone, and nobody else may hold the file writable.
run::Pack sealed(Fd file, const Json& index) {
    if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE) != 0)
        throw InputError(std::string("its memory file cannot be sealed: ") + std::strerror(errno));
    return run::Pack(file.release(), index);
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

struct AsWritten::Impl {
    explicit Impl(trace::TracerOptions o) : options(std::move(o)) {}

    trace::TracerOptions options;
    std::mutex mutex;
    std::unique_ptr<trace::Service> service;

    trace::Service& started() {
        std::lock_guard lock(mutex);
        if (!service)
            service = std::make_unique<trace::Service>("as-written", [this](const std::string& home) {
                return trace::with_gpu(trace::package_script(options, "as_written.py", home, false));
            });
        return *service;
    }

    Result once(const AsWrittenRequest& request, bool last) {
        trace::Service& server = started();
        server.ready();  // the deadline is the program's, not the start's
        trace::PrivateFolder folder("tritonsmith-as-written");
        Pipe result = make_pipe(), output = make_pipe();
        Fd outputs = memory_file("tritonsmith-as-written", request.output_bytes);
        const double seconds = std::chrono::duration<double>(request.deadline).count();
        trace::Allowance allowance;
        allowance.memory = request.memory_bytes;
        allowance.cpu_seconds = 4 * seconds;  // compilers beside it, and a thread that waits for the device
        allowance.files = allowance.written = int64_t{4} << 30;
        allowance.entries = 65536;
        auto call = server.send({{"source", request.source},
                                 {"filename", request.filename},
                                 {"entry", request.entry},
                                 {"device", request.device},
                                 {"inputs", values(request.inputs)},
                                 {"init_inputs", values(request.init_inputs)},
                                 {"index", request.given->index()},
                                 {"links", request.links},
                                 {"seed", request.seed},
                                 {"folder", folder.path()},
                                 {"sandbox", options.sandbox},
                                 {"limits", {{"seconds", allowance.cpu_seconds}}}},
                                {result.write.get(), output.write.get(), request.given->fd(), outputs.get()});
        result.write.reset();
        output.write.reset();
        allowance.deadline = Clock::now() + request.deadline;
        const trace::Ending ending =
            trace::supervise(*call, result.read.get(), output.read.get(), folder, allowance);
        if (!last && trace::killed_from_outside(ending, allowance))
            throw HelperEnded("the as-written process was killed");
        if (auto why = trace::classify(ending, allowance)) return of_ending(*why);
        return read(ending, std::move(outputs));
    }

    /// A child's whole frame.
    static Result read(const trace::Ending& ending, Fd outputs) {
        const std::optional<Json> answer = parse_untrusted_json(trace::frame_body(ending));
        if (!answer || !answer->is_object()) return failed("trace_protocol", "its answer is damaged");
        try {
            if (!answer->at("ok").get<bool>()) return of_answer(*answer);
            AsWrittenResult result;
            result.seconds = answer->at("seconds").get<double>();
            result.unlinked_draws = answer->at("unlinked_draws").get<int64_t>();
            result.derived = answer->at("derived").get<bool>();
            result.outputs = sealed(std::move(outputs), answer->at("outputs"));
            return result;
        } catch (const Json::exception& error) {
            return failed("trace_protocol", std::string("its answer is damaged: ") + error.what());
        } catch (const InputError& error) {
            return failed("trace_protocol", printable(error.what(), 500));
        }
    }
};

AsWritten::AsWritten(trace::TracerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
AsWritten::~AsWritten() = default;

Result AsWritten::run(const AsWrittenRequest& request) {
    trace::require_sandbox(impl_->options);
    return ask_until_answered([&](bool last) { return impl_->once(request, last); });
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
