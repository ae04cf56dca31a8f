#include "cli/train/rollout_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "bench/tests/published_check.h"
#include "cli/describe.h"
#include "cuda/device_info.h"
#include "engine/executor/cpu_executor.h"
#include "engine/kv_cache/paged_cache.h"
#include "judge/judge.h"
#ifdef TRITONSMITH_GPU_PROGRAM
#include "engine/device_turns.h"
#include "engine/executor/cuda/executor.h"
#endif

namespace tritonsmith::cli {
namespace {

#ifdef TRITONSMITH_GPU_PROGRAM
std::string uuid_of(const std::string& device) {
    for (const cuda::DeviceInfo& one : cuda::devices())
        if (device == fmt::format("cuda:{}", one.ordinal)) return one.uuid;
    throw MachineError(device + ": there is no such GPU (tritonsmith doctor)");
}
#endif

/// The target of the GPU that candidates are timed on; else the one that prompts name.
std::string target_of(const grpo::Settings& settings) {
    if (settings.judge_device != "cpu")
        for (const cuda::DeviceInfo& one : cuda::devices())
            if (settings.judge_device == fmt::format("cuda:{}", one.ordinal)) return one.target;
    return settings.target;
}

}  // namespace

std::unique_ptr<engine::Executor> rollout_executor(const model::Model& model,
                                                   const grpo::Settings& settings) {
    constexpr int block_size = 64;
    const int64_t bytes = settings.cache_mib << 20;
#ifdef TRITONSMITH_GPU_PROGRAM
    if (model.options().device.is_cuda()) {
        engine::CudaExecutorOptions options;
        options.cache_bytes = bytes;
        options.max_batch = settings.max_batch;
        return std::make_unique<engine::DeviceTurns>(
            engine::cuda_executor(model, options),
            uuid_of(fmt::format("cuda:{}", model.options().device.index())));
    }
#endif
    const int blocks =
        engine::plan_blocks(model, bytes, block_size, settings.max_batch, settings.max_tokens + 1);
    return engine::cpu_executor(model, blocks, block_size);
}

grpo::TakeTurn training_turns([[maybe_unused]] const grpo::Settings& settings) {
#ifdef TRITONSMITH_GPU_PROGRAM
    if (settings.staleness > 0 && settings.device.starts_with("cuda")) {
        const std::string device = settings.device == "cuda" ? "cuda:0" : settings.device;
        const auto lock = std::make_shared<const cuda::DeviceLock>(uuid_of(device));
        return [lock] { return std::make_shared<cuda::DeviceLock::Shared>(*lock); };
    }
#endif
    return {};
}

grpo::JudgeProgram judge_of(const grpo::Settings& settings, bool sandbox) {
    judge::Paths paths = judge::find_paths();
    paths.sandbox = sandbox;
    if (settings.judge_device != "cpu") paths.device = settings.judge_device;
    judge::Options options;
    options.target = target_of(settings);
    options.relaxed = settings.relaxed;
    options.seed = settings.judge_seed;
    options.compile_baseline = settings.compile_baseline;
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.threads = std::max(1, cores / settings.jobs);
    auto judge = std::make_shared<judge::Judge>(paths);
    std::shared_ptr<bench::PublishedCheck> check;
    if (settings.check == grpo::Settings::Check::kernelbench)
        check = std::make_shared<bench::PublishedCheck>(
            bench::TestsJudge::Options{.python = describing_tracer(sandbox),
                                       .device = settings.judge_device == "cpu" ? "" : settings.judge_device,
                                       .seed = settings.judge_seed});
    return [judge, options, check](const task::Task& task, const std::string& program) -> grpo::Judgement {
        judge::Verdict verdict = judge->judge(task, program, "answer", options);
        if (!check || verdict.status == judge::Status::machine_error) return verdict;
        const auto [ran, right] = check->check(task, program);
        return {std::move(verdict), reward::CheckResult{ran, right}};
    };
}

}  // namespace tritonsmith::cli
