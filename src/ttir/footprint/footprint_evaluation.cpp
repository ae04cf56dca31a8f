#include "ttir/footprint/footprint_evaluation.h"

#include <algorithm>
#include <bit>

namespace tritonsmith::ttir {

namespace {

using NodeKind = SliceNode::Kind;

/// Nodes of loops that are run round by round for one program; beyond it all rounds are taken at once.
constexpr int64_t kMostWork = 1 << 14;

const Buffer* buffer_of(const PointerArgument& pointer) {
    return pointer.buffer;
}

int64_t wrapped(int64_t value, const Type& type) {
    switch (type.elem) {
        case Scalar::i1:
            return value != 0 ? 1 : 0;
        case Scalar::i8:
            return static_cast<int8_t>(value);
        case Scalar::i16:
            return static_cast<int16_t>(value);
        case Scalar::i32:
            return static_cast<int32_t>(value);
        default:
            return value;
    }
}

/// Rounds of a loop from `lower` below `upper`.
int64_t rounds_between(int64_t lower, int64_t upper, int64_t step) {
    return upper <= lower ? 0 : (upper - lower - 1) / step + 1;
}

}  // namespace

const Buffer* argument_buffer(const Argument& argument) {
    if (const auto* pointer = std::get_if<PointerArgument>(&argument)) return buffer_of(*pointer);
    if (const auto* descriptor = std::get_if<DescriptorArgument>(&argument))
        return buffer_of(descriptor->base);
    return nullptr;
}

FootprintEvaluation::FootprintEvaluation(const FootprintSlice& slice, const std::array<int64_t, 3>& grid,
                                         const std::vector<Argument>& arguments)
    : slice_(slice), grid_(grid) {
    if (!slice.followed()) return;
    const Function& function = slice.function();
    followed_ = arguments.size() == function.parameters.size();
    values_.resize(function.values.size());
    for (size_t i = 0; followed_ && i < arguments.size(); i++) bind(i, arguments[i]);
    parameters_ = values_;
}

void FootprintEvaluation::bind(size_t parameter, const Argument& argument) {
    const ValueId v = slice_.function().parameters[parameter];
    buffers_.push_back(argument_buffer(argument));
    const auto* number = std::get_if<int64_t>(&argument);
    if (const auto* pointer = std::get_if<PointerArgument>(&argument)) {
        // An address that is given as a number goes where it wants.
        if (type(v).kind != Type::Kind::pointer) followed_ = false;
        at(v) = LaneRange::exactly(pointer->offset);
    } else if (const auto* descriptor = std::get_if<DescriptorArgument>(&argument)) {
        Box box;
        box.base = LaneRange::exactly(descriptor->base.offset);
        for (int64_t n : descriptor->shape) box.shape.push_back(LaneRange::exactly(n));
        for (int64_t n : descriptor->stride) box.stride.push_back(LaneRange::exactly(n));
        box.bytes = pointee_bytes(type(v));
        boxes_[v] = std::move(box);
    } else if (type(v).kind == Type::Kind::pointer) {
        followed_ &= number != nullptr && *number == 0;
    } else if (number != nullptr && type(v).kind == Type::Kind::scalar) {
        at(v) = LaneRange::exactly(wrapped(*number, type(v)));
    }
}

Footprint::Bytes FootprintEvaluation::run(const ProgramBox& box) {
    programs_ = box;
    bytes_ = {};
    if (slice_.several_blocks()) values_ = parameters_;  // a block may lie before those that lead to it
    const bool one =
        box.to[0] - box.from[0] == 1 && box.to[1] - box.from[1] == 1 && box.to[2] - box.from[2] == 1;
    work_ = one ? kMostWork : 0;
    run(slice_.nodes());
    return std::move(bytes_);
}

void FootprintEvaluation::set(ValueId v, LaneRange range) {
    const Type& t = type(v);
    if (t.shape.size() > LaneRange::kRank) range = LaneRange::unknown();
    if (t.kind == Type::Kind::scalar) {
        // What does not fit into the type wraps.
        const LaneRange all = LaneRange::of_type(t);
        if (!range.known || (all.known && (range.least(t.shape) < all.low || range.most(t.shape) > all.high)))
            range = t.shape.size() > LaneRange::kRank ? LaneRange::unknown() : all;
    }
    at(v) = range;
}

void FootprintEvaluation::run(const std::vector<SliceNode>& nodes) {
    for (const SliceNode& node : nodes) run(node);
}

void FootprintEvaluation::run(const SliceNode& node) {
    spent_++;
    switch (node.kind) {
        case NodeKind::access:
            return access(node);
        case NodeKind::box_access:
            return box_access(node);
        case NodeKind::call:
            note_all(node);
            break;
        case NodeKind::make_descriptor:
            return make_descriptor(node);
        case NodeKind::loop:
            return loop(node);
        case NodeKind::choice:
            return choice(node);
        case NodeKind::regions:
            for (const auto& region : node.regions) run(region);
            break;
        default:
            return set(node.op->results[0], value_of(node));
    }
    for (ValueId v : node.op->results) set(v, LaneRange::unknown());
}

LaneRange FootprintEvaluation::value_of(const SliceNode& node) {
    const Operation& op = *node.op;
    const auto operand = [&](size_t i) -> const LaneRange& { return at(op.operands[i]); };
    const auto axis = static_cast<size_t>(node.number);
    switch (node.kind) {
        case NodeKind::program_id:
            return LaneRange::between(programs_.from[axis], programs_.to[axis] - 1);
        case NodeKind::num_programs:
            return LaneRange::exactly(grid_[axis]);
        case NodeKind::value:
            return node.constant;
        case NodeKind::copy: {
            LaneRange r = operand(0);
            const Type& from = type(op.operands[0]);
            if (node.number == 1 && r.known && r.least(from.shape) < 0) return LaneRange::unknown();
            if (r.windowed)  // a dimension of one that grows
                for (size_t d = 0; d < std::min(node.shape->size(), LaneRange::kRank); d++)
                    if (from.shape.size() != node.shape->size() || from.shape[d] != (*node.shape)[d]) {
                        const bool none = d < from.shape.size() && r.window.from[d] >= r.window.to[d];
                        r.window.from[d] = 0;
                        r.window.to[d] = none ? 0 : (*node.shape)[d];
                    }
            for (size_t d = 0; d < std::min(from.shape.size(), LaneRange::kRank); d++)
                if (from.shape[d] == 1) r.step[d] = 0;
            return r;
        }
        case NodeKind::expand: {
            LaneRange r = operand(0);
            if (axis >= LaneRange::kRank) return LaneRange::unknown();
            for (size_t d = LaneRange::kRank - 1; d > axis; d--) {
                r.step[d] = r.step[d - 1];
                r.window.from[d] = r.window.from[d - 1];
                r.window.to[d] = r.window.to[d - 1];
            }
            r.step[axis] = r.window.from[axis] = 0;
            r.window.to[axis] = 1;
            return r;
        }
        case NodeKind::transpose: {
            const LaneRange& from = operand(0);
            LaneRange r = from;
            const auto found = op.attributes.find("order");
            const auto* order =
                found == op.attributes.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.v);
            if (order == nullptr || order->size() > LaneRange::kRank) return LaneRange::unknown();
            for (size_t d = 0; d < order->size(); d++) {
                const auto s = static_cast<size_t>((*order)[d]);
                r.step[d] = from.step[s];
                r.window.from[d] = from.window.from[s];
                r.window.to[d] = from.window.to[s];
            }
            return r;
        }
        case NodeKind::reshape:
            return reshaped(op);
        case NodeKind::add_pointer:
            return node.number == 0 ? LaneRange::unknown() : plus(operand(0), times(operand(1), node.number));
        case NodeKind::arithmetic:
            return arithmetic(node.integer, operand(0), operand(1), *node.shape);
        case NodeKind::logical_and:
            return both(operand(0), operand(1), *node.shape);
        case NodeKind::compare:
            return compared(node.comparison, operand(0), operand(1), *node.shape);
        case NodeKind::select:
            if (operand(0).exact()) return operand(operand(0).low != 0 ? 1 : 2);
            return either(operand(1), operand(2), *node.shape);
        case NodeKind::extend_sign_of_truth:
            return operand(0).known ? LaneRange::between(-operand(0).high, -operand(0).low)
                                    : LaneRange::between(-1, 0);
        default:
            return LaneRange::unknown();
    }
}

