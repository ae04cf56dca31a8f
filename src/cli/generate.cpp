#include "cli/generate.h"

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "base/hash.h"
#include "base/json.h"
#include "base/process/files.h"
#include "base/process/interrupts.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/generate_forge.h"
#include "cli/generate_report.h"
#include "cli/sampling/model_source.h"
#include "cli/sampling/shipped_model.h"
#include "cli/sampling/task_request.h"
#include "generate/run.h"

namespace tritonsmith::cli {

namespace {

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

/// Without a model the forge writes the kernel; the messages that a model would get can be seen without one.
bool by_forge(GenerateFlags& flags) {
    if (flags.smith == "endpoint" && flags.endpoint.empty() && !flags.dry_run)
        throw InputError("--smith endpoint takes --endpoint URL");
    if (flags.smith == "forge" && flags.any())
        throw InputError("--smith forge takes neither --model nor --endpoint");
    if ((flags.smith == "all" || flags.smith == "model") && !flags.any() && !flags.dry_run)
        flags.model = shipped_model();
    return flags.smith == "forge" || (flags.smith.empty() && !flags.any() && !flags.dry_run);
}

/// The forge's kernel; where it has none that is verified, and nobody chose who writes, the shipped model is
/// asked.
std::optional<int> forge_first(GenerateFlags& flags) {
    const bool model_next = flags.smith.empty() && shipped_model_is_ready();
    const std::optional<int> code = generate_by_forge(flags, model_next);
    if (!code) flags.model = shipped_model();
    return code;
}

/// The forge's program beside a model's best: the faster one, where nothing is measured the forge's.
void add_forged(const generate::Attempt& forged, generate::Outcome& out) {
    ++out.judged;
    ++out.programs;
    ++out.reasons[forged.reason()];
    if (forged.accepted() && (!out.best || forged.speedup() >= out.best->speedup())) out.best = forged;
}

int run_generate(GenerateFlags& flags) {
    if (by_forge(flags))
        if (const std::optional<int> code = forge_first(flags)) return *code;
    if (!flags.dry_run) flags.check();
    const task::Task task = task::load(flags.task);
    const std::string device = flags.dry_run ? "" : flags.judge.resolve_device();
    generate::RunOptions options;
    options.judging.judge = flags.judge.options(false);
    std::string card;
    if (flags.prompt != "code") {
        trace::Tracer tracer(describing_tracer(!flags.judge.unsafe_no_sandbox));
        card = card_text(task, options.judging.judge.target, tracer, flags.prompt == "card");
    }
    options.request = task_request(flags, task, {options.judging.judge.target, flags.judge.relaxed}, card);
    Json messages = Json::array();
    for (const text::Message& m : options.request.messages)
        messages.push_back({{"role", m.role}, {"content", m.content}});
    if (flags.dry_run) {
        print_json(messages);
        return kDone;
    }
    const Clock::time_point begin = Clock::now();
    const Interrupts interrupts;
    std::optional<generate::Attempt> forged;
    if (flags.smith == "all") forged = attempt_by_forge(flags, task, device);
    GenerateDisplay* display = nullptr;
    ModelSource source(flags,
                       {flags.samples, device, true, &interrupts.flag(), [&display](const std::string& text) {
                            if (display)
                                display->line(text);
                            else
                                fmt::print(stderr, "{}\n", text);
                        }});
    flags.model_name = options.request.model = source.name();
    options.requests =
        flags.local() ? 1 : flags.concurrency;  // samples of one request share the prompt's keys and values

    judge::Paths paths = judge::find_paths();
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    paths.device = device;
    options.samples = flags.samples;
    options.rounds = flags.rounds;
    options.first = device.empty() && flags.local();
    options.cancel = &interrupts.flag();
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.judging.jobs = std::min(flags.jobs > 0 ? flags.jobs : cores + (cores + 3) / 4, flags.samples);
    if (options.judging.judge.threads == 0)
        options.judging.judge.threads = std::max(1, cores / options.judging.jobs);
    if (!device.empty()) options.confirm = flags.judge.options(true);

    const judge::Options& judging = options.judging.judge;
    generate::Record record(record_path(flags), {task.id,
                                                 sha256(task.source),
                                                 sha256(dump(messages)),
                                                 flags.model_name,
                                                 flags.sampling(),
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
        out = generate::run(options, source.client(), judge, task, record);
        display = nullptr;
    }
    if (out.best)
        out.best->verdict["evidence"]["origin"] = {{"smith", flags.local() ? "model" : "endpoint"},
                                                   {"name", flags.model_name},
                                                   {"round", out.best->round},
                                                   {"sample", out.best->sample}};
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
