#include "run/worker/sample/handed_on.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/worker/sample/buffers/constants.h"
#include "run/worker/sample/coverage.h"
#include "run/worker/sample/events.h"

namespace tritonsmith::run::sample {

namespace {

constexpr int kPlaces = 32, kLeastPlaces = 16;
constexpr int64_t kWorkForBuffer = 2'000'000;  ///< Footprint::reads, writers

/// Buffers that others than launches of the forward phase read or write: the caller, PyTorch's operators.
std::set<int> used_by_others(const plan::Plan& plan, const std::vector<plan::Executed>& steps) {
    std::set<int> out;
    const auto add = [&](const std::vector<plan::Tensor>& tensors) {
        for (const plan::Tensor& tensor : tensors) out.insert(tensor.buffer);
    };
    add(plan::tensors_in(plan.inputs));
    add(plan::tensors_in(plan.output));
    for (const plan::Weight& weight : plan.weights) out.insert(weight.tensor.buffer);
    for (const plan::Executed& executed : steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&executed.step->what);
        if (aten) {
            const plan::OpClass kind = plan::op_class(aten->op);
            if (kind == plan::OpClass::view || kind == plan::OpClass::allocate || constant_of(*aten))
                continue;
            const plan::Flow flow = plan::flow_of(*aten);
            for (const plan::ByteRange& range : flow.reads) out.insert(range.buffer);
            for (const plan::ByteRange& range : flow.writes) out.insert(range.buffer);
            add(plan::tensors_in(aten->result));
        } else if (const auto* read = std::get_if<plan::ReadStep>(&executed.step->what)) {
            out.insert(read->tensor.buffer);
        }
    }
    return out;
}

plan::Tensor bytes_of(const plan::Buffer& buffer) {
    plan::Tensor all;
    all.buffer = buffer.id;
    all.dtype = plan::DType::u8;
    all.shape = {buffer.bytes};
    all.stride = {1};
    return all;
}

/// Whether some launch may write, or read, some of the bytes. Nothing where there is not enough work to tell.
class Asked {
  public:
    Asked(const Events& events, const ttir::Buffer* buffer) : events_(events), buffer_(buffer) {}

    std::optional<bool> written(const ttir::ByteRanges& bytes) {
        return by_any([&](const Launch& launch) -> std::optional<bool> {
            if (!launch.writes.contains(buffer_)) return false;
            const auto found = launch.footprint->writers({{buffer_, bytes}}, 1, work_);
            if (found) return !found->empty();
            return work_ < 0 ? std::nullopt : std::optional(true);
        });
    }
    std::optional<bool> read(const ttir::ByteRanges& bytes) {
        return by_any([&](const Launch& launch) {
            return launch.footprint->reads({{buffer_, bytes}}, work_);
        });
    }

  private:
    template <class Of>
    std::optional<bool> by_any(const Of& of) {
        bool known = true;
        for (const Launch& launch : events_.launches()) {
            if (!launch.footprint) continue;
            const std::optional<bool> found = of(launch);
            if (found.value_or(false)) return true;
            known &= found.has_value();
        }
        return known ? std::optional(false) : std::nullopt;
    }

    const Events& events_;
    const ttir::Buffer* buffer_;
    int64_t work_ = kWorkForBuffer;
};

/// The share of places, drawn over the buffer, that may be written and surely nobody reads; 0 where that
/// cannot be known of enough of them.
double unread_share(Asked& asked, int64_t bytes, std::mt19937_64& random) {
    int unread = 0, known = 0;
    for (int i = 0; i < kPlaces; ++i) {
        const int64_t at = std::uniform_int_distribution<int64_t>(0, bytes - 1)(random);
        ttir::ByteRanges place;
        place.add(at, at + 1);
        const std::optional<bool> read = asked.read(place);
        if (!read) break;
        ++known;
        if (!*read && asked.written(place).value_or(false)) ++unread;
    }
    return known < kLeastPlaces ? 0 : static_cast<double>(unread) / known;
}

}  // namespace

std::vector<HandedOn> handed_on(const Context& context, const Leaves::Options& options, PageCache& pages,
                                std::mt19937_64& random) {
    const plan::Plan& plan = context.plan();
    const std::vector<plan::Executed> steps = plan::executed_steps(plan);
    const Leaves leaves(context.owned.leaves, options);
    if (!leaves.usable()) return {};
    Memory memory(context.owned.leaves, plan, context.request.links, leaves, options.seed, pages);
    const Events events(steps, context.request.skip_kernels, context.kernels, memory, {});
    if (!events.followed()) return {};

    std::set<int> left_out = used_by_others(plan, steps);
    std::vector<HandedOn> out;
    for (const Launch& launch : events.launches())
        for (size_t i = 0; i < launch.step->args.size(); ++i) {
            const int id = plan::buffer_of(launch.step->args[i]);
            if (id < 0 || !launch.writes.contains(events.buffer(id)) || !left_out.insert(id).second) continue;
            const plan::Buffer& buffer = plan.buffers[static_cast<size_t>(id)];
            if (buffer.bytes == 0) continue;
            HandedOn one{plan.kernels[static_cast<size_t>(launch.step->kernel)].name, static_cast<int>(i),
                         launch.line, buffer.bytes};
            Asked asked(events, events.buffer(id));
            const ttir::ByteRanges gaps = gap_bytes(events, bytes_of(buffer), random);
            if (!gaps.empty() && asked.read(gaps).value_or(false)) one.unwritten = gaps.bytes();
            one.unread = unread_share(asked, buffer.bytes, random);
            if (one.unwritten > 0 || one.unread > 0) out.push_back(std::move(one));
        }
    return out;
}

}  // namespace tritonsmith::run::sample
