#include <fmt/format.h>

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/common.h"

namespace tritonsmith::forge {
namespace {

/// softmax(scale · q kᵀ + mask) v without the scores in memory: a tile of queries for each program, which
/// goes over the keys once and keeps what its sums are relative to.
class AttentionKernel {
  public:
    AttentionKernel(Context& context, int value)
        : context_(context),
          value_(value),
          node_(context.graph.maker(value)),
          kind_(std::get<graph::Attention>(node_.kind)),
          reader_(context, field_),
          writer_(context, field_, kernel_) {}
    Written write();

  private:
    enum Axis { kBatch, kQuery, kKey, kDepth, kFeature };
    int element(size_t operand, Axis row, Axis col);
    std::string tile(int term, const Space& space);
    std::string block(int64_t size) const;
    void schedule();
    void loop(const std::string& query);
    void scores(const std::string& products);
    Space space(const std::string& query, const std::string& key, const std::string& depth,
                const std::string& feature) const;

    Context& context_;
    const int value_;
    const graph::Node& node_;
    const graph::Attention& kind_;
    Kernel kernel_;
    Field field_;
    Reader reader_;
    FieldWriter writer_;
    std::vector<int64_t> batch_;
    int q_ = -1, k_ = -1, v_ = -1, mask_ = -1, scale_ = -1;
};

/// Element [batch…, row, col] of an operand.
int AttentionKernel::element(size_t operand, Axis row, Axis col) {
    const graph::Operand& of = node_.operands[operand];
    if (!context_.in_memory(of.value) && operand < 3)
        context_.stored.insert(of.value);  // read again by every tile
    std::vector<Index> at =
        unravel(graph::element_count(batch_) == 1 ? Index(0) : Index::axis(kBatch), batch_, field_.extents);
    for (const Axis axis : {row, col})
        at.push_back(field_.extents[static_cast<size_t>(axis)] == 1 ? Index(0) : Index::axis(axis));
    const int term = reader_.operand(of, at);
    const Term& made = field_.terms[static_cast<size_t>(term)];
    const int loaded = made.kind == Term::Kind::op && made.op == graph::ScalarOp::cast ? made.args[0] : term;
    static const char* const names[] = {"q", "k", "v", "mask"};
    if (field_.terms[static_cast<size_t>(loaded)].kind == Term::Kind::load)
        field_.terms[static_cast<size_t>(loaded)].name = names[operand];
    return term;
}

/// An operand of tl.dot: half precision stays what it is in memory.
std::string AttentionKernel::tile(int term, const Space& space) {
    const DType type = node_.operands[0].dtype;
    writer_.plan({term});
    if (type == DType::f32) return writer_.named(term, space).text;
    const Term& of = field_.terms[static_cast<size_t>(term)];
    if (of.kind == Term::Kind::op && of.op == graph::ScalarOp::cast && field_.dtype(of.args[0]) == type)
        return writer_.named(of.args[0], space).text;
    return writer_.write(term, space).in(Binding::atom) + ".to(" + triton_name(type) + ")";
}

std::string AttentionKernel::block(int64_t size) const {
    return "max(16, triton.next_power_of_2(" + context_.numbers.open(size) + "))";  // tl.dot's least
}

void AttentionKernel::schedule() {
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const bool half = node_.operands[0].dtype != DType::f32;
    const int64_t widest = std::max(field_.extents[kDepth], field_.extents[kFeature]);
    const int64_t tile = half ? (widest > 128 ? 64 : 128) : widest > 64 ? 32 : 64;
    const int64_t block_m =
        choose("m", std::clamp<int64_t>(next_power_of_2(field_.extents[kQuery]), 16, tile));
    const int64_t block_n =
        choose("n", std::clamp<int64_t>(next_power_of_2(field_.extents[kKey]), 16, half ? 64 : 32));
    kernel_.metas = {{"BLOCK_M", std::to_string(block_m)},
                     {"BLOCK_N", std::to_string(block_n)},
                     {"BLOCK_D", block(field_.extents[kDepth])},
                     {"BLOCK_V", block(field_.extents[kFeature])}};
    kernel_.num_warps = static_cast<int>(choose("warps", block_m >= 128 ? 8 : 4));
    kernel_.num_stages = static_cast<int>(choose("stages", 2));
    kernel_.grid = {fmt::format("triton.cdiv({}, {})", size(context_, field_.extents[kQuery]), block_m)};
    if (choose("batched", field_.extents[kBatch] > 1) != 0)
        kernel_.grid.push_back(size(context_, field_.extents[kBatch]));
}

Space AttentionKernel::space(const std::string& query, const std::string& key, const std::string& depth,
                             const std::string& feature) const {
    auto mask = [](const std::string& axis, const char* extent) {
        const size_t bracket = axis.find('[');
        return bracket == std::string::npos
                   ? ""
                   : fmt::format("({} < {}){}", axis.substr(0, bracket), extent, axis.substr(bracket));
    };
    return {
        {{"batch", query, key, depth, feature}, field_.extents, {"", "queries", "keys", "depth", "features"}},
        {"", mask(query, "queries"), mask(key, "keys"), mask(depth, "depth"), mask(feature, "features")},
        true};
}

/// From products of a tile of queries and of keys to what softmax sees.
void AttentionKernel::scores(const std::string& products) {
    Lines& body = kernel_.body;
    const Space tile = space("query[:, None]", "key[None, :]", "depth", "feature");
    body.add("scores = " + (kind_.scale == 1
                                ? products
                                : products + " * " + writer_.write(scale_, tile).in(Binding::unary)));
    if (mask_ >= 0) {
        writer_.plan({mask_});
        const bool choice = field_.dtype(mask_) == DType::b1;
        const Code mask = writer_.write(mask_, tile);
        body.add(choice ? fmt::format("scores = tl.where({}, scores, float(\"-inf\"))", mask.text)
                        : fmt::format("scores += {}", mask.in(Binding::sum)));
    }
    body.add(fmt::format(
        "scores = tl.where({}, scores, float(\"-inf\"))",
        kind_.causal ? "(key < keys)[None, :] & (key[None, :] <= query[:, None])" : "(key < keys)[None, :]"));
}

void AttentionKernel::loop(const std::string& query) {
    Lines& body = kernel_.body;
    const bool half = node_.operands[0].dtype != DType::f32;
    const char* precision = half ? "" : ", input_precision=\"ieee\"";
    if (kind_.causal)
        body.add("last = tl.minimum(keys, (tl.program_id(0) + 1) * BLOCK_M)  # no key behind the last query");
    body.add(fmt::format("for begin in range(0, {}, BLOCK_N):", kind_.causal ? "last" : "keys"));
    body.indent();
    body.add("key = begin + tl.arange(0, BLOCK_N)");
    const std::map<int, Code> before = writer_.known;
    const std::map<std::string, std::string> places = writer_.places;
    const std::string keys = tile(k_, space("query", "key[None, :]", "inner[:, None]", "feature"));
    scores(fmt::format("tl.dot({}, {}{})", query, keys, precision));
    body.add("most = tl.maximum(highest, tl.max(scores, axis=1))");
    std::string shift = "most";
    if (mask_ >= 0) {
        body.add("shift = tl.where(most == float(\"-inf\"), 0.0, most)  # nothing to see so far");
        shift = "shift";
    }
    body.add(fmt::format("probabilities = tl.exp(scores - {}[:, None])", shift));
    body.add(fmt::format("shrink = tl.exp(highest - {})", shift));
    body.add("norm = norm * shrink + tl.sum(probabilities, axis=1)");
    const std::string values = tile(v_, space("query", "key[:, None]", "inner", "feature[None, :]"));
    body.add(fmt::format("total = tl.dot(probabilities{}, {}, total * shrink[:, None]{})",
                         half ? ".to(" + triton_name(node_.operands[2].dtype) + ")" : "", values, precision));
    body.add("highest = most");
    writer_.known = before;
    writer_.places = places;
    body.dedent();
}

Written AttentionKernel::write() {
    const std::vector<int64_t>& shape = context_.value(value_).shape;
    batch_.assign(shape.begin(), shape.end() - 2);
    const std::vector<int64_t>& keys = node_.operands[1].shape();
    field_.extents = {graph::element_count(batch_), shape[shape.size() - 2], keys[keys.size() - 2],
                      keys.back(), shape.back()};
    for (const char* name :
         {"batch", "query", "key", "inner", "feature", "queries", "keys", "depth", "features", "begin",
          "last", "highest", "norm", "total", "scores", "most", "shift", "probabilities", "shrink"})
        kernel_.taken.insert(name);
    q_ = element(0, kQuery, kDepth);
    k_ = element(1, kKey, kDepth);
    v_ = element(2, kKey, kFeature);
    if (node_.operands.size() > 3) mask_ = element(3, kQuery, kKey);
    scale_ = field_.constant(kind_.scale, DType::f32);
    kernel_.name = kernel_name(context_, value_, reader_.inlined);
    schedule();
    size_parameter(context_, kernel_, "queries", size(context_, field_.extents[kQuery]));
    size_parameter(context_, kernel_, "keys", size(context_, field_.extents[kKey]));
    size_parameter(context_, kernel_, "depth", size(context_, field_.extents[kDepth]));
    size_parameter(context_, kernel_, "features", size(context_, field_.extents[kFeature]));
    kernel_.docstring = fmt::format(
        "{}: BLOCK_M queries for each program, BLOCK_N keys at a time; sums relative to the highest score.",
        operator_list(context_, value_, reader_.inlined));
    Lines& body = kernel_.body;
    body.add("query = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)");
    if (kernel_.grid.size() > 1) body.add("batch = tl.program_id(1).to(tl.int64)");
    body.add("inner = tl.arange(0, BLOCK_D)");
    body.add("feature = tl.arange(0, BLOCK_V)");
    const std::string query = tile(q_, space("query[:, None]", "key", "inner[None, :]", "feature"));
    body.add("highest = tl.full((BLOCK_M,), float(\"-inf\"), tl.float32)");
    body.add("norm = tl.zeros((BLOCK_M,), dtype=tl.float32)");
    body.add("total = tl.zeros((BLOCK_M, BLOCK_V), dtype=tl.float32)");
    loop(query);
    const Space out = space("query[:, None]", "key", "inner", "feature[None, :]");
    std::vector<Index> at =
        unravel(field_.extents[kBatch] == 1 ? Index(0) : Index::axis(kBatch), batch_, field_.extents);
    for (const Axis axis : {kQuery, kFeature})
        at.push_back(field_.extents[static_cast<size_t>(axis)] == 1 ? Index(0) : Index::axis(axis));
    body.add(fmt::format("tl.store({} + {}, total / norm[:, None], mask={})",
                         output_pointer(context_, kernel_, value_), writer_.address(value_, at, {}, out),
                         writer_.mask({kQuery, kFeature}, {}, out)));
    Launch launch{{allocation(context_, value_)}, std::move(kernel_)};
    return Written::by(std::move(launch), std::move(reader_.inlined), std::move(reader_.loaded));
}

}  // namespace

std::optional<Written> write_attention(Context& context, int value) {
    if (!std::holds_alternative<graph::Attention>(context.graph.maker(value).kind)) return std::nullopt;
    return AttentionKernel(context, value).write();
}

}  // namespace tritonsmith::forge
