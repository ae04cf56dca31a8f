#include "judge/services/file_process.h"

#include <mutex>

#include "base/json.h"
#include "trace/classify.h"
#include "trace/environment.h"
#include "trace/service.h"
#include "trace/supervise.h"

namespace tritonsmith::judge {

using Told = std::variant<FileAnswer, Finding>;

struct FileProcess::Impl {
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

    Told once(Json request, int given, const FileLimits& limits, bool last) {
        trace::Service& server = started();
        server.ready();  // the deadline is the program's, not the start's
        trace::PrivateFolder folder("tritonsmith-as-written");
        Pipe result = make_pipe(), output = make_pipe();
        Fd outputs = memory_file("tritonsmith-as-written", limits.output_bytes);
        trace::Allowance allowance;
        allowance.memory = limits.memory_bytes;
        // Compilers beside it, and a thread that waits for the device.
        allowance.cpu_seconds = 4 * std::chrono::duration<double>(limits.deadline).count();
        allowance.files = allowance.written = int64_t{4} << 30;
        allowance.entries = 65536;
        request["folder"] = folder.path();
        request["sandbox"] = options.sandbox;
        request["limits"] = {{"seconds", allowance.cpu_seconds}};
        auto call =
            server.send(std::move(request), {result.write.get(), output.write.get(), given, outputs.get()});
        result.write.reset();
        output.write.reset();
        allowance.deadline = Clock::now() + limits.deadline;
        const trace::Ending ending =
            trace::supervise(*call, result.read.get(), output.read.get(), folder, allowance);
        if (!last && trace::killed_from_outside(ending, allowance))
            throw HelperEnded("the as-written process was killed");
        if (auto why = trace::classify(ending, allowance)) return *why;
        std::optional<Json> answer = parse_untrusted_json(trace::frame_body(ending));
        if (!answer || !answer->is_object())
            return Finding{"trace_protocol", "its answer is damaged", 0, Json::object()};
        return FileAnswer{std::move(*answer), std::move(outputs)};
    }
};

FileProcess::FileProcess(trace::TracerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
FileProcess::~FileProcess() = default;

Told FileProcess::ask(const Json& request, int given, const FileLimits& limits) {
    trace::require_sandbox(impl_->options);
    return ask_until_answered([&](bool last) { return impl_->once(request, given, limits, last); });
}

}  // namespace tritonsmith::judge