/// One dimension into several keeps its steps; anything else its bounds.
LaneRange FootprintEvaluation::reshaped(const Operation& op) {
    const LaneRange& from = at(op.operands[0]);
    const std::vector<int64_t>&before = type(op.operands[0]).shape, &after = type(op.results[0]).shape;
    if (!from.known || after.size() > LaneRange::kRank) return LaneRange::unknown();
    if (before.size() != 1 || op.attributes.contains("allow_reorder")) return from.flattened(before);
    LaneRange r = LaneRange::between(from.low, from.high);
    int64_t inner = 1;
    for (size_t d = after.size(); d-- > 0;) {
        r.step[d] = from.step[0] * inner;
        inner *= after[d];
    }
    return r;
}

void FootprintEvaluation::loop(const SliceNode& node) {
    const Operation& op = *node.op;
    const LaneRange lower = at(op.operands[0]), upper = at(op.operands[1]), step = at(op.operands[2]);
    const bool counted = lower.known && upper.known && step.known && step.low > 0 &&
                         !(op.attributes.contains("unsignedCmp") && (lower.low < 0 || upper.low < 0));
    for (size_t r : node.carried) {
        const ValueId argument = op.regions[0].blocks[0].arguments[r + 1];
        at(argument) = at(op.operands[r + 3]);
    }
    if (!counted) return any_round(node, LaneRange::of_type(type(op.regions[0].blocks[0].arguments[0])), -1);
    const int64_t most = rounds_between(lower.low, upper.high, step.low);
    if (lower.exact() && upper.exact() && step.exact() && most <= work_ / node.size) {
        work_ -= most * node.size;
        return rounds(node, lower.low, step.low, most);
    }
    if (most == 0) return rounds(node, 0, 1, 0);
    any_round(node, LaneRange::between(lower.low, std::max(lower.low, upper.high - 1)), most);
}

