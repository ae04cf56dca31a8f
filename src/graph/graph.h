#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/index_map.h"
#include "graph/scalar.h"
#include "plan/ir/plan.h"

/// Tensor programs in SSA: static shapes, no aliasing, nothing written in place. Values are tensors; a node
/// reads its operands through index maps, so that views, transposes, broadcasts, padding and casts are no
/// nodes. docs/graph.md
namespace tritonsmith::graph {

/// A tensor as a node sees it: elements of `value`, read through `view` (its shape is the operand's), as
/// `dtype`: converted where the value has another one (the view's fill before that).
struct Operand {
    int value = -1;  ///< index into Graph::values
    IndexMap view;
    DType dtype = DType::f32;
    const std::vector<int64_t>& shape() const { return view.shape; }
    bool operator==(const Operand&) const = default;
};

struct Value {
    DType dtype = DType::f32;
    std::vector<int64_t> shape;
    int node = -1;     ///< that makes it
    int result = 0;    ///< which of the node's results it is
    std::string name;  ///< from the task's text, "" where unknown; not unique
};

// Leaves: tensors that are there before the call. `stride` counts elements; dense unless an input is a view.
struct Input {
    int position = 0;  ///< among the call's arguments
    std::string path;  ///< inside of the argument, where that is a list or a dict: "[1]"
    std::vector<int64_t> stride;
    int buffer = -1;  ///< of the plan; also below
};
/// An entry of the state dict.
struct Weight {
    std::string name;  ///< "blocks.0.fc1.weight"
    bool parameter = true;
    std::vector<int64_t> stride;
    int buffer = -1;
};
/// A tensor that construction made and the state dict does not have: a plain attribute.
struct Attribute {
    int line = 0;  ///< of the step that made it
    std::vector<int64_t> stride;
    int buffer = -1;
};
struct Constant {
    std::vector<uint8_t> bytes;  ///< row-major, of the value's dtype
};

/// out[i] = body(operands[0][i], …): operands have the result's shape. Without operands: fills, iotas, masks.
struct Pointwise {
    Expression body;
};

/// Operands one after the other along `axis`.
struct Concat {
    int axis = 0;
};

enum class ReduceKind : uint8_t {
    sum,
    mean,
    prod,
    max,  ///< NaN if any is
    min,
    any,
    all,
    var,  ///< divided by max(0, count - correction)
    std,
    norm,  ///< (Σ|x|^p)^(1/p); p may be 0, inf, -inf
    logsumexp,
    argmax,  ///< i64, counted along the one reduced axis; the first of equal ones; NaN is the largest
    argmin,
    max_index,  ///< two results: value and index
    min_index,
    count_nonzero,
};
/// Operand 0 over `axes` (sorted, none twice). The result has the other axes, in order: keepdim is a view of
/// it.
struct Reduce {
    ReduceKind kind = ReduceKind::sum;
    std::vector<int> axes;
    double correction = 1;  ///< var, std
    double p = 2;           ///< norm
};

enum class ScanKind : uint8_t {
    sum,
    prod,
    max,
    min,
    logsumexp
};  // max and min: results value, index (last of equals)
struct Scan {
    ScanKind kind = ScanKind::sum;
    int axis = 0;
};

/// Results: values, indices (i64).
struct Sort {
    int axis = 0;
    bool descending = false, stable = true;
};
struct TopK {
    int64_t k = 1;
    int axis = 0;
    bool largest = true, sorted = true;
};

/// out[b…, m, n] = alpha · Σ_k lhs[b…, m, k] · rhs[b…, k, n] + beta · addend[b…, m, n].
/// Operands: lhs, rhs, optionally the addend (of the result's shape, mostly a broadcast bias). Accumulates in
/// float32 for half precision and rounds once.
struct Contract {
    double alpha = 1, beta = 1;
};

/// Operands: x [N, C, spatial…], weight [O, C / groups, kernel…] (transposed: [C, O / groups, kernel…]),
/// optional bias [O].
struct Convolution {
    std::vector<int64_t> stride, padding, dilation, output_padding;
    int64_t groups = 1;
    bool transposed = false;
    /// Its definition copies x and the weights first, so that channels are neighbours in memory.
    bool channels_last = false;
};

enum class PoolKind : uint8_t { max, mean };
/// Over the last kernel.size() axes. Results: value and, of max, the index in the flattened input plane.
struct Pool {
    PoolKind kind = PoolKind::max;
    std::vector<int64_t> kernel, stride = {}, padding = {}, dilation = {};
    bool ceil_mode = false, count_include_pad = true;
    int64_t divisor = 0;  ///< mean: instead of the window's size; 0: none
};
/// Output element o of an axis of size n covers [floor(o·n / size), ceil((o + 1)·n / size)).
struct AdaptivePool {
    PoolKind kind = PoolKind::mean;
    std::vector<int64_t> size;  ///< of the last axes
};

enum class NormKind : uint8_t {
    layer,  ///< over the last `axes` axes; weight and bias of their shape
    rms,    ///< the same without mean and bias
    group,  ///< x [N, C, …] in `groups` groups of channels; weight, bias [C]
    batch   ///< each channel over all other axes; weight, bias, running mean and variance [C]
};
/// Operands as `has` says, in this order: x, weight, bias, running mean, running variance.
/// Results: out; of a batch norm in training with running statistics also their new values (unbiased
/// variance).
struct Normalize {
    NormKind kind = NormKind::layer;
    int axes = 1;
    int64_t groups = 1;
    double eps = 1e-5;
    bool training = false;  ///< batch: statistics of x, else the running ones
    double momentum = 0.1;
    struct Has {
        bool weight = false, bias = false, running = false;
    } has = {};
};

struct Softmax {
    int axis = 0;
    bool log = false;
};

/// Operands: q [batch…, L, E], k [batch…, S, E], v [batch…, S, Ev], optionally a mask [batch…, L, S] (b1:
/// true takes part; else added). out = softmax(scale · q kᵀ + mask) v. Heads of k and v are repeated by the
/// operand's view (GQA).
struct Attention {
    double scale = 1;
    bool causal = false;  ///< query l sees keys 0 … l
};

/// One axis of an indexed tensor: read at an index operand's value, or at an expression of the node's own
/// index.
struct Place {
    int operand = -1;  ///< index among the node's index operands; -1: `at`
    Index at = {};
};
/// out[i] = source[place_0(i), place_1(i), …]. Operands: source, then index tensors of the result's shape
/// (i64 or i32). embedding, index_select, gather, advanced indexing. `wrap`: negative indices count from the
/// end.
struct Gather {
    std::vector<Place> places;
    bool wrap = false;
};
enum class ScatterKind : uint8_t { assign, add, prod, max, min, mean };
/// out = base, then for each index u of the updates: out[place_0(u), …] = or ⊕= updates[u]. Operands: base,
/// updates, then index tensors of the updates' shape. Where several meet under `assign`, any of them stays.
struct Scatter {
    ScatterKind kind = ScatterKind::assign;
    std::vector<Place> places;
    bool wrap = false;
    bool include_self = true;  ///< prod, max, min, mean: base elements that are met take part
};

enum class UpsampleKind : uint8_t { nearest, nearest_exact, linear, cubic };
/// The last size.size() axes are resampled to `size`; source position of output o: nearest floor(o·scale),
/// nearest_exact floor((o + 0.5)·scale), others o·scale with align_corners, else (o + 0.5)·scale - 0.5.
struct Upsample {
    UpsampleKind kind = UpsampleKind::nearest;
    std::vector<int64_t> size = {};
    std::vector<double> scale = {};  ///< input per output, as PyTorch computes it
    bool align_corners = false;
};

enum class LossKind : uint8_t { mse, l1, smooth_l1, huber, bce, bce_logits, nll, kl, soft_margin };
enum class Reduction : uint8_t { none, mean, sum };
/// Operands: input, target, optionally a weight. nll: input [N, C, …] of log-probabilities, target [N, …] of
/// classes, weight [C]; its second result is the sum of the weights taken.
struct Loss {
    LossKind kind = LossKind::mse;
    Reduction reduction = Reduction::mean;
    double parameter = 1;     ///< smooth_l1: beta, huber: delta
    int64_t ignore = -100;    ///< nll
    bool log_target = false;  ///< kl
};

enum class CellKind : uint8_t { lstm, gru, rnn_tanh, rnn_relu };
/// One layer in one direction. Operands: x [T, N, I], h0 [N, H], (lstm: c0 [N, H]), weight_ih [G·H, I],
/// weight_hh [G·H, H], and where `bias`, bias_ih and bias_hh [G·H]. Gates in PyTorch's order (lstm i f g o;
/// gru r z n). Results: out [T, N, H], last h [N, H], (lstm: last c [N, H]).
struct Recurrent {
    CellKind kind = CellKind::lstm;
    bool bias = true;
    bool reverse = false;  ///< from the last time step to the first
    /// x is the input's product with weight_ih, bias_ih added, for all time steps: [T, N, G·H]. The operands
    /// weight_ih and bias_ih are left out.
    bool projected = false;
};

using NodeKind = std::variant<Input, Weight, Attribute, Constant, Pointwise, Concat, Reduce, Scan, Sort, TopK,
                              Contract, Convolution, Pool, AdaptivePool, Normalize, Softmax, Attention,
                              Gather, Scatter, Upsample, Loss, Recurrent>;
struct Node {
    NodeKind kind;
    std::vector<Operand> operands;
    std::vector<int> results;  ///< values, in order
    int step = -1;             ///< of the plan; -1 for leaves
    int line = 0;              ///< of the task's text
    std::string op;            ///< the operator that it was lifted from: "aten::addmm"
};

/// What the call returns, tensors depth first.
struct Output {
    Operand operand;
    std::vector<int64_t> stride;  ///< as eager mode returns it
};
/// A leaf that the call changes: running statistics, counters, inputs written in place.
struct Update {
    int leaf = -1;  ///< value
    Operand now;
};

struct Graph {
    std::vector<Value> values;
    std::vector<Node> nodes;  ///< every node after those whose results it reads
    std::vector<Output> outputs;
    std::vector<Update> updates;
    plan::Value form;  ///< the returned tree; its tensors are `outputs` in order

    /// Appends a node with a result for each type. @return its first value
    int add(Node node, std::vector<std::pair<DType, std::vector<int64_t>>> results,
            const std::string& name = "");
    const Node& maker(int value) const {
        return nodes[static_cast<size_t>(values[static_cast<size_t>(value)].node)];
    }
    /// All of a value, as it is.
    Operand whole(int value) const;
};

bool is_leaf(const Node& node);
/// "pointwise", "contract" …
const char* kind_name(const NodeKind& kind);
/// Drops nodes that no output and no update needs.
void drop_unused(Graph& graph);
/// The first thing that breaks a rule stated above (ids, order, shapes), "" where all is well.
std::string check(const Graph& graph);
/// One line a node: `%5 f32[2,64] = contract(x, fc1.weight[j,i]) …`
std::string text(const Graph& graph);

}  // namespace tritonsmith::graph
