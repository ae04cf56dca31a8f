#include "trace/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <semaphore>
#include <thread>

#include "base/base64.h"
#include "base/json.h"
#include "plan/json.h"
#include "trace/classify.h"
#include "trace/compile_cache.h"
#include "trace/environment.h"
#include "trace/service.h"
#include "trace/supervise.h"

namespace tritonsmith::trace {
namespace {

using Result = std::variant<Compiled, Finding>;

Finding failed(std::string reason, std::string message) {
    return {std::move(reason), std::move(message), 0, Json::object()};
}

/// The frame, or the entry of the cache, as a result; nothing if it is neither.
std::optional<Result> read_compiled(const Json& json) {
    try {
        if (!json.at("ok").get<bool>()) {
            const std::string reason = json.at("reason");
            if (reason != "compile_failed" && reason != "out_of_resources") return std::nullopt;
            return failed(reason, printable(json.at("message"), 4000));
        }
        Compiled compiled;
        compiled.name = json.at("name");
        compiled.num_warps = json.at("num_warps");
        compiled.registers = json.at("registers");
        compiled.spills = json.at("spills");
        compiled.shared = json.at("shared");
        compiled.reorders = json.at("reorders");
        compiled.global_scratch_size = json.at("global_scratch_size");
        compiled.global_scratch_align = json.at("global_scratch_align");
        compiled.tensordesc_meta = json.at("tensordesc_meta");
        const auto cubin = base64_decode(json.at("cubin").get<std::string>());
        if (!cubin || cubin->empty()) return std::nullopt;
        compiled.cubin = *cubin;
        return compiled;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// The same of a question about the order in which the compiled kernel issues memory operations.
std::optional<std::variant<IssueOrder, Finding>> read_order(const Json& json) {
    try {
        if (!json.at("ok").get<bool>()) return failed("compile_failed", printable(json.at("message"), 4000));
        return json.at("issue_order").get<IssueOrder>();
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// How a compile ended that gave no result: it is the kernel's fault, whatever MLIR or ptxas died of.
Finding without_result(const Ending& ending, const Finding& why) {
    if (why.reason == "trace_timeout")
        return failed("compile_timeout", "the compiler did not end within its deadline");
    std::string message = "the compiler failed on this kernel: " + why.message;
    if (!ending.output.empty()) message += "\n" + printable(ending.output, 4000);
    return failed("compile_failed", message);
}

/// One of the compiles that run at a time.
class Turn {
  public:
    explicit Turn(std::counting_semaphore<>& turns) : turns_(turns) { turns_.acquire(); }
    ~Turn() { turns_.release(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    std::counting_semaphore<>& turns_;
};

}  // namespace

struct Compiler::Impl {
    Impl(TracerOptions o, std::string folder)
        : options(std::move(o)),
          cache(std::move(folder)),
          service("compiler", [this](const std::string& home) {
              return package_script(options, "compiler.py", home, false);
          }) {}

    TracerOptions options;
    CompileCache cache;
    Service service;
    /// A tuned kernel asks for hundreds of compiles at once, each of which takes a processor and memory.
    std::counting_semaphore<> turns{
        2 * static_cast<std::ptrdiff_t>(std::max(1U, std::thread::hardware_concurrency()))};

    /// What the service answers to the text, by `answer` (nothing where that cannot read it). @param want "cubin" or
    /// "issue_order"
    template <class Answer>
    std::variant<Answer, Finding> ask(const std::string& want, const std::string& ttir, const std::string& target,
                                      const Json& chosen,
                                      std::optional<std::variant<Answer, Finding>> (*answer)(const Json&),
                                      bool last) {
        Json greeting = service.ready();
        greeting.erase("pid");
        const std::string key =
            fmt::format("3\n{}\n{}\n{}\n{}\n{}", want, greeting.dump(), target, chosen.dump(), ttir);
        if (auto kept = cache.find(key)) {
            if (auto result = answer(*kept)) return *result;
        }
        const Turn turn(turns);
        PrivateFolder folder("tritonsmith-compile");
        Pipe result = make_pipe(), output = make_pipe();
        Allowance allowance;
        allowance.memory = int64_t{8} << 30;
        allowance.files = allowance.written = int64_t{1} << 30;
        allowance.cpu_seconds = options.compile_seconds;
        const auto seconds = options.compile_seconds;
        auto call = service.send({{"want", want},
                                  {"ttir", ttir},
                                  {"target", target},
                                  {"options", chosen},
                                  {"folder", folder.path()},
                                  {"sandbox", options.sandbox},
                                  {"limits", {{"seconds", seconds}}}},
                                 {result.write.get(), output.write.get()});
        result.write.reset();
        output.write.reset();
        allowance.deadline = Clock::now() + 3 * std::chrono::seconds(seconds);  // others want the cores too
        const Ending ending = supervise(*call, result.read.get(), output.read.get(), folder, allowance);
        if (!last && killed_from_outside(ending, allowance)) throw ServiceEnded("the compiler was killed");
        if (auto why = classify(ending, allowance)) return without_result(ending, *why);
        const auto json = parse_untrusted_json(frame_body(ending));
        const auto read = json ? answer(*json) : std::nullopt;
        if (!read) return failed("compile_failed", "the compiler's answer is damaged");
        cache.keep(key, *json);
        return *read;
    }
};

Compiler::Compiler(TracerOptions options, std::string cache_dir)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(cache_dir))) {}
Compiler::~Compiler() = default;

namespace {
Json options_json(const std::map<std::string, plan::Value>& options) {
    Json chosen = Json::object();
    for (const auto& [name, value] : options) chosen[name] = plan::to_json(value);
    return chosen;
}
}  // namespace

Result Compiler::compile(const std::string& ttir, const std::string& target,
                         const std::map<std::string, plan::Value>& options) {
    require_sandbox(impl_->options);
    const Json chosen = options_json(options);
    return persistently(
        [&](bool last) { return impl_->ask<Compiled>("cubin", ttir, target, chosen, read_compiled, last); });
}

std::variant<IssueOrder, Finding> Compiler::issue_order(const std::string& ttir, const std::string& target,
                      const std::map<std::string, plan::Value>& options) {
    require_sandbox(impl_->options);
    const Json chosen = options_json(options);
    return persistently([&](bool last) {
        return impl_->ask<IssueOrder>("issue_order", ttir, target, chosen, read_order, last);
    });
}

}  // namespace tritonsmith::trace
