#include "bench/answers/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "base/error.h"
#include "bench/answers/problem_index.h"
#include "bench/suites/rows.h"
#include "task/task.h"
#include "text/prompt/response.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

class Collector {
  public:
    explicit Collector(const std::vector<Problem>& problems) : problems_(problems), index_(problems) {}

    const ProblemIndex& index() const { return index_; }

    /// @param sample -1: the next one
    void add(const Problem* problem, int sample, Answer answer) {
        if (!problem) {
            ++others_;
            return;
        }
        std::map<int, Answer>& of = answers_[problem->id];
        if (sample < 0) sample = of.empty() ? 0 : of.rbegin()->first + 1;
        answer.problem = problem->id;
        answer.sample = sample;
        const auto [it, fresh] = of.emplace(sample, answer);
        if (!fresh)
            throw InputError(fmt::format("{} and {} are both sample {} of {}", it->second.origin,
                                         answer.origin, sample, problem->id));
    }

    GivenAnswers take() {
        GivenAnswers out{{}, others_};
        for (const Problem& problem : problems_)
            for (auto& [sample, answer] : answers_[problem.id]) out.answers.push_back(std::move(answer));
        return out;
    }

  private:
    const std::vector<Problem>& problems_;
    const ProblemIndex index_;
    std::map<std::string, std::map<int, Answer>> answers_;
    size_t others_ = 0;
};

/// A program as it is.
void take_code(Answer& answer, std::string code) {
    answer.code = std::move(code);
    if (answer.code.find_first_not_of(" \t\r\n") != std::string::npos) return;
    answer.code.clear();
    answer.reason = "no_code";
    answer.message = "The answer holds no program.";
}

Answer of_file(const fs::path& file) {
    Answer out;
    out.origin = file.string();
    take_code(out, task::read_candidate(file));
    return out;
}

void read_files(const fs::path& folder, Collector& out) {
    static const std::regex kernelbench(R"(level_(\d{1,4})_problem_(\d{1,6})_sample_(\d{1,6})_kernel\.py)");
    static const std::regex own(R"((.+)\.(\d{1,6})\.py)");
    std::vector<fs::path> files;
    for (const fs::directory_entry& one : fs::recursive_directory_iterator(folder))
        if (one.is_regular_file() && one.path().extension() == ".py") files.push_back(one.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        std::smatch parts;
        if (std::regex_match(name, parts, kernelbench))
            out.add(out.index().by_number(std::stoi(parts[1]), std::stoi(parts[2])), std::stoi(parts[3]),
                    of_file(file));
        else if (std::regex_match(name, parts, own) && out.index().by_name(parts[1]))
            out.add(out.index().by_name(parts[1]), std::stoi(parts[2]), of_file(file));
        else
            out.add(out.index().by_name(name), 0, of_file(file));
    }
}

void read_row(const Row& row, const std::string& where, const fs::path& folder, Collector& out) {
    Answer answer;
    answer.origin = where;
    int sample = -1;
    if (const auto given = row.json.find("sample"); given != row.json.end()) {
        if (!given->is_number_integer() || given->get<int64_t>() < 0 || given->get<int64_t>() > 1'000'000)
            throw InputError(where + ": \"sample\" must be an integer from 0");
        sample = given->get<int>();
    }
    if (row.json.contains("predict")) {
        const Problem* problem = out.index().by_key(text_of(row.json, "label"));
        if (!problem) problem = out.index().by_key(text_of(row.json, "instruction"));
        take_program(answer, text_of(row.json, "predict"));
        return out.add(problem, sample, std::move(answer));
    }
    const std::string name = text_of(row.json, "task");
    if (name.empty()) throw InputError(where + ": needs \"task\" and \"code\", or \"label\" and \"predict\"");
    if (const std::string file = text_of(row.json, "candidate"); !file.empty())
        take_code(answer, task::read_candidate(fs::exists(file) ? fs::path(file) : folder / file));
    else
        take_code(answer, text_of(row.json, "code"));
    out.add(out.index().by_name(name), sample, std::move(answer));
}

}  // namespace

void take_program(Answer& answer, const std::string& text) {
    const text::Response response = text::parse_response(text);
    answer.code = response.code;
    // A program without a fence around it is one all the same; prose without one is none.
    if (answer.code.empty() && text.find("```") == std::string::npos &&
        text.find("import ") != std::string::npos)
        answer.code = text;
    if (!answer.code.empty() && !answer.code.ends_with('\n')) answer.code += '\n';  // it becomes a file
    if (!answer.code.empty()) return;
    answer.reason = response.truncated ? "answer_cut" : "no_code";
    answer.message = response.truncated ? "The answer was cut off before its program ended."
                                        : "The answer holds no program.";
}

GivenAnswers read_answers(const fs::path& path, const std::vector<Problem>& problems) {
    if (!fs::exists(path)) throw InputError("--answers " + path.string() + ": no such file or folder");
    Collector out(problems);
    if (fs::is_directory(path))
        read_files(path, out);
    else
        for (const Row& row : read_rows(path))
            read_row(row, fmt::format("{}:{}", path.string(), row.line), path.parent_path(), out);
    GivenAnswers found = out.take();
    if (found.answers.empty())
        throw InputError(fmt::format("--answers {}: no answer to a problem of this suite ({} to others)",
                                     path.string(), found.others));
    return found;
}

}  // namespace tritonsmith::bench
