#include "data/synth/pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/json.h"
#include "data/synth/plan_words.h"
#include "data/synth/sampler.h"
#include "data/synth/schedule.h"
#include "data/synth/task_writer.h"
#include "forge/forge.h"
#include "graph/card/card.h"
#include "plan/ir/json.h"

namespace tritonsmith::data {
namespace {

std::map<int, int64_t> integers(const plan::List& arguments) {
    std::map<int, int64_t> out;
    for (size_t i = 0; i < arguments.size(); ++i)
        if (const auto* value = std::get_if<int64_t>(&arguments[i].v)) out[static_cast<int>(i)] = *value;
    return out;
}

/// Programs that differ in names, sizes and numbers only have the same (FNV-1a).
uint64_t structure_of(const plan::Plan& plan) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3ULL; };
    for (const plan::Value& input : plan.inputs)
        for (const plan::Tensor& tensor : plan::tensors_in(input))
            mix(tensor.shape.size() * 32 + static_cast<uint64_t>(tensor.dtype));
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten) continue;
        for (const char c : aten->op) mix(static_cast<uint8_t>(c));
        for (const plan::Value& arg : aten->args) {
            if (const auto* flag = std::get_if<bool>(&arg.v)) mix(*flag ? 7 : 5);
            for (const plan::Tensor& tensor : plan::tensors_in(arg))
                mix(static_cast<uint64_t>(tensor.buffer) + 256);
        }
    }
    for (const plan::Tensor& tensor : plan::tensors_in(plan.output))
        mix(static_cast<uint64_t>(tensor.buffer) + 512);
    return hash;
}

/// The Python floats that forward takes, by position.
std::map<int, graph::Number> floats_of(const plan::Plan& plan) {
    std::map<int, graph::Number> out;
    for (int position = 0; const plan::Value& input : plan.inputs) {
        if (std::holds_alternative<double>(input.v)) out[position] = std::get<double>(input.v);
        ++position;
    }
    return out;
}

/// Without the checks of ranks and dtypes that users get: each repeats a name five times.
std::string without_checks(const std::string& code) {
    std::string out;
    out.reserve(code.size());
    for (size_t at = 0; at < code.size();) {
        const size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
        const std::string_view line = std::string_view(code).substr(at, end - at);
        at = end;
        if (line.starts_with("        if ") && line.find(".dim() != ") != std::string_view::npos &&
            code.compare(at, 28, "            raise ValueError") == 0) {
            at = std::min(code.find('\n', at), code.size() - 1) + 1;
            continue;
        }
        out += line;
    }
    return out;
}

/// Of rows that several programs share: the same with one program for each row, which is how people begin.
std::optional<std::string> with_whole_rows(const forge::Request& request, const forge::Program& program) {
    std::map<std::string, int64_t> choices;
    for (const auto& [what, value] : program.choices)
        if (what.ends_with(".split") && value > 1) choices[what] = 1;
    if (choices.empty()) return std::nullopt;
    forge::Request other = request;
    other.choices = std::move(choices);
    const auto written = forge::write_program(other);
    const auto* made = std::get_if<forge::Program>(&written);
    if (!made || made->specialised) return std::nullopt;
    return without_checks(made->code);
}

}  // namespace

