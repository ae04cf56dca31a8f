#include "grpo/task_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "text/prompt/prompt.h"
#include "train/data/line_reader.h"

namespace tritonsmith::grpo {
namespace {

std::string text_of(const Json& row, const char* name, const std::string& otherwise) {
    const auto found = row.find(name);
    return found != row.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

std::vector<std::string> families_of(const Json& row, const task::Task& task) {
    std::vector<std::string> families;
    if (const auto found = row.find("families"); found != row.end() && found->is_array())
        for (const Json& family : *found)
            if (family.is_string()) families.push_back(family.get<std::string>());
    if (families.empty() && task.level > 0) families.push_back(fmt::format("level {}", task.level));
    if (families.empty()) families.push_back(task.suite.empty() ? "tasks" : task.suite);
    return families;
}

/// TritonRL's label, 1 for a single operator and 2 for fusions; KernelBench's levels say the same.
std::string difficulty_of(const Json& row, const task::Task& task) {
    if (const auto label = row.find("difficulty"); label != row.end()) {
        if (label->is_string()) return label->get<std::string>();
        if (label->is_number_integer()) return fmt::format("{}", label->get<int64_t>());
    }
    return task.level > 0 ? fmt::format("{}", task.level) : "";
}

TrainingTask task_of_row(const std::string& line, const std::string& where) {
    const std::optional<Json> row = parse_untrusted_json(line);
    if (!row || !row->is_object()) throw InputError(where + ": is no JSON object");
    task::Task task;
    task.display = where;
    task.id = text_of(*row, "id", where);
    task.source = text_of(*row, "code", "");
    if (task.source.empty()) throw InputError(where + ": needs code, the task's text");
    task.entry = text_of(*row, "entry", "Model");
    task.suite = text_of(*row, "suite", "");
    if (const auto level = row->find("level"); level != row->end() && level->is_number_integer())
        task.level = level->get<int>();
    task::check(task);
    TrainingTask out{std::make_shared<const task::Task>(task), text_of(*row, "card", ""), {}};
    out.families = families_of(*row, task);
    out.difficulty = difficulty_of(*row, task);
    return out;
}

void load_file(const std::filesystem::path& path, std::vector<TrainingTask>& tasks) {
    if (path.extension() == ".py") {
        task::Task task = task::load(path.string());
        std::vector<std::string> families = families_of(Json::object(), task);
        std::string difficulty = difficulty_of(Json::object(), task);
        tasks.push_back({std::make_shared<const task::Task>(std::move(task)), "", std::move(families),
                         std::move(difficulty)});
        return;
    }
    train::LineReader lines(path);
    while (const std::optional<std::string> line = lines.next())
        if (line->find_first_not_of(" \t\r") != std::string::npos)
            tasks.push_back(task_of_row(*line, fmt::format("{}:{}", path.string(), lines.line())));
}

}  // namespace

TaskSet load_tasks(const std::vector<TaskFiles>& sources) {
    TaskSet set;
    for (const TaskFiles& source : sources) {
        std::vector<TrainingTask>& tasks = set.sources.emplace_back();
        for (const std::filesystem::path& file : source.files) load_file(file, tasks);
        if (tasks.empty()) throw InputError(fmt::format("tasks: source \"{}\" holds no task", source.name));
        if (source.difficulty.empty()) continue;
        std::set<std::string> labels;
        for (const TrainingTask& task : tasks) labels.insert(task.difficulty);
        std::erase_if(tasks, [&](const TrainingTask& task) {
            return std::find(source.difficulty.begin(), source.difficulty.end(), task.difficulty) ==
                   source.difficulty.end();
        });
        if (tasks.empty())
            throw InputError(fmt::format("tasks: source \"{}\" holds no task of difficulty {}; it has {}",
                                         source.name, fmt::join(source.difficulty, ", "),
                                         labels == std::set<std::string>{""}
                                             ? "no labels"
                                             : fmt::format("{}", fmt::join(labels, ", "))));
    }
    return set;
}

size_t remove_tasks(TaskSet& tasks, const std::vector<TrainingTask>& held,
                    const std::vector<TaskFiles>& sources) {
    std::set<std::pair<std::string, std::string>> texts;
    for (const TrainingTask& task : held) texts.emplace(task.task->source, task.task->entry);
    size_t removed = 0;
    for (size_t source = 0; source < tasks.sources.size(); ++source) {
        removed += std::erase_if(tasks.sources[source], [&](const TrainingTask& task) {
            return texts.contains({task.task->source, task.task->entry});
        });
        if (tasks.sources[source].empty())
            throw InputError(
                fmt::format("tasks: source \"{}\" holds no task that evaluation.files does not hold",
                            sources[source].name));
    }
    return removed;
}

Prompter::Prompter(const std::filesystem::path& folder, const Settings& settings)
    : settings_(settings),
      tokenizer_(text::Tokenizer::load(folder)),
      template_(text::ChatTemplate::load(folder)) {
    if (tokenizer_.ends().empty())
        throw InputError(folder.string() + ": no end token: set eos_token in tokenizer_config.json");
}

std::vector<text::Message> Prompter::messages(const TrainingTask& task) const {
    text::KernelRequest request;
    if (settings_.prompt != Settings::Prompt::card) request.source = task.task->source;
    if (settings_.prompt != Settings::Prompt::code) {
        if (task.card.empty())
            throw InputError(task.task->display + ": has no card; set tasks.prompt = \"code\"");
        request.card = task.card;
    }
    request.entry = task.task->entry;
    request.target = settings_.target;
    request.relaxed = settings_.relaxed;
    request.form = settings_.form;
    return text::kernel_prompt(request);
}

std::vector<text::Token> Prompter::prompt(const TrainingTask& task) const {
    return tokenizer_.encode(template_.render(messages(task), true));
}

std::vector<text::Token> Prompter::feedback(const TrainingTask& task, text::Token last,
                                            const judge::Verdict& verdict) const {
    // The answer's own tokens stay as they were sampled: only what the template writes behind it is encoded.
    constexpr std::string_view mark = "ANSWER-OF-THE-TURN-BEFORE";
    std::vector<text::Message> conversation = messages(task);
    conversation.push_back({"assistant", std::string(mark)});
    const Json said = verdict.feedback.is_object() ? verdict.feedback.value("model", Json()) : Json();
    conversation.push_back(
        text::correction_prompt(said.is_string() ? said.get<std::string>() : "[" + verdict.reason + "]"));
    const std::string whole = template_.render(conversation, true);
    const size_t at = whole.find(mark);
    if (at == std::string::npos)
        throw InputError("rollout: turns needs a chat template that keeps the answers of a conversation");
    std::string_view rest = std::string_view(whole).substr(at + mark.size());
    const std::string_view end = tokenizer_.bytes(last);
    if (!end.empty() && rest.starts_with(end)) rest.remove_prefix(end.size());
    return tokenizer_.encode(rest);
}

}  // namespace tritonsmith::grpo
