#include "data/synth/pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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
        for (const plan::Value& arg : aten->args)
            for (const plan::Tensor& tensor : plan::tensors_in(arg))
                mix(static_cast<uint64_t>(tensor.buffer) + 256);
    }
    for (const plan::Tensor& tensor : plan::tensors_in(plan.output))
        mix(static_cast<uint64_t>(tensor.buffer) + 512);
    return hash;
}

}  // namespace

std::variant<Pair, Dropped> make_pair(uint64_t number, const PairOptions& options) {
    Random random(options.seed, number);
    Sketch sketch = Sampler(random, options.operators).sample();
    const Style style = Style::draw(random);
    if (sketch.outputs.empty()) return Dropped{"sampler: nothing is computed"};
    const TaskFile file = write_task(sketch, style, random);
    Pair pair;
    pair.id = fmt::format("synth-{}-{}", options.seed, number);
    pair.entry = file.entry;
    pair.source = file.source;
    pair.theme = sketch.theme;
    pair.style = style.name;
    pair.dtype = plan::dtype_name(sketch.dtype);
    pair.structure = structure_of(sketch.eager.plans[0]);
    pair.operators = static_cast<int>(sketch.steps.size());
    std::set<std::string> families;
    for (const Step& step : sketch.steps) families.insert(step.family);
    pair.families.assign(families.begin(), families.end());

    forge::Request request{file.source, file.entry, {}};
    for (const plan::Plan& plan : sketch.eager.plans) {
        auto lifted = graph::lift(plan, file.signatures.names);
        if (const auto* refusal = std::get_if<graph::Refusal>(&lifted))
            return Dropped{"lift: " + refusal->op};
        request.sizes.push_back(
            {std::get<graph::Graph>(std::move(lifted)), integers(plan.init_inputs), false});
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
    std::vector<std::string> codes = other_schedules(program.code, options.schedules - 1, random);
    codes.insert(codes.begin(), program.code);
    for (std::string& code : codes) {
        Solution solution;
        solution.plan = plan_in_words(code, random);
        solution.schedule = schedule_of(code);
        solution.code = std::move(code);
        pair.solutions.push_back(std::move(solution));
    }
    return pair;
}

Json to_json(const Pair& pair) {
    Json solutions = Json::array();
    for (const Solution& one : pair.solutions)
        solutions.push_back(
            {{"plan", one.plan}, {"code", one.code}, {"schedule", one.schedule}, {"cost", one.cost}});
    return {{"id", pair.id},
            {"suite", "synth"},
            {"entry", pair.entry},
            {"code", pair.source},
            {"card", pair.card},
            {"theme", pair.theme},
            {"style", pair.style},
            {"dtype", pair.dtype},
            {"families", pair.families},
            {"operators", pair.operators},
            {"solutions", solutions},
            {"repairs", pair.repairs}};
}

}  // namespace tritonsmith::data