/// Round by round.
void FootprintEvaluation::rounds(const SliceNode& node, int64_t lower, int64_t step, int64_t count) {
    const Operation& op = *node.op;
    const Block& body = op.regions[0].blocks[0];
    std::vector<LaneRange> next(node.carried.size());
    for (int64_t round = 0; round < count; round++) {
        set(body.arguments[0], LaneRange::exactly(lower + round * step));
        run(node.regions[0]);
        for (size_t i = 0; i < next.size(); i++)
            next[i] = at(body.operations.back().operands[node.carried[i]]);
        for (size_t i = 0; i < next.size(); i++) set(body.arguments[node.carried[i] + 1], next[i]);
    }
    for (size_t r : node.carried) set(op.results[r], at(body.arguments[r + 1]));
}

/// All rounds at once. What is carried is unknown, but for sums: their addend, in any round, is bounded.
/// @param most rounds; -1: any number
void FootprintEvaluation::any_round(const SliceNode& node, const LaneRange& counter, int64_t most) {
    const Operation& op = *node.op;
    const Block& body = op.regions[0].blocks[0];
    const int64_t work = std::exchange(work_, 0);  // loops inside as well
    set(body.arguments[0], counter);
    std::vector<LaneRange> initial;
    for (size_t i = 0; i < node.carried.size(); i++) {
        const ValueId argument = body.arguments[node.carried[i] + 1];
        initial.push_back(at(argument));
        if (node.added[i] != -2) set(argument, LaneRange::unknown());
    }
    const auto sum_after = [&](size_t i, int64_t rounds) {
        const ValueId argument = body.arguments[node.carried[i] + 1], added = node.added[i];
        if (added < 0 || most < 0) return LaneRange::unknown();
        const LaneRange addend = at(added);
        if (!addend.known) return LaneRange::unknown();
        const auto bound = [&](int64_t value) { return times(LaneRange::exactly(value), rounds); };
        const LaneRange low = bound(std::min<int64_t>(0, addend.least(type(added).shape))),
                        high = bound(std::max<int64_t>(0, addend.most(type(added).shape)));
        if (!low.known || !high.known) return LaneRange::unknown();
        const LaneRange sum = LaneRange::between(low.low, high.high);
        if (type(argument).kind != Type::Kind::pointer) return plus(initial[i], sum);
        const int64_t bytes = pointee_bytes(type(argument));
        return bytes == 0 ? LaneRange::unknown() : plus(initial[i], times(sum, bytes));
    };
    const bool sums = std::any_of(node.added.begin(), node.added.end(), [](ValueId v) { return v >= 0; });
    if (sums && most >= 0) {
        quiet_++;
        run(node.regions[0]);
        quiet_--;
        std::vector<LaneRange> carried;
        for (size_t i = 0; i < node.carried.size(); i++) carried.push_back(sum_after(i, most - 1));
        for (size_t i = 0; i < node.carried.size(); i++)
            if (node.added[i] != -2) set(body.arguments[node.carried[i] + 1], carried[i]);
    }
    if (quiet_ == 0 || !node.carried.empty()) run(node.regions[0]);
    for (size_t i = 0; i < node.carried.size(); i++)
        set(op.results[node.carried[i]], node.added[i] == -2 ? initial[i] : sum_after(i, most));
    work_ = work;
}

