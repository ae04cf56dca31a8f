#include "trace/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <semaphore>
#include <thread>

#include "base/base64.h"
#include "base/json.h"
#include "base/text.h"
#include "plan/ir/json.h"
#include "trace/classify.h"
#include "trace/compile_cache.h"
#include "trace/environment.h"
#include "trace/service.h"
#include "trace/supervise.h"

namespace tritonsmith::trace {
namespace {

using Result = std::variant<Compiled, Finding>;

constexpr int64_t kMemory = int64_t{3} << 30;  ///< of one compile; most take a tenth of it

Finding failed(std::string reason, std::string message) {
    return {std::move(reason), std::move(message), 0, Json::object()};
}

/// The frame, or the entry of the cache, as a result; nothing if it is neither.
std::optional<Result> read_compiled(const Json& json) {
    try {
        if (!json.at("ok").get<bool>()) {
            const std::string reason = json.at("reason");
            if (reason != "compile_failed" && reason != "out_of_resources" && reason != "compile_timeout")
                return std::nullopt;
            return failed(reason, printable(json.at("message").get<std::string>(), 4000));
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
        if (!json.at("ok").get<bool>())
            return failed("compile_failed", printable(json.at("message").get<std::string>(), 4000));
        return json.at("issue_order").get<IssueOrder>();
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// What is asked of the service.
struct Question {
    std::string want;  ///< "cubin" or "issue_order"
    std::string ttir, target;
    Json options;
};

/// What one compile may take.
struct Limits {
    double seconds = 60;  ///< of processor time
    bool shared = false;  ///< so few because other kernels of the candidate took the rest
    int64_t memory = kMemory;
};

bool ran_out_of_memory(const Ending& ending) {
    if (ending.stop == Ending::Stop::memory) return true;
    for (const char* words : {"llocate memory", "out of memory", "bad_alloc", "MemoryError"})
        if (ending.output.find(words) != std::string::npos) return true;
    return false;
}

/// How a compile ended that gave no result: it is the kernel's fault, whatever MLIR or ptxas died of.
Finding without_result(const Ending& ending, const Finding& why, const Limits& limits) {
    if (why.reason == "trace_timeout")
        return failed(
            "compile_timeout",
            fmt::format("the compiler did not end within {:.0f} s of processor time", limits.seconds));
    if (ran_out_of_memory(ending))
        return failed("compile_failed",
                      fmt::format("the compiler takes more than {} MiB of memory for this kernel",
                                  limits.memory >> 20));
    const std::string how = ending.signal != 0 ? fmt::format("signal {}", ending.signal)
                                               : fmt::format("exit status {}", ending.status);
    std::string message = "the compiler died on this kernel (" + how + ")";
    if (!ending.output.empty()) message += "\n" + printable(ending.output, 4000);
    return failed("compile_failed", message);
}

Finding nothing_left(const CompileBudget& budget) {
    return failed("compile_timeout",
                  fmt::format("its kernels together take longer to compile than the {:g} s of processor time "
                              "that a candidate has",
                              budget.seconds()));
}

/// 32-bit registers that the largest tensor of a kernel takes in each thread.
int64_t registers_of_largest_tensor(const std::string& ttir, int64_t threads) {
    int64_t most = 0;
    for (size_t at = 0; (at = ttir.find("tensor<", at)) != std::string::npos;) {
        at += 7;
        int64_t elements = 1;
        while (at < ttir.size() && std::isdigit(static_cast<unsigned char>(ttir[at]))) {
            int64_t size = 0;
            for (; at < ttir.size() && std::isdigit(static_cast<unsigned char>(ttir[at])) && size < 1 << 24;
                 ++at)
                size = size * 10 + (ttir[at] - '0');
            if (at == ttir.size() || ttir[at] != 'x' || elements > int64_t{1} << 30) break;
            elements *= size;
            ++at;
        }
        const bool narrow = ttir.compare(at, 3, "f16") == 0 || ttir.compare(at, 4, "bf16") == 0 ||
                            ttir.compare(at, 2, "i1") == 0 || ttir.compare(at, 2, "i8") == 0 ||
                            ttir.compare(at, 2, "f8") == 0;
        if (!narrow) most = std::max(most, elements / std::max<int64_t>(threads, 1));
    }
    return most;
}

/// Why a compile did not end. Where a kernel's tensors cannot be held in registers, that is what is wrong
/// with it; since nobody knows what it would have become, it is no configuration that a tuner drops.
Finding explained(Finding finding, const Question& question, const Limits& limits,
                  const CompileBudget* budget) {
    constexpr int64_t kRegistersOfThread = 255;
    const int64_t threads =
        32 * question.options.value("num_warps", int64_t{4}) * question.options.value("num_ctas", int64_t{1});
    const int64_t registers = registers_of_largest_tensor(question.ttir, threads);
    if (finding.reason == "compile_timeout" && limits.shared) finding = nothing_left(*budget);
    if (registers <= kRegistersOfThread) return finding;
    finding.reason = "out_of_resources";
    finding.message += fmt::format(": a tensor takes {} registers in each of {} threads, which have {}",
                                   registers, threads, kRegistersOfThread);
    finding.evidence["unfinished"] = true;
    return finding;
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

    /// What the service answers to the question, by `answer` (nothing where that cannot read it).
    template <class Answer>
    std::variant<Answer, Finding> ask(const Question& question,
                                      std::optional<std::variant<Answer, Finding>> (*answer)(const Json&),
                                      CompileBudget* budget) {
        Json greeting = service.ready();
        greeting.erase("pid");
        const std::string key = fmt::format("3\n{}\n{}\n{}\n{}\n{}", question.want, dump(greeting),
                                            question.target, dump(question.options), question.ttir);
        if (auto kept = cache.find(key)) {
            if (auto result = answer(*kept)) return *result;
        }
        const Turn turn(turns);
        Limits limits{static_cast<double>(options.compile_seconds)};
        if (budget && budget->left() < limits.seconds) limits = {budget->left(), true};
        if (limits.seconds <= 0 || (budget && budget->cancelled())) return nothing_left(*budget);
        const auto start = Clock::now();
        const Ending ending = run(question, limits, budget);
        Allowance allowance;
        allowance.memory = limits.memory;
        allowance.cpu_seconds = limits.seconds;
        if (killed_from_outside(ending, allowance)) throw HelperEnded("the compiler was killed");
        if (budget)
            budget->take(ending.cpu_seconds, std::chrono::duration<double>(Clock::now() - start).count());
        if (auto why = classify(ending, allowance))
            return explained(without_result(ending, *why, limits), question, limits, budget);
        const auto json = parse_untrusted_json(frame_body(ending));
        if (json && json->value("killed", false)) throw HelperEnded("the assembler was killed");
        auto result = json ? answer(*json) : std::nullopt;
        if (!result) return failed("compile_failed", "the compiler's answer is damaged");
        auto* finding = std::get_if<Finding>(&*result);
        if (finding && finding->reason == "compile_timeout")
            return explained(*finding, question, limits, budget);
        cache.keep(key, *json);
        return *result;
    }

    /// One compile in a child of the service.
    Ending run(const Question& question, const Limits& limits, const CompileBudget* budget) {
        PrivateFolder folder("tritonsmith-compile");
        Pipe result = make_pipe(), output = make_pipe();
        Allowance allowance;
        allowance.memory = limits.memory;
        allowance.files = allowance.written = int64_t{1} << 30;
        allowance.cpu_seconds = limits.seconds;
        allowance.cancelled = budget ? &budget->cancelled() : nullptr;
        auto call = service.send({{"want", question.want},
                                  {"ttir", question.ttir},
                                  {"target", question.target},
                                  {"options", question.options},
                                  {"folder", folder.path()},
                                  {"sandbox", options.sandbox},
                                  {"limits", {{"seconds", limits.seconds}, {"memory", limits.memory}}}},
                                 {result.write.get(), output.write.get()});
        result.write.reset();
        output.write.reset();
        // Others want the cores too.
        allowance.deadline =
            Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(3000 * limits.seconds));
        return supervise(*call, result.read.get(), output.read.get(), folder, allowance);
    }
};

Compiler::Compiler(TracerOptions options, std::string cache_dir)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(cache_dir))) {}
Compiler::Compiler() = default;
Compiler::~Compiler() = default;

namespace {
Json options_json(const std::map<std::string, plan::Value>& options) {
    Json chosen = Json::object();
    for (const auto& [name, value] : options) chosen[name] = plan::to_json(value);
    return chosen;
}
}  // namespace

Result Compiler::compile(const std::string& ttir, const std::string& target,
                         const std::map<std::string, plan::Value>& options, CompileBudget* budget) {
    require_sandbox(impl_->options);
    const Question question{"cubin", ttir, target, options_json(options)};
    return ask_until_answered([&](bool) { return impl_->ask<Compiled>(question, read_compiled, budget); });
}

std::variant<IssueOrder, Finding> Compiler::issue_order(const std::string& ttir, const std::string& target,
                                                        const std::map<std::string, plan::Value>& options,
                                                        CompileBudget* budget) {
    require_sandbox(impl_->options);
    const Question question{"issue_order", ttir, target, options_json(options)};
    return ask_until_answered([&](bool) { return impl_->ask<IssueOrder>(question, read_order, budget); });
}

}  // namespace tritonsmith::trace
