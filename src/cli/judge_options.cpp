#include "cli/judge_options.h"

#include <cmath>
#include <map>

#include "base/error.h"
#include "cuda/device_info.h"

namespace tritonsmith::cli {

void JudgeFlags::add_to(CLI::App& command) {
    command.add_option("--device", device, "where the kernels run: auto, cpu or cuda:N")
        ->capture_default_str();
    command.add_option("--target", target,
                       "GPU that kernels are traced and compiled for: sm_80, sm_90 or sm_100 (default: the "
                       "device's, else sm_90)");
    command.add_flag(
        "--strict-state", strict_state,
        "reject modules whose buffers are not updated as the reference's, or that copy weights when built");
    command
        .add_option(
            "--require", require,
            "reject what is not checked as far: sampled (elements at full size), or full (all of them)")
        ->check(CLI::IsMember({"sampled", "full"}));
    command.add_flag("--relaxed", relaxed, "allow PyTorch operators beside the candidate's own kernels");
    command.add_flag("--no-timing", no_timing, "leave out the timing stage (GPU only)");
    auto either = [&command](const std::string& name, std::optional<bool>& value, const std::string& help) {
        command.add_flag_callback(
            "--" + name, [&value] { value = true; }, help);
        command.add_flag_callback("--no-" + name, [&value] { value = false; });
    };
    either("as-written", as_written,
           "run the file itself once, sandboxed on the GPU: it must do what its plan does (default for one "
           "file)");
    either("compile-baseline", compile_baseline,
           "time the reference under torch.compile as well (default for one file)");
    command.add_flag("--allow-prepack", prepack,
                     "what construction computes from weights is not part of the timed calls");
    command
        .add_option("--timing-budget", timing_seconds, "seconds that the timed calls of a candidate may take")
        ->capture_default_str()
        ->check(CLI::Range(0.01, 3600.0));
    command.add_option("--shrink", shrink,
                       "bytes that inputs, weights and outputs may take on a CPU (default 4MiB)");
    command.add_option("--threads", threads, "interpreter threads (default: one per core)")
        ->check(CLI::Range(1, 1024));
    command.add_option("--seed", seed, "fixes the hidden inputs (default: drawn for each run)");
    command.add_option("--tolerance", tolerance,
                       "the task's tolerance, relative (default 1e-4 for float32, 1e-2 for narrower types)");
    command
        .add_option("--precision", precision,
                    "of float32 products and convolutions: default (PyTorch's: TF32 in convolutions only), "
                    "ieee, or tf32 (in both, by KernelBench's tolerance of 1e-2)")
        ->capture_default_str();
    command
        .add_option("--deadline", deadline,
                    "seconds that the interpreted runs of a candidate may take together (default 180)")
        ->check(CLI::Range(0.1, 1e6));
    command
        .add_option(
            "--compile-budget", compile_budget,
            "seconds of processor time that all kernels of a candidate may take to compile (default 180)")
        ->check(CLI::Range(1.0, 1e6));
    command.add_flag("--unsafe-no-sandbox", unsafe_no_sandbox,
                     "trace without confinement, where the kernel lacks seccomp");
}

int64_t parse_bytes(const std::string& text, const std::string& option) {
    static const std::map<std::string, double> units = {{"", 1},         {"B", 1},       {"KB", 1e3},
                                                        {"MB", 1e6},     {"GB", 1e9},    {"KiB", 0x1p10},
                                                        {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    size_t used = 0;
    double number = 0;
    try {
        number = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    auto unit = units.find(text.substr(used));
    if (used == 0 || unit == units.end() || !(number > 0) || number * unit->second > 0x1p50)
        throw InputError(option + " '" + text + "': give bytes, as in 33554432 or 32MiB");
    return static_cast<int64_t>(std::llround(number * unit->second));
}

std::string JudgeFlags::resolve_device() {
    const bool cuda = device.starts_with("cuda:") && device.size() > 5 && device.size() < 10 &&
                      device.find_first_not_of("0123456789", 5) == std::string::npos;
    if (device != "auto" && device != "cpu" && device != "emulated" && !cuda)
        throw InputError("--device '" + device + "': give auto, cpu or cuda:N");
    if (device == "cpu") return "";
    if (device == "emulated") return device;
    const std::vector<cuda::DeviceInfo> found = cuda::devices();
    const size_t wanted = device == "auto" ? 0 : std::stoul(device.substr(5));
    if (wanted >= found.size()) {
        if (device == "auto") return "";
        throw MachineError("--device " + device + ": this machine has " + std::to_string(found.size()) +
                           " NVIDIA GPUs with a driver (tritonsmith doctor says more); use --device cpu");
    }
    // A compiled kernel runs on devices of its own major version only.
    const std::string same = found[wanted].major == 8    ? "sm_80"
                             : found[wanted].major == 9  ? "sm_90"
                             : found[wanted].major == 10 ? "sm_100"
                                                         : "";
    if (same.empty())
        throw MachineError("--device " + device + ": " + found[wanted].name + " is " + found[wanted].target +
                           "; kernels are judged on sm_8x, sm_90 and sm_10x; use --device cpu");
    if (target.empty()) target = same;
    if (target != same)
        throw InputError("--target " + target + " does not run on " + found[wanted].name + " (" +
                         found[wanted].target + "): leave --target out, or use --device cpu");
    return "cuda:" + std::to_string(wanted);
}

judge::Options JudgeFlags::options(bool one_file) const {
    const std::string target = this->target.empty() ? "sm_90" : this->target;
    static const char* const targets[] = {"sm_80", "sm_90", "sm_100"};
    if (std::find(std::begin(targets), std::end(targets), target) == std::end(targets))
        throw InputError("--target '" + target + "': give sm_80, sm_90 or sm_100");
    if (tolerance < 0 || tolerance > 1) throw InputError("--tolerance: give a number between 0 and 1");
    const std::optional<numerics::Precision> chosen = numerics::precision_from_name(precision);
    if (!chosen) throw InputError("--precision '" + precision + "': give default, ieee or tf32");
    judge::Options options;
    options.precision = *chosen;
    options.target = target;
    options.timing = !no_timing;
    options.as_written = as_written.value_or(one_file);
    options.compile_baseline = compile_baseline.value_or(one_file);
    options.prepack = prepack;
    options.timing_seconds = timing_seconds;
    options.relaxed = relaxed;
    options.strict_state = strict_state;
    if (!require.empty())
        options.require = require == "full" ? judge::Checked::full : judge::Checked::sampled;
    options.threads = threads;
    options.seed = seed;
    if (!shrink.empty()) options.shrink_bytes = parse_bytes(shrink, "--shrink");
    if (deadline > 0) options.candidate_seconds = deadline;
    if (compile_budget > 0) options.compile_seconds = compile_budget;
    if (tolerance > 0) options.tolerance = {tolerance, tolerance};
    return options;
}

}  // namespace tritonsmith::cli