void FootprintEvaluation::choice(const SliceNode& node) {
    const Operation& op = *node.op;
    const LaneRange condition = at(op.operands[0]);
    std::vector<LaneRange> results(node.carried.size());
    bool first = true;
    for (size_t way = 0; way < 2; way++) {
        if (condition.exact() && (condition.low != 0) != (way == 0)) continue;
        if (way >= node.regions.size() || op.regions[way].blocks.empty()) continue;
        run(node.regions[way]);
        const Operation& yield = op.regions[way].blocks[0].operations.back();
        for (size_t i = 0; i < results.size(); i++) {
            const ValueId result = op.results[node.carried[i]];
            const LaneRange& value = at(yield.operands[node.carried[i]]);
            results[i] = first ? value : either(results[i], value, type(result).shape);
        }
        first = false;
    }
    for (size_t i = 0; i < results.size(); i++) set(op.results[node.carried[i]], results[i]);
}

void FootprintEvaluation::access(const SliceNode& node) {
    const Operation& op = *node.op;
    std::vector<int64_t> shape = *node.shape;
    LaneRange offset = at(op.operands[0]);
    const size_t group = op.name == "tt.load" ? 1 : 2;  // of the mask, behind one operand in each
    if (op.segments.size() > group && op.segments[group] == 1 && type(op.operands[group]).shape == shape) {
        const LaneRange& mask = at(op.operands[group]);
        if (mask.exact() && mask.low == 0) return;
        if (mask.windowed && shape.size() <= LaneRange::kRank)
            for (size_t d = 0; d < shape.size(); d++) {
                const int64_t from = std::max<int64_t>(0, mask.window.from[d]);
                shape[d] = std::min(shape[d], mask.window.to[d]) - from;
                if (shape[d] <= 0) return;
                offset = plus(offset, LaneRange::exactly(from * offset.step[d]));
            }
    }
    if (node.number == 0) return note_all(node);
    note(node, offset, std::move(shape), node.number);
}

void FootprintEvaluation::make_descriptor(const SliceNode& node) {
    const Operation& op = *node.op;
    Box box;
    box.base = at(op.operands[0]);
    const size_t rank = (op.operands.size() - 1) / 2;
    for (size_t d = 0; d < rank; d++) box.shape.push_back(at(op.operands[1 + d]));
    for (size_t d = 0; d < rank; d++) box.stride.push_back(at(op.operands[1 + rank + d]));
    box.bytes = node.number;
    boxes_[op.results[0]] = std::move(box);
}