std::variant<Pair, Dropped> make_pair(uint64_t number, const PairOptions& options, const Unwanted& unwanted) {
    Random random(options.seed, number);
    Sketch sketch = Sampler(random, options.operators).sample();
    const Style style = Style::draw(random);
    if (sketch.outputs.empty()) return Dropped{"sampler: nothing is computed"};
    Pair pair;
    pair.structure = structure_of(sketch.eager.plans[0]);
    pair.operators = static_cast<int>(sketch.steps.size());
    if (unwanted)
        if (std::string cause = unwanted(pair.structure, pair.operators); !cause.empty())
            return Dropped{std::move(cause)};
    const TaskFile file = write_task(sketch, style, random);
    pair.id = fmt::format("synth-{}-{}", options.seed, number);
    pair.entry = file.entry;
    pair.source = file.source;
    pair.theme = sketch.theme;
    pair.style = style.name;
    pair.dtype = plan::dtype_name(sketch.dtype);
    std::set<std::string> families;
    for (const Step& step : sketch.steps) families.insert(step.family);
    pair.families.assign(families.begin(), families.end());
    std::set<std::string> operators;
    for (const plan::Step& step : sketch.eager.plans[0].steps)
        if (const auto* aten = std::get_if<plan::AtenStep>(&step.what))
            operators.insert(aten->op.substr(6, aten->op.find('.') - 6));
    pair.aten.assign(operators.begin(), operators.end());

    forge::Request request{file.source, file.entry, {}};
    for (const plan::Plan& plan : sketch.eager.plans) {
        auto lifted = graph::lift(plan, file.signatures.names);
        if (const auto* refusal = std::get_if<graph::Refusal>(&lifted))
            return Dropped{"lift: " + refusal->op};
        request.sizes.push_back(
            {std::get<graph::Graph>(std::move(lifted)), integers(plan.init_inputs), false, floats_of(plan)});
    }
    pair.card = graph::card_text(file.signatures, file.entry, sketch.eager.plans[0], request.sizes[0].graph);
    request.text = file.parts;
    auto written = forge::write_program(request);
    if (const auto* refusal = std::get_if<graph::Refusal>(&written))
        return Dropped{fmt::format("forge: {} {}", refusal->op, refusal->why)};
    const auto& program = std::get<forge::Program>(written);
    if (program.explanation.find("written at 2 sizes") == std::string::npos)
        return Dropped{"forge: another size gives another program"};
    if (program.specialised) return Dropped{"forge: a number has no expression"};
    const std::string shortened = without_checks(program.code);
    std::vector<std::string> codes = other_schedules(shortened, options.schedules - 1, random);
    codes.insert(codes.begin(), shortened);
    if (const std::optional<std::string> whole = with_whole_rows(request, program)) {
        codes.insert(codes.begin(), *whole);
        codes.resize(std::min(codes.size(), static_cast<size_t>(std::max(1, options.schedules))));
    }
    for (std::string& code : codes) {
        Solution solution;
        solution.plan = plan_in_words(code);
        solution.schedule = schedule_of(code);
        solution.code = std::move(code);
        pair.solutions.push_back(std::move(solution));
    }
    return pair;
}

namespace {

/// What a string of JSON has in place of each byte; nothing where it is the byte itself.
const std::array<std::string, 128>& escapes() {
    static const std::array<std::string, 128> table = [] {
        std::array<std::string, 128> out;
        for (size_t c = 0; c < 0x20; ++c) out[c] = fmt::format("\\u{:04x}", c);
        out['"'] = "\\\"";
        out['\\'] = "\\\\";
        out['\n'] = "\\n";
        out['\t'] = "\\t";
        out['\r'] = "\\r";
        out['\b'] = "\\b";
        out['\f'] = "\\f";
        return out;
    }();
    return table;
}

/// As `dump` writes a string, but fast where it is long.
void append_quoted(std::string& out, const std::string& text) {
    static const std::array<bool, 256> plain = [] {
        std::array<bool, 256> table{};
        for (size_t c = 0; c < 128; ++c) table[c] = escapes()[c].empty();
        return table;
    }();
    const size_t before = out.size();
    out.reserve(before + text.size() + text.size() / 16 + 2);
    out += '"';
    for (size_t begin = 0;;) {
        size_t end = begin;
        while (end < text.size() && plain[static_cast<unsigned char>(text[end])]) ++end;
        out.append(text, begin, end - begin);
        if (end == text.size()) break;
        if (static_cast<unsigned char>(text[end]) >= 0x80) {
            out.resize(before);
            out += dump(Json(text));
            return;
        }
        out += escapes()[static_cast<size_t>(text[end])];
        begin = end + 1;
    }
    out += '"';
}

}  // namespace

std::string row_text(const Pair& pair) {
    std::string out;
    auto text = [&](const char* key, const std::string& value) {
        out += key;
        append_quoted(out, value);
    };
    text("{\"card\":", pair.card);
    text(",\"code\":", pair.source);
    text(",\"dtype\":", pair.dtype);
    text(",\"entry\":", pair.entry);
    out += ",\"families\":" + dump(pair.families);
    text(",\"id\":", pair.id);
    out += ",\"operators\":" + std::to_string(pair.operators) + ",\"repairs\":" + dump(pair.repairs);
    out += ",\"solutions\":[";
    for (size_t i = 0; i < pair.solutions.size(); ++i) {
        const Solution& one = pair.solutions[i];
        text(i == 0 ? "{\"code\":" : ",{\"code\":", one.code);
        out += ",\"cost\":" + dump(one.cost);
        text(",\"plan\":", one.plan);
        out += ",\"schedule\":" + dump(one.schedule) + "}";
    }
    text("],\"style\":", pair.style);
    text(",\"suite\":", "synth");
    text(",\"theme\":", pair.theme);
    return out + "}";
}

}  // namespace tritonsmith::data
