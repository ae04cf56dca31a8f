#include "serve/program/program.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cuda/device_info.h"
#include "engine/device_turns.h"
#include "engine/engine.h"
#include "engine/kv_cache/paged_cache.h"
#include "kernels/kernels.h"
#include "model/dtype_names.h"
#include "model/weights/weight_dtype.h"
#include "serve/server_flags.h"

namespace tritonsmith::serve {
namespace {

constexpr const char* kGpuProgram = "tritonsmith-gpu-engine";
constexpr int kBadInput = 2, kMachineFailed = 3;

struct Flags {
    ServerFlags server;
    std::string model, device = "auto", dtype = "auto", cache_dtype = "auto";
    int max_batch = 0, chunk_tokens = 0, threads = 0;
    int64_t cache_mib = 0;
    bool exact = false;
    std::optional<uint64_t> random_weights;

    void add_to(CLI::App& app) {
        app.add_option("--model", model, "Hugging Face folder: config.json, safetensors, tokenizer.json")
            ->required();
        app.add_option("--device", device, "auto, cpu or cuda:N")->capture_default_str();
        app.add_option("--dtype", dtype,
                       "of weights: auto is bfloat16, or on the CPU float32 or int8 if the file has it; "
                       "float16 is for GPUs, "
                       "float32 and int8 for the CPU, fp8 (e4m3 weights and products) for GPUs from compute "
                       "capability "
                       "8.9 on")
            ->check(CLI::IsMember(model::weight_dtype_choices()))
            ->capture_default_str();
        app.add_option("--max-batch", max_batch,
                       "samples that are decoded in one step (default: 256 on a GPU, 64 on the CPU)")
            ->check(CLI::Range(1, 4096));
        app.add_option(
               "--chunk-tokens", chunk_tokens,
               "tokens of prompts that are computed in one step (default: 8192 on a GPU, 512 on the CPU)")
            ->check(CLI::Range(16, 131072));
        app.add_option(
               "--cache-mib", cache_mib,
               "memory for keys and values (default: all free memory of a GPU, a quarter of the CPU's)")
            ->check(CLI::Range(int64_t{1}, int64_t{1} << 30));
        app.add_option(
               "--cache-dtype", cache_dtype,
               "of keys and values: auto is that of activations; fp8 (e4m3 with a scale for each head of "
               "each token) takes half the memory and is faster (GPUs from compute capability 8.9 on)")
            ->check(CLI::IsMember(model::cache_dtype_choices()))
            ->capture_default_str();
        app.add_option("--threads", threads, "of the CPU (default: one for each core)")
            ->check(CLI::Range(1, 1024));
        app.add_flag("--exact", exact,
                     "a sample is the same bit for bit, whatever else is sampled at the same time (slower on "
                     "a GPU; always the case on the CPU)");
        app.add_option("--random-weights", random_weights,
                       "seed: draw the weights instead of reading them (for benchmarks)");
        server.add_to(app);
    }
};

std::filesystem::path own_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// @param device "cuda:N" @throws MachineError if there is none
cuda::DeviceInfo info_of(const std::string& device) {
    for (const cuda::DeviceInfo& one : cuda::devices())
        if (device == fmt::format("cuda:{}", one.ordinal)) return one;
    throw MachineError("--device " + device + ": there is no such GPU (tritonsmith doctor)");
}

/// "cpu" or "cuda:N".
std::string chosen_device(const std::string& asked) {
    if (asked == "cpu") return asked;
    if (asked == "auto") {
        std::string why;
        const bool usable = !cuda::devices().empty() && std::filesystem::exists(own_folder() / kGpuProgram) &&
                            kernels::find_library(&why);
        return usable ? "cuda:0" : "cpu";
    }
    if (!asked.starts_with("cuda:")) throw InputError("--device " + asked + ": give auto, cpu or cuda:N");
    info_of(asked);
    return asked;
}

at::ScalarType dtype_of(const Flags& flags, const model::Config& config, bool cpu) {
    if (flags.dtype != "auto") return model::weight_dtype(flags.dtype);
    if (cpu && config.int8_matrices) return at::kChar;
    return cpu && config.dtype == "float32" ? at::kFloat : at::kBFloat16;
}

int64_t free_memory_of_machine() {
    return static_cast<int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

std::unique_ptr<engine::Executor> executor_for(const model::Model& model, const Flags& flags, int max_batch,
                                               int chunk_tokens, engine::CacheDtype cache_dtype) {
    if (!model.options().device.is_cpu()) {
        engine::CudaExecutorOptions options;
        options.cache_bytes = flags.cache_mib << 20;
        options.max_batch = max_batch;
        options.chunk_tokens = chunk_tokens;
        options.cache_dtype = cache_dtype;
        const std::string uuid = info_of(fmt::format("cuda:{}", model.options().device.index())).uuid;
        return std::make_unique<engine::DeviceTurns>(make_cuda_executor(model, options), uuid);
    }
    constexpr int block_size = 64;
    const int64_t bytes = flags.cache_mib > 0 ? flags.cache_mib << 20 : free_memory_of_machine() / 4;
    return engine::cpu_executor(model, engine::plan_blocks(model, bytes, block_size, max_batch, 512),
                                block_size);
}

int serve_model(const Flags& flags, const std::string& device) {
    const engine::CacheDtype cache_dtype = engine::parse_cache_dtype(flags.cache_dtype, at::Device(device));
    const bool fp8_cache = cache_dtype == engine::CacheDtype::fp8;
    if (device != "cpu" && (fp8_cache || flags.dtype == "fp8")) {  // refused before a model is loaded
        const cuda::DeviceInfo info = info_of(device);
        model::check_fp8(fp8_cache ? "--cache-dtype fp8" : "--dtype fp8", info.name, info.major, info.minor);
    }
    const auto folder = std::filesystem::path(flags.model);
    const text::Tokenizer tokenizer = text::Tokenizer::load(folder);
    std::optional<text::ChatTemplate> chat;
    std::string no_chat;
    try {
        chat = text::ChatTemplate::load(folder);
    } catch (const InputError& error) {
        no_chat = error.what();  // completions do not need one
    }
    const ModelServerOptions server =
        flags.server.options(std::filesystem::weakly_canonical(folder).filename().string());
    if (flags.threads > 0) at::set_num_threads(flags.threads);

    const model::Config config = model::load_config(folder);
    model::Model::Options options;
    options.device = at::Device(device);
    options.dtype = dtype_of(flags, config, options.device.is_cpu());
    options.exact = flags.exact;
    const model::Model model = flags.random_weights
                                   ? model::Model::random(config, options, *flags.random_weights)
                                   : model::Model::load(folder, options);
    const bool cpu = options.device.is_cpu();
    engine::Engine::Options engine;
    engine.max_batch = flags.max_batch > 0 ? flags.max_batch : cpu ? 64 : 256;
    engine.chunk_tokens = flags.chunk_tokens > 0 ? flags.chunk_tokens : cpu ? 512 : 8192;
    engine.vocabulary = config.vocabulary;
    engine.context_length = config.positions;
    engine.reserve = flags.exact && !cpu;
    auto executor = executor_for(model, flags, engine.max_batch, engine.chunk_tokens, cache_dtype);
    fmt::print(stderr, "{}: {:.0f} M parameters, {} on {}; the cache holds {} tokens ({} MiB)\n",
               server.model_name, static_cast<double>(config.parameters()) / 1e6,
               c10::toString(options.dtype), device,
               static_cast<int64_t>(executor->blocks()) * executor->block_size(),
               engine::block_bytes(model, executor->block_size(), cache_dtype) * executor->blocks() >> 20);
    if (!chat) fmt::print(stderr, "no chat completions: {}\n", no_chat);
    engine::Engine generator(std::move(executor), engine);
    return run_model_server(server, generator, tokenizer, chat ? &*chat : nullptr);
}

int complain(std::string text, int exit_code) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    fmt::print(stderr, "tritonsmith: {}\n", text);
    return exit_code;
}

}  // namespace

int run_engine_program(int argc, char** argv) {
    CLI::App app("Serves a model by OpenAI's API.", "tritonsmith-engine");
    Flags flags;
    flags.add_to(app);
    try {
        app.parse(argc, argv);
        const std::string device = chosen_device(flags.device);
        if (device != "cpu" && !make_cuda_executor) {
            const std::string program = own_folder() / kGpuProgram;
            ::execv(program.c_str(), argv);
            throw MachineError(program + " cannot be started: " + std::strerror(errno));
        }
        return serve_model(flags, device);
    } catch (const CLI::Success& asked) {  // --help
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        return complain(error.what() + std::string(" (see tritonsmith serve model --help)"), kBadInput);
    } catch (const InputError& error) {
        return complain(error.what(), kBadInput);
    } catch (const c10::Error& error) {
        return complain(error.what_without_backtrace(), kMachineFailed);
    } catch (const std::exception& error) {
        return complain(error.what(), kMachineFailed);
    }
}

}  // namespace tritonsmith::serve