void FootprintEvaluation::box_access(const SliceNode& node) {
    const Operation& op = *node.op;
    const auto found = boxes_.find(op.operands[0]);
    const Type& descriptor = type(op.operands[0]);
    if (found == boxes_.end() || descriptor.pointee == nullptr || op.name == "tt.descriptor_gather" ||
        op.name == "tt.descriptor_scatter")
        return note_all(node);
    const Box& box = found->second;
    std::vector<int64_t> block = descriptor.pointee->shape;
    const size_t rank = block.size(), first = op.operands.size() - rank;
    if (rank > LaneRange::kRank || box.stride.size() != rank || box.bytes == 0) return note_all(node);
    LaneRange offset = box.base;
    for (size_t d = 0; d < rank; d++) {
        LaneRange index = at(op.operands[first + d]);
        const LaneRange &stride = box.stride[d], &extent = box.shape[d];
        if (!index.known || !stride.exact()) return note_all(node);
        if (index.exact()) {  // clipped at the tensor's edges
            const int64_t from = std::max<int64_t>(0, -index.low);
            int64_t to = block[d];
            if (extent.exact()) to = std::min(to, extent.low - index.low);
            if (to <= from) return;
            index = LaneRange::exactly(index.low + from);
            block[d] = to - from;
        }
        index.step[d] = 1;
        offset = plus(offset, times(index, stride.low * box.bytes));
    }
    note(node, offset, std::move(block), box.bytes);
}

void FootprintEvaluation::note(const SliceNode& node, LaneRange offset, std::vector<int64_t> shape,
                               int64_t size) {
    const uint64_t roots = slice_.roots(node.op->operands[0]);
    if (!offset.known || std::popcount(roots) != 1 || shape.size() > LaneRange::kRank) return note_all(node);
    const Buffer* buffer = buffers_[static_cast<size_t>(std::countr_zero(roots))];
    // Dimensions from the one that moves least; a run grows as long as the next step does not leave a gap.
    struct Dimension {
        int64_t step, count;
    };
    std::vector<Dimension> dimensions;
    for (size_t d = 0; d < shape.size(); d++) {
        const int64_t step = offset.step[d];
        if (step == 0 || shape[d] <= 1) continue;
        if (step < 0) {
            offset.low += step * (shape[d] - 1);
            offset.high += step * (shape[d] - 1);
        }
        dimensions.push_back({std::abs(step), shape[d]});
    }
    std::sort(dimensions.begin(), dimensions.end(),
              [](const Dimension& a, const Dimension& b) { return a.step < b.step; });
    constexpr int64_t kMostRuns = 1024;
    int64_t run = size + (offset.high - offset.low), runs = 1;
    for (const Dimension& d : dimensions) runs = std::min(runs * d.count, int64_t{1} << 40);
    size_t inner = 0;
    for (; inner < dimensions.size(); inner++) {
        const Dimension& d = dimensions[inner];
        if (d.step > run && runs <= kMostRuns) break;
        run += d.step * (d.count - 1);
        runs /= d.count;
    }
    dimensions.erase(dimensions.begin(), dimensions.begin() + static_cast<std::ptrdiff_t>(inner));
    runs = 1;
    for (const Dimension& d : dimensions) runs *= d.count;
    for (int64_t i = 0; i < runs; i++) {
        int64_t rest = i, begin = offset.low;
        for (const Dimension& d : dimensions) {
            begin += rest % d.count * d.step;
            rest /= d.count;
        }
        note_bytes(node, buffer, begin, begin + run);
    }
}

void FootprintEvaluation::note_all(const SliceNode& node) {
    uint64_t roots = 0;
    for (ValueId v : node.op->operands) roots |= slice_.roots(v);
    for (size_t i = 0; i < buffers_.size(); i++)
        if ((roots >> i & 1) != 0 && buffers_[i] != nullptr)
            note_bytes(node, buffers_[i], 0, buffers_[i]->bytes());
}

void FootprintEvaluation::note_bytes(const SliceNode& node, const Buffer* buffer, int64_t begin,
                                     int64_t end) {
    if (buffer == nullptr || quiet_ > 0) return;
    begin = std::max<int64_t>(begin, 0);
    end = std::min(end, buffer->bytes());
    if (node.reads) bytes_.read[buffer].add(begin, end);
    if (node.writes) bytes_.written[buffer].add(begin, end);
}

}  // namespace tritonsmith::ttir
