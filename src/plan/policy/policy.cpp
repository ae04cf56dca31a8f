#include "plan/policy/policy.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "plan/analysis/liveness.h"
#include "plan/analysis/range_map.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/saturate.h"
#include "plan/weights/link.h"

namespace tritonsmith::plan {
namespace {

/// What bytes depend on.
struct Taint {
    bool input = false, weight = false, drawn = false, launched = false, hosted = false;
    bool addresses = false;  ///< of buffers, as numbers
    void join(const Taint& other) {
        input |= other.input;
        weight |= other.weight;
        drawn |= other.drawn;
        launched |= other.launched;
        hosted |= other.hosted;
        addresses |= other.addresses;
    }
    /// Depends on what the trusted side fills in, or on results.
    bool data() const { return input || weight || launched || hosted; }
    bool constant() const { return !data() && !drawn; }
};

std::string dotted(std::string_view op) {
    std::string text(op);
    if (size_t colons = text.find("::"); colons != std::string::npos) text.replace(colons, 2, ".");
    return text;
}

std::string at_line(int line) {
    return line > 0 ? " at line " + std::to_string(line) : "";
}

/// Where the traced program's device addresses lie (python/tritonsmith/device.py).
constexpr uint64_t kDeviceAddresses = 0x200000000000, kDeviceSpan = uint64_t{1} << 46;

/// Operators that reach outside the plan: refused whatever the policy, and whatever the executor would know.
bool forbidden(const AtenStep& step) {
    OpName name(step.op);
    if (name.space != "aten" && name.space != "prim" && name.space != "prims") return true;
    static const std::vector<std::string_view> names{
        "from_file", "set_",          "set_data", "_cuda_getCurrentRawStream",
        "_foobar",   "_assert_async", "_print",   "_save_output"};
    return std::find(names.begin(), names.end(), name.base) != names.end();
}

/// Whether a constant of 64-bit integers has addresses of buffers in it (torch.tensor([x.data_ptr(), ...])).
bool holds_addresses(const Plan& plan, const Tensor& tensor) {
    const Buffer& constant = plan.buffers[static_cast<size_t>(tensor.buffer)];
    if (constant.kind != BufferKind::constant || (tensor.dtype != DType::i64 && tensor.dtype != DType::u64))
        return false;
    for (size_t at = 0; at + sizeof(uint64_t) <= constant.data.size(); at += sizeof(uint64_t)) {
        uint64_t word = 0;
        std::memcpy(&word, constant.data.data() + at, sizeof word);
        if (word - kDeviceAddresses >= kDeviceSpan) continue;
        for (const Buffer& buffer : plan.buffers)
            if (word - buffer.address < static_cast<uint64_t>(buffer.bytes)) return true;
    }
    return false;
}

class Inspector {
  public:
    Inspector(const Plan& plan, const PolicyOptions& options) : plan_(plan), options_(options) {
        for (const Buffer& buffer : plan.buffers)
            if (buffer.kind == BufferKind::input) taints_.set(whole(buffer), {.input = true});
        for (const Weight& weight : plan.weights) {
            weights_.set(byte_range(weight.tensor), {.weight = true});
            if (!weight.parameter) module_buffers_.set(byte_range(weight.tensor), {.weight = true});
        }
        find_replaced();
    }

    PolicyReport run() {
        steps_ = executed_steps(plan_);
        reaches_ = reaches_output(plan_, steps_, options_.effects, replaced_);
        for (size_t i = 0; i < steps_.size(); ++i) {
            reached_ = reaches_[i];
            index_ = steps_[i].index;
            visit(*steps_[i].step, true);
            if (last_of_choice(i)) other_alternatives(plan_.steps[static_cast<size_t>(index_)]);
        }
        outputs();
        share();
        return assemble();
    }

  private:
    static ByteRange whole(const Buffer& buffer) { return {buffer.id, 0, buffer.bytes, true}; }

    /// Init steps whose writes into parameters are replaced by linked values: what they compute is never
    /// used.
    void find_replaced() {
        std::vector<WeightOrigin> origins = weight_origins(plan_, options_.effects);
        for (size_t i = 0; i < origins.size(); ++i)
            if (plan_.weights[i].parameter)
                replaced_.insert(replaced_.end(), origins[i].writes.begin(), origins[i].writes.end());
        for (size_t i = 0; i < origins.size(); ++i)
            if (origins[i].law == Law::derived && origins[i].last >= 0 &&
                options_.linked.contains(plan_.weights[i].name))
                replaced_.push_back(origins[i].last);
        std::sort(replaced_.begin(), replaced_.end());
    }

