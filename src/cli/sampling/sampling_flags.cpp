#include "cli/sampling/sampling_flags.h"

#include <filesystem>

#include "base/error.h"
#include "model/dtype_names.h"

namespace tritonsmith::cli {

void SamplingFlags::add_sampling_to(CLI::App& command) {
    auto* folder = command.add_option(
        "--model", model, "folder of a model (Hugging Face's layout), which runs on this machine");
    auto* url = command.add_option("--endpoint", endpoint,
                                   "base URL of an OpenAI-compatible API, as in https://api.example.com/v1");
    folder->excludes(url);
    command.add_option("--model-name", model_name,
                       "what the endpoint calls the model (default: its only one)");
    command.add_option("--api-key-env", key_variable,
                       "environment variable with the endpoint's key (default: OPENAI_API_KEY)");
    command.add_option("--api-key-file", key_file, "file whose first line is the key");
    command
        .add_option("--prompt", prompt,
                    "what the model sees of the task: its code, its card (docs/card.md), or both")
        ->check(CLI::IsMember({"code", "card", "both"}))
        ->capture_default_str();
    command.add_option("--temperature", temperature, "of sampling (default: the model's)")
        ->check(CLI::Range(0.0, 2.0));
    command.add_option("--top-p", top_p, "of sampling (default: the endpoint's)")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--max-tokens", max_tokens, "of an answer; 0: the endpoint's default")
        ->check(CLI::Range(0, 1 << 24))
        ->capture_default_str();
    command.add_option("--sample-seed", sample_seed, "fixes the samples, where the endpoint honours seeds");
    command.add_option("--extra", extra,
                       "further fields of requests as a JSON object, as in '{\"top_k\": 20}'");
    command.add_option("--concurrency", concurrency, "requests to an endpoint at a time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--attempts", attempts, "of a request that fails")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option("--request-timeout", request_seconds,
                    "seconds that one request may take (default: 1800; none with --model)")
        ->check(CLI::Range(0.1, 1e7));
    command
        .add_option("--time-limit", time_limit, "seconds in which all answers must have come (default: none)")
        ->check(CLI::Range(0.1, 1e7));
    command.add_option("--model-device", model_device, "where the model runs (default: as --device)");
    command.add_option("--dtype", dtype, "of the model's weights (serve model --help explains them)")
        ->check(CLI::IsMember(model::weight_dtype_choices()))
        ->needs(folder)
        ->capture_default_str();
    command.add_option("--cache-dtype", cache_dtype, "of the model's keys and values")
        ->check(CLI::IsMember(model::cache_dtype_choices()))
        ->needs(folder)
        ->capture_default_str();
}

void SamplingFlags::check() const {
    if (local() && !std::filesystem::is_directory(model))
        throw InputError("--model " + model + ": no such folder");
}

Json SamplingFlags::more() const {
    if (extra.empty()) return Json::object();
    const std::optional<Json> fields = parse_untrusted_json(extra);
    if (!fields || !fields->is_object())
        throw InputError("--extra: give one JSON object, as in '{\"top_k\": 20}'");
    return *fields;
}

Json SamplingFlags::sampling() const {
    return {{"temperature", temperature ? Json(*temperature) : Json()},
            {"top_p", top_p ? Json(*top_p) : Json()},
            {"max_tokens", max_tokens},
            {"seed", sample_seed ? Json(*sample_seed) : Json()},
            {"more", more()}};
}

}  // namespace tritonsmith::cli
