#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grpo/settings.h"
#include "judge/verdict/verdict.h"
#include "task/task.h"
#include "text/prompt/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::grpo {

/// A task that is trained on. No answer to it is known here.
struct TrainingTask {
    std::shared_ptr<const task::Task> task;
    std::string card;                   ///< "" where the row has none
    std::vector<std::string> families;  ///< what its pass rate is counted under; at least one
    std::string difficulty = {};        ///< its label in the data: "difficulty", else its level; "": none
};

/// The tasks of a run in the order of their files, a source's behind each other.
struct TaskSet {
    std::vector<std::vector<TrainingTask>> sources;
};
/// Files: KernelBench-style .py files, and rows {"code", "id"?, "entry"?, "card"?, "families"? or "suite"?,
/// "level"?, "difficulty"?} in .jsonl, .zst: those of `data synth`, for instance.
/// A source that names difficulties has the tasks of these labels alone.
/// @throws InputError that names the file, the row and the field; for a source without tasks
TaskSet load_tasks(const std::vector<TaskFiles>& sources);
/// Takes tasks that `held` has too, by their text, out of the set. @return how many
/// @throws InputError for a source that has no other
size_t remove_tasks(TaskSet& tasks, const std::vector<TrainingTask>& held,
                    const std::vector<TaskFiles>& sources);

/// Writes prompts as `generate --model` does.
class Prompter {
  public:
    /// @param folder the model's @throws InputError
    Prompter(const std::filesystem::path& folder, const Settings& settings);
    /// @throws InputError for a task without a card where prompts show it
    std::vector<text::Token> prompt(const TrainingTask& task) const;
    /// What stands between an answer and the next one in the conversation: the end of the answer's message,
    /// the message with the feedback, the beginning of the next answer. @param last token of the answer
    std::vector<text::Token> feedback(const TrainingTask& task, text::Token last,
                                      const judge::Verdict& verdict) const;
    const text::Tokenizer& tokenizer() const { return tokenizer_; }

  private:
    std::vector<text::Message> messages(const TrainingTask& task) const;

    const Settings& settings_;
    text::Tokenizer tokenizer_;
    text::ChatTemplate template_;
};

}  // namespace tritonsmith::grpo
