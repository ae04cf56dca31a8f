#include "cli/generate.h"

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/hash.h"
#include "base/json.h"
#include "base/process/files.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/generate_forge.h"
#include "cli/generate_report.h"
#include "cuda/device_info.h"
#include "generate/engine_process.h"
#include "generate/run.h"
#include "text/prompt/prompt.h"

namespace tritonsmith::cli {

namespace {

std::atomic<bool> cancelled = false;

/// The first Ctrl-C ends the work in good order, the second one the program.
void on_interrupt(int signal) {
    cancelled = true;
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(signal, &usual, nullptr);
}

void watch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

void check(const GenerateFlags& flags) {
    if (flags.dry_run) return;
    if (!flags.model.empty() && !std::filesystem::is_directory(flags.model))
        throw InputError("--model " + flags.model + ": no such folder");
}

/// The task's card. Beside the task's text it may be missing: a task that cannot be traced is not judged
/// either.
std::string card_of(const GenerateFlags& flags, const task::Task& task, const std::string& target) {
    const auto described = describe_task(task, target, !flags.judge.unsafe_no_sandbox);
    if (const auto* card = std::get_if<graph::Card>(&described)) return card->text;
    if (flags.prompt == "card")
        throw InputError(
            fmt::format("--prompt card: {}: {}", task.display, std::get<Finding>(described).message));
    return "";
}

endpoint::ChatRequest request_of(const GenerateFlags& flags, const task::Task& task,
                                 const std::string& target) {
    endpoint::ChatRequest request;
    text::KernelRequest kernel{task.source, "", task.entry, target, flags.judge.relaxed};
    if (flags.prompt != "code") kernel.card = card_of(flags, task, target);
    if (flags.prompt == "card") kernel.source.clear();
    request.messages = text::kernel_prompt(kernel);
    request.temperature = flags.temperature;
    request.top_p = flags.top_p;
    if (flags.max_tokens > 0) request.max_tokens = flags.max_tokens;
    request.seed = flags.sample_seed;
    if (!flags.extra.empty()) {
        const std::optional<Json> extra = parse_untrusted_json(flags.extra);
        if (!extra || !extra->is_object())
            throw InputError("--extra: give one JSON object, as in '{\"top_k\": 20}'");
        request.more = *extra;
    }
    return request;
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

/// Where samples are kept: beside the output, or where the user says; nowhere without either.
std::filesystem::path record_path(const GenerateFlags& flags) {
    if (!flags.record.empty()) return flags.record;
    if (flags.output.empty()) return "";
    std::filesystem::path path = flags.output;
    return path.replace_extension(".samples.jsonl");
}

int finish(const generate::Outcome& out, const task::Task& task, const GenerateFlags& flags,
           const std::string& model, double seconds) {
    if (out.best && !flags.output.empty()) write_file(flags.output, out.best->code);
    if (flags.json)
        print_json(generate_json(out, task, flags, model, seconds));
    else if (out.best && flags.output.empty())
        print(out.best->code);
    const std::string tally = fmt::format("{} answers, {} different programs: {}", out.answers, out.programs,
                                          describe_counts(out.reasons));
    if (out.best) {
        if (!out.failure.empty()) fmt::print(stderr, "not all answers came: {}\n", out.failure);
        fmt::print(stderr, "a verified kernel for {}{}: {} ({})\n", task.display,
                   flags.output.empty() ? "" : " in " + flags.output, describe_attempt(*out.best), tally);
        return out.cancelled ? kInterrupted : kDone;
    }
    if (out.cancelled) {
        const std::string record = record_path(flags);
        fmt::print(stderr, "interrupted; {}{}\n", tally,
                   record.empty() ? "" : "; the same command goes on with " + record);
        return kInterrupted;
    }
    if (!out.failure.empty()) {
        if (out.failure_is_input) throw InputError(out.failure);
        throw MachineError(out.failure);
    }
    if (out.unjudgeable) {
        fmt::print(stderr, "{} cannot be judged, whatever the kernel: {}\n", task.display, tally);
        return kUnjudgeable;
    }
    fmt::print(stderr, "no verified kernel for {}: {}\n", task.display, tally);
    return kRejected;
}

/// For the model's engine. Where the judge works on the same GPU, keys and values must not take all that is
/// free there.
std::vector<std::string> engine_arguments(const GenerateFlags& flags, const std::string& judge_device) {
    const std::string device = !flags.model_device.empty()  ? flags.model_device
                               : judge_device == "emulated" ? "cpu"
                               : judge_device.empty()       ? "cpu"
                                                            : judge_device;
    std::vector<std::string> out = {
        "--device",       device,          "--model-name",
        flags.model_name, "--max-n",       std::to_string(std::max(128, flags.samples)),
        "--max-requests", "1024",          "--dtype",
        flags.dtype,      "--cache-dtype", flags.cache_dtype};
    for (const cuda::DeviceInfo& one : cuda::devices()) {
        if (device != judge_device || device != fmt::format("cuda:{}", one.ordinal)) continue;
        out.push_back("--cache-mib");
        out.push_back(std::to_string(std::max<int64_t>(1024, one.memory_bytes >> 22)));  // a quarter
    }
    return out;
}

/// Without a model the forge writes the kernel; the messages that a model would get can be seen without one.
bool by_forge(const GenerateFlags& flags) {
    const bool model = !flags.model.empty() || !flags.endpoint.empty();
    if (flags.smith == "endpoint" && flags.endpoint.empty() && !flags.dry_run) throw InputError("--smith endpoint takes --endpoint URL");
    if (flags.smith == "all" && !model) throw InputError("--smith all takes --model DIR or --endpoint URL beside the forge");
    if (flags.smith == "forge" && model) throw InputError("--smith forge takes neither --model nor --endpoint");
    if (flags.smith == "model" && !model && !flags.dry_run)
        throw InputError("--smith model takes --model DIR or --endpoint URL (see tritonsmith generate --help)");
    return flags.smith == "forge" || (flags.smith.empty() && !model && !flags.dry_run);
}

/// The forge's program beside a model's best: the faster one, where nothing is measured the forge's.
void add_forged(const generate::Attempt& forged, generate::Outcome& out) {
    ++out.judged;
    ++out.programs;
    ++out.reasons[forged.reason()];
    if (forged.accepted() && (!out.best || forged.speedup() >= out.best->speedup())) out.best = forged;
}

int run_generate(GenerateFlags& flags) {
    if (by_forge(flags)) return generate_by_forge(flags);
    check(flags);
    const task::Task task = task::load(flags.task);
    const std::string device = flags.dry_run ? "" : flags.judge.resolve_device();
    generate::RunOptions options;
    options.judging.judge = flags.judge.options(false);
    options.request = request_of(flags, task, options.judging.judge.target);
    Json messages = Json::array();
    for (const text::Message& m : options.request.messages)
        messages.push_back({{"role", m.role}, {"content", m.content}});
    if (flags.dry_run) {
        print_json(messages);
        return kDone;
    }
    const Clock::time_point begin = Clock::now();
    watch_interrupts();

    endpoint::ClientOptions client_options;
    client_options.cancel = &cancelled;
    client_options.request_seconds = flags.request_seconds.value_or(flags.model.empty() ? 1800 : 1e7);
    client_options.retry.attempts = flags.attempts;
    if (flags.time_limit > 0)
        client_options.deadline =
            begin + std::chrono::milliseconds(static_cast<int64_t>(flags.time_limit * 1e3));
    std::optional<generate::Attempt> forged;
    if (flags.smith == "all") forged = attempt_by_forge(flags, task, device);
    std::optional<generate::EngineProcess> engine;
    const bool local = !flags.model.empty();
    if (local) {
        if (flags.model_name.empty())
            flags.model_name = std::filesystem::weakly_canonical(flags.model).filename().string();
        fmt::print(stderr, "reading the model in {}\n", flags.model);
        engine.emplace(
            generate::EngineProcess::Options{flags.model, engine_arguments(flags, device), 1800, &cancelled});
        client_options.address = engine->address();
        client_options.concurrency = 1024;  // the engine makes its own batches
        options.requests = 1;               // samples of one request share the prompt's keys and values
    } else {
        client_options.address = endpoint::parse_address(flags.endpoint);
        client_options.key = endpoint::find_key(flags.key_variable, flags.key_file, client_options.address);
        client_options.concurrency = options.requests = flags.concurrency;
    }
    GenerateDisplay* display = nullptr;
    client_options.on_note = [&display](const std::string& text) {
        if (display)
            display->line(text);
        else
            fmt::print(stderr, "{}\n", text);
    };
    endpoint::Client client(client_options);
    if (flags.model_name.empty()) flags.model_name = only_model(client);
    options.request.model = flags.model_name;

    judge::Paths paths = judge::find_paths();
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    paths.device = device;
    options.samples = flags.samples;
    options.rounds = flags.rounds;
    options.cancel = &cancelled;
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.judging.jobs = std::min(flags.jobs > 0 ? flags.jobs : cores + (cores + 3) / 4, flags.samples);
    if (options.judging.judge.threads == 0)
        options.judging.judge.threads = std::max(1, cores / options.judging.jobs);
    if (!device.empty()) options.confirm = flags.judge.options(true);

    const judge::Options& judging = options.judging.judge;
    generate::Record record(
        record_path(flags),
        {task.id,
         sha256(task.source),
         sha256(dump(messages)),
         flags.model_name,
         {{"temperature", options.request.temperature ? Json(*options.request.temperature) : Json()},
          {"top_p", options.request.top_p ? Json(*options.request.top_p) : Json()},
          {"max_tokens", flags.max_tokens},
          {"seed", flags.sample_seed ? Json(*flags.sample_seed) : Json()},
          {"more", options.request.more}},
         {{"device", device},
          {"target", judging.target},
          {"relaxed", judging.relaxed},
          {"tolerance", flags.judge.tolerance},
          {"precision", flags.judge.precision}}});
    if (!record.kept().empty())
        fmt::print(stderr, "{} has {} answers of an earlier run\n", record_path(flags).string(),
                   record.kept().size());
    judge::Judge judge(paths);
    generate::Outcome out;
    {
        GenerateDisplay shown(flags.rounds > 1 ? 0 : flags.samples);
        display = &shown;
        options.on_verdict = [&](const generate::Attempt& attempt) { shown.verdict(attempt); };
        options.on_news = [&](int answers, size_t bytes) { shown.news(answers, bytes); };
        out = generate::run(options, client, judge, task, record);
        display = nullptr;
    }
    if (out.best) out.best->verdict["evidence"]["origin"] = {{"smith", local ? "model" : "endpoint"}, {"name", flags.model_name}, {"round", out.best->round}, {"sample", out.best->sample}};
    if (forged) add_forged(*forged, out);
    return finish(out, task, flags, flags.model_name,
                  std::chrono::duration<double>(Clock::now() - begin).count());
}

}  // namespace

void add_generate_itself(CLI::App& app, int& exit_code) {
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command = app.add_subcommand("generate", generate_help);
    flags->add_to(*command);
    command->callback([flags, &exit_code] {
        try {
            exit_code = run_generate(*flags);
        } catch (const endpoint::Cancelled&) {  // before there was anything to keep
            exit_code = kInterrupted;
        }
    });
}

}  // namespace tritonsmith::cli
