#include "grpo/curriculum.h"

#include <fmt/format.h>

#include <fstream>

#include "base/json.h"
#include "base/process/files.h"
#include "base/random.h"

namespace tritonsmith::grpo {
namespace {

/// Sets these draws apart from those of tasks and answers.
constexpr uint64_t curriculum_seed = 0x63757272;
/// How much of a source's rate is the newest step's.
constexpr double source_memory = 0.2;

}  // namespace

void Curriculum::Rate::add(double rate, double weight) {
    value = known ? value + (rate - value) * weight : rate;
    known = true;
}

Curriculum::Curriculum(const Settings& settings, const std::vector<size_t>& sizes, int64_t step, int rank,
                       int count)
    : settings_(settings),
      path_(settings.folder /
            (count > 1 ? fmt::format("pass_rates-{}-of-{}.jsonl", rank, count) : "pass_rates.jsonl")),
      sources_(sizes.size()) {
    for (const size_t size : sizes) tasks_.emplace_back(size);
    read(step);
}

void Curriculum::read(int64_t step) {
    std::ifstream file(path_);
    std::string kept;
    for (std::string line; std::getline(file, line);) {
        const std::optional<Json> json = parse_untrusted_json(line);
        if (!json || json->value("step", int64_t{0}) > step) continue;  // the last one may be cut off
        try {
            apply(*json);
        } catch (const std::exception&) {
            throw InputError(path_.string() + ": is of a run with other tasks; name another folder");
        }
        kept += line + "\n";
    }
    file.close();
    write_file(path_, kept);
}

void Curriculum::apply(const Json& line) {
    for (const Json& group : line.at("groups"))
        tasks_.at(group.at("source").get<size_t>())
            .at(group.at("index").get<size_t>())
            .add(group.at("right").get<double>() / group.at("answers").get<double>(),
                 settings_.curriculum.memory);
    const Json& sources = line.at("sources");
    for (size_t i = 0; i < sources_.size(); ++i)
        if (const double answers = sources.at(i).at(1).get<double>(); answers > 0)
            sources_[i].add(sources[i].at(0).get<double>() / answers, source_memory);
}

bool Curriculum::leaves_out(const TaskOrder::Place& place) const {
    const Rate& rate = tasks_[place.source][place.task];
    const Settings::Curriculum& settings = settings_.curriculum;
    if (!rate.known || (rate.value >= settings.low && rate.value <= settings.high)) return false;
    Random random(settings_.seed ^ curriculum_seed, static_cast<uint64_t>(place.number));
    return !random.chance(settings.outside);
}

std::vector<double> Curriculum::weights() const {
    std::vector<double> weights;
    bool open = true;
    for (size_t i = 0; i < sources_.size(); ++i) {
        const double needed = settings_.sources[i].opens_at;
        if (i > 0 && needed > 0) open = open && sources_[i - 1].known && sources_[i - 1].value >= needed;
        // One that was asked stays open: answers that get worse are no reason to stop asking.
        weights.push_back(needed <= 0 || open || sources_[i].known ? settings_.sources[i].weight : 0);
    }
    return weights;
}

void Curriculum::learn(int64_t step, const std::vector<Group>& groups,
                       const std::function<double(double)>& sum_of_all) {
    Json lines = Json::array();
    std::vector<std::pair<double, double>> sums(sources_.size());
    for (const Group& group : groups) {
        double right = 0, answers = 0;
        for (const Sample& sample : group.samples) {
            if (!sample.judged() || sample.turn > 0) continue;  // how hard it is without feedback
            ++answers;
            right += sample.facts.correct;
        }
        if (answers == 0 || group.left_out == "unjudgeable") continue;
        sums[group.place.source].first += right;
        sums[group.place.source].second += answers;
        lines.push_back({{"source", group.place.source},
                         {"index", group.place.task},
                         {"task", group.task->task->id},
                         {"right", right},
                         {"answers", answers}});
    }
    Json sources = Json::array();
    for (const auto& [right, answers] : sums) sources.push_back({sum_of_all(right), sum_of_all(answers)});
    const Json line = {{"step", step}, {"groups", lines}, {"sources", sources}};
    apply(line);
    std::ofstream file(path_, std::ios::app);
    file << dump(line) << '\n';
    file.close();
    if (!file) throw MachineError("cannot write " + path_.string());
}

Json Curriculum::metrics() const {
    Json rates = Json::object();
    double open = 0;
    const std::vector<double> weights = this->weights();
    for (size_t i = 0; i < sources_.size(); ++i) {
        open += weights[i] > 0;
        if (sources_[i].known) rates[settings_.sources[i].name] = sources_[i].value;
    }
    return {{"open", open}, {"rates", rates}};
}

}  // namespace tritonsmith::grpo
