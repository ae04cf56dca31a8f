#include "bench/run/run_lines.h"

#include <fmt/format.h>

#include <fstream>

namespace tritonsmith::bench {

Json line_of(const Problem& one) {
    Json out = {{"id", one.id},
                {"suite", one.suite},
                {"level", one.level},
                {"name", one.name},
                {"family", one.family}};
    if (!one.difficulty.empty()) out["difficulty"] = one.difficulty;
    if (!one.flaw.empty()) out["flaw"] = one.flaw;
    if (one.task) out["code"] = one.task->source;
    if (!one.no_task.empty()) out["no_task"] = one.no_task;
    if (!one.instruction.empty()) out["instruction"] = one.instruction;
    if (one.tested) {
        out["golden"] = one.tested->golden;
        out["tests"] = one.tested->tests;
    }
    return out;
}

Json line_of(const Answer& one) {
    Json out = {{"problem", one.problem}, {"sample", one.sample}, {"code", one.code}, {"origin", one.origin}};
    if (!one.reason.empty()) {
        out["reason"] = one.reason;
        out["message"] = one.message;
    }
    if (!one.text.empty()) out["text"] = one.text;
    return out;
}

Json line_of(const std::string& problem, int sample, const std::string& protocol, const Json& verdict) {
    return {{"problem", problem}, {"sample", sample}, {"protocol", protocol}, {"verdict", verdict}};
}

Answer answer_of(const Json& line) try {
    return {line.at("problem"),       line.at("sample"),        line.at("code"),
            line.value("origin", ""), line.value("reason", ""), line.value("message", ""),
            line.value("text", "")};
} catch (const Json::exception&) {
    throw InputError("not an answer of a run");
}

Problem problem_of(const Json& line) try {
    Problem out;
    out.id = line.at("id");
    out.suite = line.at("suite");
    out.level = line.value("level", 0);
    out.name = line.value("name", "");
    out.family = line.value("family", "");
    out.difficulty = line.value("difficulty", "");
    out.flaw = line.value("flaw", "");
    out.no_task = line.value("no_task", "");
    out.instruction = line.value("instruction", "");
    if (line.contains("tests"))
        out.tested = std::make_shared<const TestedProgram>(TestedProgram{line.at("golden"), line["tests"]});
    if (line.contains("code")) {
        task::Task task;
        task.id = out.id;
        task.source = line["code"];
        out.task = std::make_shared<const task::Task>(std::move(task));
    }
    return out;
} catch (const Json::exception&) {
    throw InputError("not a problem of a run");
}

size_t for_each_line(const std::filesystem::path& file, const std::function<void(const Json&)>& take) {
    std::ifstream in(file, std::ios::binary);
    size_t whole = 0;
    std::string line;
    for (int number = 1; std::getline(in, line) && !in.eof(); ++number) {
        const Json json = Json::parse(line, nullptr, false);
        const std::string where = fmt::format("{}:{}: ", file.string(), number);
        if (!json.is_object())
            throw InputError(where + "not a line of a run; name another folder, or remove that file");
        try {
            take(json);
        } catch (const InputError& error) {
            throw InputError(where + error.what());
        }
        whole += line.size() + 1;
    }
    return whole;
}

}  // namespace tritonsmith::bench
