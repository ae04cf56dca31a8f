#include "plan/analysis/stream_order.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

/// So many accesses of a buffer on another stream are looked at.
constexpr size_t kMostLookedAt = 256;

struct Access {
    int64_t position = 0;  ///< among the steps of its stream
    bool writes = false;
    ByteRange range;
    const LaunchStep* launch = nullptr;
    const Step* step = nullptr;  ///< null: the caller
};

class StreamSearch {
  public:
    StreamSearch(const Plan& plan, const KernelEffects& effects, const LaunchesApart& apart)
        : plan_(plan), effects_(effects), apart_(apart), counts_{1}, last_{{1, nullptr}} {}

    std::optional<Finding> run() {
        if (plan_.ends_behind.size() < 2) return std::nullopt;
        for (const Tensor& input : tensors_in(plan_.inputs)) caller(input.buffer);
        for (int buffer : carried_buffers(plan_, effects_)) caller(buffer);
        for (const Step& step : plan_.steps) {
            if (step.phase != Phase::forward || std::holds_alternative<FreeStep>(step.what)) continue;
            const auto stream = static_cast<size_t>(step.stream);
            if (stream >= counts_.size()) {
                counts_.resize(stream + 1);
                last_.resize(stream + 1);
            }
            ++counts_[stream];
            visit(step, step);
            if (finding_) return finding_;
        }
        return not_waited_for();
    }

  private:
    void caller(int buffer) {
        const int64_t bytes = plan_.buffers[static_cast<size_t>(buffer)].bytes;
        accesses_[buffer][0].push_back({1, true, {buffer, 0, bytes, false}, nullptr, nullptr});
    }

    /// @param outer of which a step of an alternative is a part
    void visit(const Step& step, const Step& outer) {
        if (const auto* choice = std::get_if<ChoiceStep>(&step.what)) {
            for (const Alternative& alternative : choice->alternatives)
                for (const Step& inner : alternative.steps) visit(inner, outer);
            return;
        }
        const auto* launch = std::get_if<LaunchStep>(&step.what);
        const Flow flow = launch ? touched(*launch) : flow_of(plan_, step, effects_);
        for (const bool writes : {false, true})
            for (const ByteRange& range : writes ? flow.writes : flow.reads) {
                const Access access{counts_[static_cast<size_t>(outer.stream)], writes, range, launch, &step};
                if (!finding_) check(access, outer);
                accesses_[range.buffer][outer.stream].push_back(access);
                last_[static_cast<size_t>(outer.stream)] = {access.position, &step};
            }
    }

    Flow touched(const LaunchStep& launch) const {
        Flow flow = flow_of(plan_, launch, effects_);
        // One range for all arguments that point into the buffer.
        std::map<int, ByteRange> views;
        for (const Value& value : launch.args) {
            const int buffer = buffer_of(value);
            if (buffer < 0) continue;
            ByteRange range{buffer, 0, plan_.buffers[static_cast<size_t>(buffer)].bytes, false};
            if (const auto* tensor = std::get_if<Tensor>(&value.v)) range = byte_range(*tensor);
            const auto [found, first] = views.emplace(buffer, range);
            if (first) continue;
            found->second.begin = std::min(found->second.begin, range.begin);
            found->second.end = std::max(found->second.end, range.end);
        }
        for (std::vector<ByteRange>* ranges : {&flow.reads, &flow.writes})
            for (ByteRange& range : *ranges) range = views[range.buffer];
        return flow;
    }

    static int64_t behind(const std::vector<int64_t>& clock, int stream) {
        return static_cast<size_t>(stream) < clock.size() ? clock[static_cast<size_t>(stream)] : 0;
    }

    void check(const Access& access, const Step& outer) {
        for (const auto& [stream, others] : accesses_[access.range.buffer]) {
            if (stream == outer.stream) continue;
            const int64_t ended = behind(outer.behind, stream);
            size_t looked_at = 0;
            for (size_t i = others.size(); i-- > 0 && others[i].position > ended && looked_at < kMostLookedAt;
                 ++looked_at) {
                const Access& other = others[i];
                if (!(access.writes || other.writes) || !overlap(access.range, other.range)) continue;
                if (access.launch && other.launch && apart_ &&
                    apart_(*access.launch, *other.launch, access.range.buffer))
                    continue;
                finding_ = race(access, other);
                return;
            }
        }
    }

    std::string who(const Access& access) const {
        if (!access.step) return "the caller's work before the call";
        if (access.launch) return "kernel " + plan_.kernels[static_cast<size_t>(access.launch->kernel)].name;
        if (const auto* aten = std::get_if<AtenStep>(&access.step->what)) return aten->op;
        return "a step";
    }

    Finding race(const Access& access, const Access& other) const {
        const bool input = std::any_of(plan_.inputs.begin(), plan_.inputs.end(), [&](const Value& value) {
            const std::vector<Tensor> tensors = tensors_in(value);
            return std::any_of(tensors.begin(), tensors.end(),
                               [&](const Tensor& t) { return t.buffer == access.range.buffer; });
        });
        const int made = plan_.buffers[static_cast<size_t>(access.range.buffer)].line;
        const std::string memory = input      ? "an input"
                                   : made > 0 ? "memory allocated in line " + std::to_string(made)
                                              : "memory of the module";
        const std::string earlier = other.step && other.step->line > 0
                                        ? who(other) + " (line " + std::to_string(other.step->line) + ")"
                                        : who(other);
        return {"race",
                who(access) + (access.writes ? " writes " : " reads ") + memory + " that " + earlier +
                    (other.writes ? " writes" : " reads") +
                    " on another stream, and does not wait for it: an event or wait_stream must order them",
                access.step->line,
                {{"buffer", access.range.buffer}}};
    }

    std::optional<Finding> not_waited_for() const {
        for (size_t stream = 0; stream < last_.size(); ++stream) {
            const auto& [position, step] = last_[stream];
            if (position <= behind(plan_.ends_behind, static_cast<int>(stream)) || !step) continue;
            return Finding{
                "race",
                "the call returns while its work on another stream may still run: the current stream "
                "must wait for it (wait_stream, an event)",
                step->line, Json::object()};
        }
        return std::nullopt;
    }

    struct Last {
        int64_t position = 0;
        const Step* step = nullptr;  ///< that touched memory
    };
    const Plan& plan_;
    const KernelEffects& effects_;
    const LaunchesApart& apart_;
    std::vector<int64_t> counts_;  ///< of steps, by stream; the caller's work is the first of stream 0
    std::vector<Last> last_;
    std::map<int, std::map<int, std::vector<Access>>>
        accesses_;  ///< by buffer and stream, in rising positions
    std::optional<Finding> finding_;
};

}  // namespace

std::optional<Finding> unordered_access(const Plan& plan, const KernelEffects& effects,
                                        const LaunchesApart& apart) {
    return StreamSearch(plan, effects, apart).run();
}

}  // namespace tritonsmith::plan
