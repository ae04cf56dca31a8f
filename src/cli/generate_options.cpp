#include "cli/command.h"
#include "cli/generate.h"
#include "model/dtype_names.h"

namespace tritonsmith::cli {

void GenerateFlags::add_to(CLI::App& command) {
    command.add_option("task", task, "KernelBench-style .py file, or FILE.jsonl#ID")->required();
    command
        .add_option("--smith", smith,
                    "who writes the kernel: forge (tritonsmith itself), model, endpoint, or all: the forge and what is given, "
                    "and the best is taken (default: a model where one is given)")
        ->check(CLI::IsMember({"forge", "model", "endpoint", "all"}));
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
    command.add_option("--samples", samples, "answers to ask for")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command
        .add_option("--rounds", rounds,
                    "while nothing is accepted, answer the judge's feedback: rounds in all")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command
        .add_option("--prompt", prompt,
                    "what the model sees of the task: its code, its card (docs/card.md), or both")
        ->check(CLI::IsMember({"code", "card", "both"}))
        ->capture_default_str();
    command.add_option("-o,--output", output, "the kernel goes there, if one is verified (default: stdout)");
    command.add_option(
        "--record", record,
        "where answers and verdicts are kept, to go on after an interruption (default: beside the output)");
    command.add_flag("--json", json, kJsonHelp);
    command.add_flag("--dry-run", dry_run,
                     "print the messages that the model would get, as JSON; of the forge the kernel, not judged");
    command.add_flag("--explain", explain, "without a model: print the task's operators, the kernels they become, and the schedules tried");
    command
        .add_option("--budget", budget,
                    "without a model, on a GPU: seconds in which other schedules are judged and timed (default: 0)")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command.add_option("--temperature", temperature, "of sampling (default: the endpoint's)")
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
    command.add_option("--jobs", jobs, "candidates judged at a time (default: one per core and a few more)")
        ->check(CLI::Range(1, 1024));
    command.add_option("--model-device", model_device, "where the model runs (default: as --device)");
    command.add_option("--dtype", dtype, "of the model's weights (serve model --help explains them)")
        ->check(CLI::IsMember(model::weight_dtype_choices()))
        ->needs(folder)
        ->capture_default_str();
    command.add_option("--cache-dtype", cache_dtype, "of the model's keys and values")
        ->check(CLI::IsMember(model::cache_dtype_choices()))
        ->needs(folder)
        ->capture_default_str();
    judge.add_to(command);
}

}  // namespace tritonsmith::cli
