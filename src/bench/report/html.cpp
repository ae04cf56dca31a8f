#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "bench/report/escaped.h"
#include "bench/report/filled_page.h"
#include "bench/report/page.h"
#include "bench/report/report.h"
#include "bench/run/run_folder.h"
#include "bench/run/run_lines.h"

namespace tritonsmith::bench {
namespace {

constexpr size_t kMostEvidence = 1200, kMostMessage = 2000;

/// Programs, verdicts and evidence of one problem's answers, equal programs once.
class Details {
  public:
    void add(Answer answer) {
        const auto [code, fresh] = places_.emplace(answer.code, codes_.size());
        if (fresh) codes_.push_back(std::move(answer.code));
        samples_[answer.sample] = {{"sample", answer.sample},
                                   {"code", code->second},
                                   {"origin", answer.origin},
                                   {"verdicts", Json::object()}};
    }
    void add(int sample, const std::string& protocol, const Json& verdict) {
        const auto found = samples_.find(sample);
        if (found == samples_.end() || verdict.value("status", "") == "machine_error") return;
        const Json feedback = verdict.value("feedback", Json());
        const bool accepted = verdict.value("accepted", false);
        Json out = {{"reason", accepted ? Json("accepted") : verdict.value("reason", Json())},
                    {"stage", verdict.value("stage", "")},
                    {"checked", verdict.value("checked", "")},
                    {"message", shortened(verdict.value("message", ""), kMostMessage)}};
        for (const auto& [key, from] :
             {std::pair("speedup", "speedup"), std::pair("ms", "candidate_ms"), std::pair("line", "line")})
            if (const Json value = verdict.value(from, Json()); value.is_number()) out[key] = value;
        if (feedback.is_object() && feedback.contains("person") && feedback["person"].is_string())
            out["feedback"] = shortened(feedback["person"].get<std::string>(), kMostMessage);
        if (const Json evidence = verdict.value("evidence", Json());
            evidence.is_object() && !evidence.empty())
            out["evidence"] = shortened(dump(evidence, 1), kMostEvidence);
        found->second["verdicts"][protocol] = std::move(out);
    }
    Json json(const Problem& problem) const {
        Json samples = Json::array();
        for (const auto& [sample, one] : samples_) samples.push_back(one);
        return {{"task", problem.task     ? problem.task->source
                         : problem.tested ? problem.tested->golden + problem.tested->tests
                                          : ""},
                {"codes", codes_},
                {"samples", samples}};
    }

  private:
    std::vector<std::string> codes_;
    std::map<std::string, size_t> places_;
    std::map<int, Json> samples_;
};

std::string details_blocks(const RunData& run, const std::filesystem::path& folder) {
    std::map<std::string, Details> details;
    for_each_line(folder / "answers.jsonl", [&](const Json& line) {
        Answer one = answer_of(line);
        details[one.problem].add(std::move(one));
    });
    for_each_line(folder / "verdicts.jsonl", [&](const Json& line) {
        details[line.value("problem", "")].add(line.value("sample", 0), line.value("protocol", ""),
                                               line.at("verdict"));
    });
    std::string out;
    for (size_t i = 0; i < run.problems.size(); ++i)
        out += fmt::format("<script type=\"application/json\" id=\"details-{}\">{}</script>\n", i,
                           embedded(details[run.problems[i].id].json(run.problems[i])));
    return out;
}

/// What the page reads at once: [problem, sample, reason, speedup] of each answer, reasons by number.
Json page_data(const RunData& run) {
    Json report = report_json(run);
    Json out = {{"config", report["config"]},
                {"published", report["published"]},
                {"problems", Json::array()},
                {"outcomes", Json::object()}};
    std::map<std::string, size_t> places, reasons;
    Json names = Json::array();
    for (const Problem& one : run.problems) {
        places.emplace(one.id, places.size());
        Json row = line_of(one);
        for (const char* program : {"code", "golden", "tests", "instruction"}) row.erase(program);
        out["problems"].push_back(std::move(row));
    }
    for (const auto& [protocol, outcomes] : run.outcomes) {
        Json rows = Json::array();
        for (const Outcome& one : outcomes) {
            if (!places.contains(one.problem)) continue;
            const auto [reason, fresh] =
                reasons.emplace(one.correct() ? "accepted" : one.reason, names.size());
            if (fresh) names.push_back(reason->first);
            rows.push_back(
                {places[one.problem], one.sample, reason->second, one.speedup ? Json(*one.speedup) : Json()});
        }
        out["outcomes"][protocol] = std::move(rows);
    }
    out["reasons"] = std::move(names);
    report.erase("config");
    report.erase("published");
    out["summary"] = std::move(report);
    return out;
}

}  // namespace

std::string report_html(const RunData& run, const std::filesystem::path& folder) {
    return filled_page(page_html, {{"TITLE", escaped(run.name)},
                                   {"CSS", page_css},
                                   {"JS", std::string(common_js) + page_js},
                                   {"DATA", embedded(page_data(run))},
                                   {"DETAILS", details_blocks(run, folder)}});
}

}  // namespace tritonsmith::bench