    bool last_of_choice(size_t i) const {
        return std::holds_alternative<ChoiceStep>(plan_.steps[static_cast<size_t>(steps_[i].index)].what) &&
               (i + 1 == steps_.size() || steps_[i + 1].index != steps_[i].index);
    }

    /// The rest of a choice obeys the same rules, but does not add to the counts.
    void other_alternatives(const Step& choice) {
        const auto& alternatives = std::get<ChoiceStep>(choice.what).alternatives;
        reached_ = true;
        for (size_t a = 1; a < alternatives.size(); ++a)
            for (const Step& step : alternatives[a].steps) visit(step, false);
    }

    void visit(const Step& step, bool counts) {
        line_ = step.line;
        phase_ = step.phase;
        counts_ = counts;
        if (const auto* aten = std::get_if<AtenStep>(&step.what))
            visit(*aten);
        else if (const auto* launch = std::get_if<LaunchStep>(&step.what))
            visit(*launch);
    }

    void visit(const LaunchStep& launch) {
        Flow flow = flow_of(plan_, launch, options_.effects);
        Taint taint = read(flow);
        taint.launched = true;
        if (std::exchange(taint.addresses, false))
            addresses_.push_back(
                {"int_to_ptr",
                 "kernel " + plan_.kernels[static_cast<size_t>(launch.kernel)].name + at_line(line_) +
                     " is given addresses of tensors as numbers in a tensor (data_ptr()); a pointer that a "
                     "kernel loads cannot be followed",
                 line_, Json{{"kernel", plan_.kernels[static_cast<size_t>(launch.kernel)].name}}});
        write(flow, taint);
        if (!counts_) return;
        ++report_.launches;
        for (size_t i = 0; i < launch.args.size(); ++i) {
            const std::optional<ParameterEffect> effect = effect_of(launch, i, options_.effects);
            // As for the host's steps: what is read and written counts twice.
            for (int times = effect ? int{effect->reads} + int{effect->writes} : 1; times > 0; --times)
                report_.launch_bytes = saturating_add(report_.launch_bytes, bytes_behind(launch.args[i]));
        }
    }

    int64_t bytes_behind(const Value& argument) const {
        int64_t bytes = 0;
        for (const Tensor& tensor : tensors_in(argument)) bytes = saturating_add(bytes, span(tensor));
        if (const auto* pointer = std::get_if<Pointer>(&argument.v))
            bytes = plan_.buffers[static_cast<size_t>(pointer->buffer)].bytes - pointer->offset;
        return bytes;
    }

    static int64_t span(const Tensor& tensor) {
        ByteRange range = byte_range(tensor);
        return std::min(range.end - range.begin, byte_count(tensor));
    }

    void visit(const AtenStep& step) {
        if (forbidden(step)) {
            refused_.push_back(
                {"aten_not_allowed",
                 dotted(step.op) + at_line(line_) + " is not an operator that the judge executes", line_,
                 Json{{"op", step.op}}});
            return;
        }
        Flow flow = flow_of(step);
        OpClass kind = op_class(step.op);
        // What lends such memory its shape or its place is not in it.
        const bool fresh = kind == OpClass::allocate || kind == OpClass::factory || kind == OpClass::draw;
        Taint taint = fresh && tensors_in(step.args).size() == 1 ? Taint{} : read(flow);
        if (kind == OpClass::draw || step.draw >= 0) taint.drawn = true;
        for (const Tensor& tensor : tensors_in(step.args)) taint.addresses |= holds_addresses(plan_, tensor);
        if (kind == OpClass::copy && !plain_copy(step, flow)) kind = OpClass::compute;
        if (kind == OpClass::compute) taint.hosted |= taint.data();
        write(flow, taint);
        if (kind == OpClass::view || kind == OpClass::allocate) return;
        if (counts_ && (phase_ == Phase::forward || taint.data())) count(flow, kind);
        if (options_.relaxed) return note(step, kind);
        judge(step, flow, kind, taint);
    }

