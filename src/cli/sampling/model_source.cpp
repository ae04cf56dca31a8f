#include "cli/sampling/model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cuda/device_info.h"

namespace tritonsmith::cli {
namespace {

std::vector<std::string> engine_arguments(const SamplingFlags& flags, const std::string& name,
                                          const ModelSource::Options& options) {
    const bool judges_on_cpu = options.device.empty() || options.device == "emulated";
    const std::string device = !flags.model_device.empty() ? flags.model_device
                               : judges_on_cpu             ? "cpu"
                                                           : options.device;
    std::vector<std::string> out = {"--device",       device,
                                    "--model-name",   name,
                                    "--max-n",        std::to_string(std::max(128, options.most_samples)),
                                    "--max-requests", "1024",
                                    "--dtype",        flags.dtype,
                                    "--cache-dtype",  flags.cache_dtype};
    for (const cuda::DeviceInfo& one : cuda::devices()) {
        if (!options.judging || device != options.device || device != fmt::format("cuda:{}", one.ordinal))
            continue;
        out.push_back("--cache-mib");
        out.push_back(std::to_string(std::max<int64_t>(1024, one.memory_bytes >> 22)));  // a quarter
    }
    return out;
}

std::string only_model(endpoint::Client& client) {
    const std::vector<std::string> names = client.models();
    if (names.size() == 1) return names[0];
    std::string list;
    for (size_t i = 0; i < std::min<size_t>(names.size(), 10); ++i) list += (i ? ", " : "") + names[i];
    throw InputError(fmt::format("endpoint {} has {} models: name one with --model-name{}",
                                 client.address().text(), names.size(),
                                 list.empty() ? "" : " (" + list + (names.size() > 10 ? ", ..." : "") + ")"));
}

}  // namespace

ModelSource::ModelSource(const SamplingFlags& flags, const Options& options) : name_(flags.model_name) {
    endpoint::ClientOptions client;
    client.cancel = options.cancel;
    client.on_note = options.on_note;
    client.request_seconds = flags.request_seconds.value_or(flags.local() ? 1e7 : 1800);
    client.retry.attempts = flags.attempts;
    if (flags.time_limit > 0)
        client.deadline =
            Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(flags.time_limit * 1e3));
    if (flags.local()) {
        if (name_.empty()) name_ = std::filesystem::weakly_canonical(flags.model).filename().string();
        fmt::print(stderr, "reading the model in {}\n", flags.model);
        engine_.emplace(generate::EngineProcess::Options{flags.model, engine_arguments(flags, name_, options),
                                                         1800, options.cancel});
        client.address = engine_->address();
        client.concurrency = 1024;  // the engine makes its own batches
    } else {
        client.address = endpoint::parse_address(flags.endpoint);
        client.key = endpoint::find_key(flags.key_variable, flags.key_file, client.address);
        client.concurrency = flags.concurrency;
    }
    client_.emplace(client);
    if (name_.empty()) name_ = only_model(*client_);
}

}  // namespace tritonsmith::cli
