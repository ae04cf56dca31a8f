#include "reward/answer.h"

namespace tritonsmith::reward {

std::optional<judge::Verdict> verdict_without_program(const text::Response& answer, bool cut,
                                                      const std::string& task) {
    const bool unfinished = cut && (answer.code.empty() || answer.truncated);
    if (!unfinished && !answer.code.empty()) return std::nullopt;
    const Finding finding =
        unfinished
            ? Finding{"answer_cut", "the answer was cut off before its program ended", 0, Json::object()}
            : Finding{"no_code", "the answer holds no program", 0, Json::object()};
    judge::Verdict verdict;
    verdict.task = task;
    judge::conclude(verdict, "answer", finding, "");
    return verdict;
}

}  // namespace tritonsmith::reward