    void judge(const AtenStep& step, const Flow& flow, OpClass kind, const Taint& taint) {
        if (kind == OpClass::compute && !tolerated_compute(step, flow, taint))
            return compute(step, dotted(step.op) + at_line(line_) + " computes in PyTorch" +
                                     (sums(step) && taint.launched ? kPartialSums : ""));
        if (kind == OpClass::copy && options_.reference_moves_only && taint.data() &&
            phase_ == Phase::forward)
            return compute(step, dotted(step.op) + at_line(line_) +
                                     " moves data in PyTorch, and moving data is all that the task asks for");
        note(step, kind);
    }

    /// Constants may be computed from constants. While the module is built, values that linked weights
    /// replace may be computed anyhow, and drawn values may be scaled. Running statistics may be kept where
    /// no output sees them.
    bool tolerated_compute(const AtenStep& step, const Flow& flow, const Taint& taint) const {
        if (taint.constant()) return true;
        if (phase_ == Phase::init) {
            bool replaced = std::binary_search(replaced_.begin(), replaced_.end(), index_);
            return replaced || !reached_ || (!taint.data() && scalar_pointwise(step));
        }
        bool statistics = !flow.writes.empty() &&
                          std::all_of(flow.writes.begin(), flow.writes.end(), [&](const ByteRange& range) {
                              return module_buffers_.get(range).weight;
                          });
        return statistics && !reached_;
    }

    static constexpr const char* kPartialSums =
        ": a sum over the partial results of a launch (split-K) is part of the work; add them up in a kernel "
        "of your own, or by atomics into one output";

    static bool sums(const AtenStep& step) {
        const std::string_view base = OpName(step.op).base;
        return base == "sum" || base == "mean" || base == "nansum";
    }

    /// Numbers of whole types have their value in any other type; floats rounded to whole numbers are work.
    static bool castable(DType from, DType to) {
        const auto complex = [](DType type) { return type == DType::c64 || type == DType::c128; };
        return from == to || (!complex(from) && !complex(to) && (!is_floating(from) || is_floating(to)));
    }

    /// Casts that round at most as floating types do, and copies without overlap.
    static bool plain_copy(const AtenStep& step, const Flow& flow) {
        for (const ByteRange& from : flow.reads)
            for (const ByteRange& to : flow.writes)
                if (overlap(from, to)) return false;
        bool into = in_place(step.op);
        std::vector<Tensor> from = tensors_in(step.args), to = tensors_in(step.result);
        if (into) {
            if (step.args.size() < 2) return false;
            to = tensors_in(step.args[0]);
            from = tensors_in(step.args[1]);
        }
        if (from.empty()) return into;  // copy_ of a number
        for (const Tensor& target : to)
            for (const Tensor& source : from)
                if (!castable(source.dtype, target.dtype)) return false;
        return true;
    }

    Taint read(const Flow& flow) const {
        Taint taint;
        for (const ByteRange& range : flow.reads) {
            taint.join(taints_.get(range));
            taint.join(weights_.get(range));
        }
        return taint;
    }

    void write(const Flow& flow, const Taint& taint) {
        bool choice = std::holds_alternative<ChoiceStep>(plan_.steps[static_cast<size_t>(index_)].what);
        for (const ByteRange& range : flow.writes) {
            if (choice)
                taints_.add(range, taint);
            else
                taints_.write(range, taint);
        }
    }

    void count(const Flow& flow, OpClass kind) {
        ++report_.host_steps;
        if (kind == OpClass::copy && first_copy(flow)) return;
        for (const ByteRange& range : flow.reads)
            report_.host_bytes = saturating_add(report_.host_bytes, range.end - range.begin);
        for (const ByteRange& range : flow.writes)
            report_.host_bytes = saturating_add(report_.host_bytes, range.end - range.begin);
    }

    /// Each input, weight and cache may be copied once whatever the launches move (a kernel that changes one
    /// place of a cache that is not to be changed): what it costs is timed.
    bool first_copy(const Flow& flow) {
        if (flow.reads.size() != 1 || flow.writes.size() != 1) return false;
        const ByteRange &from = flow.reads.front(), &to = flow.writes.front();
        const Taint held = weights_.get(from);
        const bool given = plan_.buffers[static_cast<size_t>(from.buffer)].kind == BufferKind::input;
        if ((!given && !held.weight) || to.end - to.begin > from.end - from.begin) return false;
        return copied_.insert(from.buffer).second;
    }

    void compute(const AtenStep& step, std::string message) {
        computed_.push_back({"host_compute", std::move(message), line_, Json{{"op", step.op}}});
    }

