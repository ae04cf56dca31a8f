#include "data/synth/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tritonsmith::data {
namespace {

struct Field {
    const char* name;
    Tally::Counts Tally::*counts;
    const char* title;
};
constexpr Field kFields[] = {{"families", &Tally::families, "Family"},
                             {"aten", &Tally::aten, "Operator of PyTorch"},
                             {"themes", &Tally::themes, "Inputs"},
                             {"styles", &Tally::styles, "Form of the file"},
                             {"dtypes", &Tally::dtypes, "Dtype"},
                             {"operators", &Tally::operators, "Statements"},
                             {"lengths", &Tally::lengths, "Tokens of a solution (bytes / 3.5)"},
                             {"dropped", &Tally::dropped, "Dropped"},
                             {"judged", &Tally::judged, "Judged, by family"},
                             {"rejected", &Tally::rejected, "Rejected, by family"}};
struct Number {
    const char* name;
    int64_t Tally::*number;
};
constexpr Number kNumbers[] = {{"sampled", &Tally::sampled},
                               {"pairs", &Tally::pairs},
                               {"solutions", &Tally::solutions},
                               {"repairs", &Tally::repairs},
                               {"bytes", &Tally::bytes}};

std::string length_class(size_t bytes) {
    const auto tokens = static_cast<int64_t>(static_cast<double>(bytes) / 3.5);
    for (const int64_t limit : {256, 512, 1024, 2048, 4096, 8192})
        if (tokens < limit) return fmt::format("below {:>5}", limit);
    return "8192 or more";
}

}  // namespace

void Tally::add(const Pair& pair) {
    static const std::map<std::string, std::string> inputs = {
        {"m", "matrices"}, {"s", "sequences"}, {"i", "images"},   {"c", "signals"}, {"v", "volumes"},
        {"h", "heads"},    {"p", "products"},  {"n", "integers"}, {"e", "indices"}};
    ++pairs;
    solutions += static_cast<int64_t>(pair.solutions.size());
    repairs += static_cast<int64_t>(pair.repairs.size());
    for (const std::string& family : pair.families) ++families[family];
    for (const std::string& op : pair.aten) ++aten[op];
    ++themes[inputs.at(pair.theme)];
    ++styles[pair.style];
    ++dtypes[pair.dtype];
    ++operators[fmt::format("{:>2}", pair.operators)];
    for (const Solution& one : pair.solutions) ++lengths[length_class(one.code.size())];
}

void Tally::add(const Tally& other) {
    for (const Number& entry : kNumbers) this->*entry.number += other.*entry.number;
    for (const Field& field : kFields)
        for (const auto& [name, count] : other.*field.counts) (this->*field.counts)[name] += count;
}

Json Tally::json() const {
    Json out;
    for (const Number& entry : kNumbers) out[entry.name] = this->*entry.number;
    for (const Field& field : kFields) out[field.name] = this->*field.counts;
    return out;
}

Tally Tally::read(const Json& json) {
    Tally out;
    try {
        for (const Number& entry : kNumbers) out.*entry.number = json.at(entry.name).get<int64_t>();
        for (const Field& field : kFields) out.*field.counts = json.at(field.name).get<Counts>();
    } catch (const Json::exception& error) {
        throw InputError(std::string("counts of a shard: ") + error.what());
    }
    return out;
}

namespace {

const char* const kForm =
    "\nRows are JSON objects, one a line, in zstd frames: `code` and `entry` (the task), `card`, `solutions` "
    "(each\n"
    "`plan`, `code`, `schedule`), `repairs`, and `families`, `theme`, `style`, `dtype`, `operators` as "
    "counted below.\n"
    "All of it is written by tritonsmith: no task, name or text is taken from another data set.\n";

/// Counts as they are looked up: the most frequent first, numbers in their order.
std::vector<std::pair<std::string, int64_t>> rows_of(const Tally::Counts& counts, bool in_order) {
    std::vector<std::pair<std::string, int64_t>> out(counts.begin(), counts.end());
    if (!in_order)
        std::stable_sort(out.begin(), out.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
    for (auto& [name, count] : out)  // padded so that they are in order
        while (name.starts_with(' ') || name.find("  ") != std::string::npos) name.erase(name.find(' '), 1);
    return out;
}

/// What the judge said, by family.
std::string judged_text(const Tally& tally) {
    if (tally.judged.empty()) return "";
    std::string out = "\n| Family | judged on the CPU | accepted at once |\n|---|---|---|\n";
    for (const auto& [family, count] : rows_of(tally.judged, false)) {
        const auto found = tally.rejected.find(family);
        const int64_t rejected = found == tally.rejected.end() ? 0 : found->second;
        out += fmt::format(
            "| {} | {} | {:.1f} % |\n", family, count,
            100.0 * static_cast<double>(count - rejected) / static_cast<double>(std::max<int64_t>(1, count)));
    }
    return out;
}

}  // namespace

std::string Tally::card(const std::string& title, const std::string& command) const {
    std::string out = fmt::format(
        "# {}\n\n    {}\n\nSampled {} tasks; {} kept, with {} solutions and {} repairs, {:.1f} MB of text.\n",
        title, command, sampled, pairs, solutions, repairs, static_cast<double>(bytes) / 1e6);
    out += kForm;
    for (const Field& field : kFields) {
        const Counts& counts = this->*field.counts;
        if (counts.empty() || field.counts == &Tally::judged || field.counts == &Tally::rejected) continue;
        const bool ordered = field.counts == &Tally::operators || field.counts == &Tally::lengths;
        out += fmt::format("\n| {} | count |\n|---|---|\n", field.title);
        for (const auto& [name, count] : rows_of(counts, ordered))
            out += fmt::format("| {} | {} |\n", name, count);
    }
    return out + judged_text(*this);
}

}  // namespace tritonsmith::data