    void note(const AtenStep& step, OpClass kind) {
        if (!counts_) return;
        static const char* const did[] = {
            "allocates",          "makes a constant", "fills", "views", "copies", "draws random numbers",
            "computes in PyTorch"};
        report_.notes.push_back(
            {"host_step", dotted(step.op) + at_line(line_) + " " + did[static_cast<size_t>(kind)], line_,
             Json{{"op", step.op}, {"phase", phase_ == Phase::init ? "init" : "forward"}}});
    }

    /// Host code that has read values of an input may bring them in as numbers, which no dataflow shows.
    bool reads_values() const {
        return std::any_of(plan_.steps.begin(), plan_.steps.end(),
                           [](const Step& step) { return std::holds_alternative<ReadStep>(step.what); });
    }

    void outputs() {
        const bool reads = reads_values();
        std::vector<Tensor> tensors = tensors_in(plan_.output);
        for (size_t i = 0; i < tensors.size(); ++i) {
            ByteRange range = byte_range(tensors[i]);
            Taint taint = taints_.get(range);
            taint.join(weights_.get(range));
            bool may_be_constant = i < options_.constant_outputs.size() && options_.constant_outputs[i];
            const bool of_inputs = i < options_.outputs_of_inputs.size() && options_.outputs_of_inputs[i];
            if (!range.empty() && taint.launched && !taint.input && !taint.weight && !reads &&
                !may_be_constant && (!taint.drawn || of_inputs))
                constant_.push_back(
                    {"output_ignores_inputs",
                     "output " + std::to_string(i) +
                         (taint.drawn ? " is made of random numbers that the candidate draws "
                                        "itself: nothing of the inputs reaches it"
                                      : " is the same whatever the inputs are: nothing of them "
                                        "reaches it"),
                     0, Json{{"output", i}}});
            if (options_.relaxed) continue;
            bool exempt = i < options_.exempt_outputs.size() && options_.exempt_outputs[i];
            if (range.empty() || exempt) continue;
            if (taint.launched) continue;
            std::string what = taint.hosted   ? "is computed in PyTorch"
                               : taint.input  ? "is an input, or a copy or view of one"
                               : taint.weight ? "is a weight, or a copy or view of one"
                                              : "holds constants or nothing";
            unlaunched_.push_back(
                {"output_not_from_kernel",
                 "output " + std::to_string(i) + " does not come from a Triton launch: it " + what, 0,
                 Json{{"output", i}}});
        }
    }

    void share() {
        if (options_.relaxed || !computed_.empty() || report_.host_bytes <= report_.launch_bytes ||
            report_.launches == 0)
            return;
        int line = 0;
        for (const Finding& host_note : report_.notes)
            if (line == 0 && host_note.evidence.at("phase") == "forward") line = host_note.line;
        computed_.push_back(
            {"host_compute",
             "copies, casts and fills in PyTorch move " + std::to_string(report_.host_bytes) +
                 " bytes, more than the " + std::to_string(report_.launch_bytes) + " of the launches",
             line, Json{{"host_bytes", report_.host_bytes}, {"launch_bytes", report_.launch_bytes}}});
    }

    PolicyReport assemble() {
        if (report_.launches == 0)
            report_.findings.push_back(
                {"no_triton_launch", "no Triton kernel is launched", 0, Json::object()});
        for (auto* list : {&refused_, &addresses_, &computed_, &unlaunched_, &constant_})
            report_.findings.insert(report_.findings.end(), list->begin(), list->end());
        return std::move(report_);
    }

    const Plan& plan_;
    const PolicyOptions& options_;
    RangeMap<Taint> taints_, weights_, module_buffers_;
    std::vector<int> replaced_;
    std::vector<Executed> steps_;
    std::vector<bool> reaches_;
    PolicyReport report_;
    std::set<int> copied_;  ///< buffers of which one copy has been made
    std::vector<Finding> refused_, addresses_, computed_, unlaunched_, constant_;
    // Of the step in hand.
    bool reached_ = false, counts_ = true;
    int line_ = 0, index_ = 0;
    Phase phase_ = Phase::forward;
};

}  // namespace

PolicyReport check_policy(const Plan& candidate, const PolicyOptions& options) {
    return Inspector(candidate, options).run();
}

}  // namespace tritonsmith::plan
