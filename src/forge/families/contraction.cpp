#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/common.h"
#include "forge/field/invert.h"

namespace tritonsmith::forge {
namespace {

using graph::ScalarOp;

/// The Contract nodes that `value` needs through pointwise nodes.
void find_products(Context& context, int value, bool root, std::set<int>& seen, std::vector<int>& out) {
    if (!seen.insert(value).second || (!root && context.in_memory(value))) return;
    const graph::Node& node = context.graph.maker(value);
    if (std::holds_alternative<graph::Contract>(node.kind)) out.push_back(value);
    if (!std::holds_alternative<graph::Pointwise>(node.kind)) return;
    for (const graph::Operand& operand : node.operands)
        find_products(context, operand.value, false, seen, out);
}

/// Tiles of lhs · rhs, with what happens to their operands and to the result fused.
class ProductKernel {
  public:
    ProductKernel(Context& context, int value, int product)
        : context_(context),
          value_(value),
          product_(product),
          node_(context.graph.maker(product)),
          kind_(std::get<graph::Contract>(node_.kind)),
          reader_(context, field_),
          writer_(context, field_, kernel_) {}
    std::optional<Written> write();

  private:
    /// With `taps_` the inner dimension is channels by taps of a window, and kDepth the channels.
    enum Axis { kBatch, kRow, kCol, kDepth, kTap };
    bool read();
    bool cheap(int value, int depth) const;
    bool needs_product(int value);
    std::optional<graph::IndexMap> view_of(int value, int depth);
    bool channels_last() const;
    int64_t window_taps() const;
    void schedule();
    void begin_loop();
    Code operand(int term, const Space& space);
    void tile_order();
    void store(const Space& space, const Code& code);

    Context& context_;
    const int value_, product_;
    const graph::Node& node_;
    const graph::Contract& kind_;
    Field field_;
    Reader reader_;
    Kernel kernel_;
    FieldWriter writer_;
    std::vector<int64_t> batch_;
    bool batched_ = false;
    int64_t rows_ = 1, cols_ = 1, depth_ = 1, batches_ = 1;
    int64_t taps_ = 1;  ///< of a convolution's window, that the loop takes one at a time
    int lhs_ = -1, rhs_ = -1, result_ = -1, total_ = -1;
    std::vector<Index> out_at_;
    std::map<int, std::optional<graph::IndexMap>> views_;
    std::map<int, bool> needs_;
    DType type_ = DType::f32;
    std::string precision_;  ///< of tl.dot, in float32
};

/// Whether an operand may be computed again for each tile: a few operations on what is in memory anyway.
bool ProductKernel::cheap(int value, int depth) const {
    if (context_.in_memory(value)) return true;
    const graph::Node& node = context_.graph.maker(value);
    if (node.op == "aten::copy") return false;  // made for this product
    const auto* kind = std::get_if<graph::Pointwise>(&node.kind);
    if (!kind || depth > 3 || kind->body.steps.size() > 6) return false;
    for (const graph::Scalar& step : kind->body.steps)
        if (step.op >= ScalarOp::exp && step.op <= ScalarOp::digamma) return false;
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [&](const graph::Operand& operand) { return cheap(operand.value, depth + 1); });
}

/// How `value` reads the product, through the pointwise nodes between them.
std::optional<graph::IndexMap> ProductKernel::view_of(int value, int depth) {
    if (value == product_) return graph::IndexMap::identity(context_.value(value).shape);
    const graph::Node& node = context_.graph.maker(value);
    if (depth > 64 || !std::holds_alternative<graph::Pointwise>(node.kind) ||
        (depth > 0 && context_.in_memory(value)))
        return std::nullopt;
    if (const auto found = views_.find(value); found != views_.end()) return found->second;
    std::optional<graph::IndexMap> out;
    for (const graph::Operand& operand : node.operands) {
        const std::optional<graph::IndexMap> inner = view_of(operand.value, depth + 1);
        if (inner) out = graph::compose(operand.view, *inner);
        if (out) break;
    }
    return views_[value] = out;
}

/// A convolution of copies whose last axis is the channel: Convolution::channels_last.
bool ProductKernel::channels_last() const {
    return node_.op.find("conv") != std::string::npos &&
           context_.graph.maker(node_.operands[1].value).op == "aten::copy";
}

/// Taps of the window in a convolution's inner dimension, channels · taps; 1 where it has none.
int64_t ProductKernel::window_taps() const {
    int64_t out = 1;
    if (node_.op.find("conv") == std::string::npos) return out;
    if (channels_last()) return depth_ / context_.value(node_.operands[1].value).shape.back();
    const int axis = static_cast<int>(node_.operands[1].shape().size()) - 2;
    for (const Index& index : node_.operands[1].view.index) {
        if (index.terms().empty()) continue;
        for (const Index::Term& term : index.terms())
            if (term.factor == Index::Factor::quotient && term.argument->plain_axis() == axis)
                out = std::max(out, term.divisor);
    }
    return depth_ % out == 0 ? out : 1;
}

bool ProductKernel::read() {
    const std::vector<int64_t>& shape = context_.value(product_).shape;
    batch_.assign(shape.begin(), shape.end() - 2);
    batches_ = graph::element_count(batch_);
    rows_ = shape[shape.size() - 2];
    cols_ = shape.back();
    depth_ = node_.operands[0].shape().back();
    // The name of the kernel is not known yet. With few channels a step of the loop would be mostly empty.
    const int64_t taps = window_taps();
    const bool last = channels_last();
    if (taps > 1 && (last || context_.choices.get(fmt::format("value_{}.taps", value_),
                                                  depth_ / taps >= 16 ? 0 : -1) == 1)) {
        taps_ = taps;
        depth_ /= taps;
    }
    field_.extents = {batches_, rows_, cols_, depth_, taps_};
    const Index inner = taps_ == 1 ? Index::axis(kDepth)
                        : last     ? Index::axis(kTap) * depth_ + Index::axis(kDepth)
                                   : Index::axis(kDepth) * taps_ + Index::axis(kTap);
    const std::vector<Index> batch =
        unravel(batches_ == 1 ? Index(0) : Index::axis(kBatch), batch_, field_.extents);
    auto at = [&](Index a, Index b) {
        std::vector<Index> out = batch;
        out.push_back(rows_ == 1 && a == Index::axis(kRow) ? Index(0) : std::move(a));
        out.push_back(cols_ == 1 && b == Index::axis(kCol) ? Index(0) : std::move(b));
        return out;
    };
    const std::vector<Index> here = at(Index::axis(kRow), Index::axis(kCol));
    for (size_t i = 0; i < 2; ++i) {
        const int id = node_.operands[i].value;
        if (!context_.in_memory(id) && !cheap(id, 0)) context_.stored.insert(id);
    }
    lhs_ = reader_.operand(node_.operands[0], at(Index::axis(kRow), inner));
    rhs_ = reader_.operand(node_.operands[1], at(inner, Index::axis(kCol)));
    type_ = node_.operands[0].dtype;
    total_ = field_.local("total", compute_dtype(type_) == DType::f32 ? DType::f32 : type_);
    std::optional<int> product;
    auto finished = [&] {
        if (product) return *product;
        const DType dtype = field_.dtype(total_);
        int out = total_;
        if (kind_.alpha != 1)
            out = field_.apply(ScalarOp::mul, {out, field_.constant(kind_.alpha, dtype)}, dtype);
        if (node_.operands.size() > 2 && kind_.beta != 0) {
            int addend = field_.as(reader_.operand(node_.operands[2], here), dtype);
            if (kind_.beta != 1)
                addend = field_.apply(ScalarOp::mul, {addend, field_.constant(kind_.beta, dtype)}, dtype);
            out = field_.apply(ScalarOp::add, {out, addend}, dtype);
        }
        product = out;
        return out;
    };
    if (value_ == product_) {
        result_ = finished();
        out_at_ = here;
        return true;
    }
    const std::optional<graph::IndexMap> view = view_of(value_, 0);
    if (!view) return false;
    const std::optional<std::vector<Index>> back = invert(*view, shape);
    if (!back) return false;
    for (const Index& index : *back) out_at_.push_back(graph::substitute(index, here, field_.extents));
    bool fused = false;
    reader_.bound = [&](int value, const std::vector<Index>& at) -> std::optional<int> {
        if (value != product_ || !same_indices(at, here, field_.extents)) return std::nullopt;
        fused = true;
        return finished();
    };
    result_ = reader_.make(value_, out_at_);
    // What the epilogue reads must be there before the product is.
    return fused && std::none_of(reader_.loaded.begin(), reader_.loaded.end(),
                                 [&](int id) { return needs_product(id); });
}

bool ProductKernel::needs_product(int value) {
    if (value == product_) return true;
    if (value < product_) return false;  // made before it
    if (const auto found = needs_.find(value); found != needs_.end()) return found->second;
    bool out = false;
    for (const graph::Operand& operand : context_.graph.maker(value).operands)
        out = out || needs_product(operand.value);
    return needs_[value] = out;
}

void ProductKernel::schedule() {
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const bool half = type_ == DType::f16 || type_ == DType::bf16;
    const bool convolution = node_.op.find("conv") != std::string::npos;
    // With so few terms the result's bytes decide, and three products for one cost more than they save.
    const bool shallow = !half && !convolution && depth_ <= 64;
    // Half as high where there would not be a program for each multiprocessor.
    const bool few = batches_ * ((rows_ + 127) / 128) * ((cols_ + 63) / 64) < 132;
    const int64_t highest = half || !(few || shallow) ? 128 : 64;
    const int64_t block_m = choose("m", std::clamp<int64_t>(next_power_of_2(rows_), 16, highest));
    const int64_t block_n = choose("n", std::clamp<int64_t>(next_power_of_2(cols_), 16, half ? 128 : 64));
    const int64_t block_k = choose("k", std::clamp<int64_t>(next_power_of_2(depth_), 16, half ? 64 : 32));
    kernel_.metas = {{"BLOCK_M", std::to_string(block_m)},
                     {"BLOCK_N", std::to_string(block_n)},
                     {"BLOCK_K", std::to_string(block_k)}};
    if (choose("grouped", rows_ > block_m && cols_ > block_n)) kernel_.metas.push_back({"GROUP_M", "8"});
    kernel_.num_warps = static_cast<int>(choose("warps", block_m * block_n >= 128 * 128 ? 8 : 4));
    kernel_.num_stages = static_cast<int>(choose("stages", 3));
    const std::string m = context_.numbers.open(rows_), n = context_.numbers.open(cols_);
    kernel_.grid = {fmt::format("triton.cdiv({}, {}) * triton.cdiv({}, {})", m, block_m, n, block_n)};
    // PyTorch's own defaults are TF32 in convolutions, and float32 in products: three products of TF32 are
    // as exact, and on tensor cores.
    static const char* precisions[] = {"ieee", "tf32x3", "tf32"};
    precision_ = precisions[choose("precision", convolution ? 2 : shallow ? 0 : 1)];
    batched_ = choose("batched", batches_ > 1) != 0;
    const auto m_size = static_cast<double>(rows_), n_size = static_cast<double>(cols_),
               depth = static_cast<double>(depth_);
    const auto batches = static_cast<double>(batches_), width = half ? 2.0 : 4.0;
    kernel_.flops = 2 * batches * m_size * n_size * depth;
    kernel_.flops_per_second = half                     ? 4e14
                               : precision_ == "tf32"   ? 2e14
                               : precision_ == "tf32x3" ? 7e13
                                                        : 3e13;
    kernel_.traffic = batches * m_size * n_size * depth * width *
                      (1 / static_cast<double>(block_m) + 1 / static_cast<double>(block_n));
    kernel_.programs = batches * std::ceil(m_size / static_cast<double>(block_m)) *
                       std::ceil(n_size / static_cast<double>(block_n));
    if (batched_) kernel_.grid.push_back(context_.numbers.open(batches_));
}

void ProductKernel::tile_order() {
    Lines& body = kernel_.body;
    const int64_t largest = largest_tensor(context_, field_, value_);
    const bool wide = context_.choices.get(kernel_.name + ".wide", largest >= (int64_t{1} << 31)) != 0;
    const bool grouped = kernel_.metas.size() > 3;
    body.add("tiles_n = tl.cdiv(cols, BLOCK_N)");
    if (grouped) {
        body.add("tiles_m = tl.cdiv(rows, BLOCK_M)");
        body.add("# GROUP_M rows of tiles go column by column, so that they find the columns in the cache.");
        body.add("group = tl.program_id(0) // (GROUP_M * tiles_n)");
        body.add("within = tl.program_id(0) % (GROUP_M * tiles_n)");
        body.add("group_rows = tl.minimum(tiles_m - group * GROUP_M, GROUP_M)");
        body.add("row = (group * GROUP_M + within % group_rows) * BLOCK_M + tl.arange(0, BLOCK_M)");
        body.add("col = within // group_rows * BLOCK_N + tl.arange(0, BLOCK_N)");
    } else {
        body.add("row = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)");
        body.add("col = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)");
    }
    if (wide) body.add("row, col = row.to(tl.int64), col.to(tl.int64)");
    if (batched_) body.add("batch = tl.program_id(1).to(tl.int64)");
}

/// An operand of tl.dot: half precision stays what it is in memory.
Code ProductKernel::operand(int term, const Space& space) {
    const Term& of = field_.terms[static_cast<size_t>(term)];
    if (type_ == DType::f16 || type_ == DType::bf16) {
        if (of.kind == Term::Kind::op && of.op == ScalarOp::cast) {
            const Term& from = field_.terms[static_cast<size_t>(of.args[0])];
            if (from.kind == Term::Kind::load && from.dtype == type_) return writer_.named(of.args[0], space);
        }
        return {writer_.write(term, space).in(Binding::atom) + ".to(" + triton_name(type_) + ")"};
    }
    return writer_.write(term, space);
}

void ProductKernel::store(const Space& space, const Code& code) {
    const std::string at = writer_.address(value_, out_at_, {}, space);
    kernel_.body.add(fmt::format("tl.store({} + {}, {}, mask={})", output_pointer(context_, kernel_, value_),
                                 at, code.text, writer_.mask({kRow, kCol}, {}, space)));
}

void ProductKernel::begin_loop() {
    Lines& body = kernel_.body;
    if (taps_ == 1) {
        body.add("for begin in range(0, depth, BLOCK_K):");
        body.indent();
        body.add("inner = begin + tl.arange(0, BLOCK_K)");
        return;
    }
    // One loop, since only the innermost one is pipelined; where the tap lies is a scalar in it.
    body.add("for step in range(0, tl.cdiv(channels, BLOCK_K) * taps):");
    body.indent();
    body.add("tap = step % taps");
    body.add("inner = step // taps * BLOCK_K + tl.arange(0, BLOCK_K)");
}

std::optional<Written> ProductKernel::write() {
    for (const char* name :
         {"row", "col", "inner", "rows", "cols", "depth", "batch", "begin", "total", "taps", "tap", "step",
          "channels", "tiles_m", "tiles_n", "group", "within", "group_rows"})
        kernel_.taken.insert(name);
    if (!read()) return std::nullopt;
    if (compute_dtype(type_) != DType::f32)
        throw Refused("a product of " + triton_name(type_), node_.op, node_.line);
    kernel_.name = kernel_name(context_, value_, reader_.inlined);
    schedule();
    size_parameter(context_, kernel_, "rows", context_.numbers.open(rows_));
    size_parameter(context_, kernel_, "cols", context_.numbers.open(cols_));
    size_parameter(context_, kernel_, taps_ > 1 ? "channels" : "depth", context_.numbers.open(depth_));
    if (taps_ > 1) size_parameter(context_, kernel_, "taps", context_.numbers.open(taps_));
    kernel_.docstring =
        fmt::format("{}: tiles of BLOCK_M rows by BLOCK_N columns, BLOCK_K {} at a time.",
                    operator_list(context_, value_, reader_.inlined),
                    taps_ > 1 ? "channels under one tap of the window" : "of the inner dimension");
    tile_order();
    const std::string depth = taps_ > 1 ? "channels" : "depth", row_exists = "(row < rows)[:, None]",
                      col_exists = "(col < cols)[None, :]";
    const std::vector<std::string> sizes = {"", "rows", "cols", depth, "taps"};
    const Space lhs{
        {{"batch", "row[:, None]", "col[None, :]", "inner[None, :]", "tap"}, field_.extents, sizes},
        {"", row_exists, "", fmt::format("(inner < {})[None, :]", depth), ""},
        true};
    const Space rhs{
        {{"batch", "row[:, None]", "col[None, :]", "inner[:, None]", "tap"}, field_.extents, sizes},
        {"", "", col_exists, fmt::format("(inner < {})[:, None]", depth), ""},
        true};
    const Space out{{{"batch", "row[:, None]", "col[None, :]", "inner", "tap"}, field_.extents, sizes},
                    {"", row_exists, col_exists, "", ""}};
    writer_.hoist_positions(lhs_, {kDepth, kTap}, lhs);
    writer_.hoist_positions(rhs_, {kDepth, kTap}, rhs);
    const std::map<std::string, std::string> places = writer_.places;
    kernel_.body.add("total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)");
    begin_loop();
    writer_.plan({lhs_});
    Code left = operand(lhs_, lhs);
    writer_.known.clear();
    writer_.places = places;
    writer_.plan({rhs_});
    Code right = operand(rhs_, rhs);
    writer_.known.clear();
    writer_.places = places;
    // A function of zero need not be zero: what lies outside must not count.
    auto bare = [&](int term) {
        const Term* of = &field_.terms[static_cast<size_t>(term)];
        if (of->kind == Term::Kind::op && of->op == ScalarOp::cast)
            of = &field_.terms[static_cast<size_t>(of->args[0])];
        return of->kind == Term::Kind::load && graph::as_double(of->number) == 0;
    };
    if (!bare(lhs_) || !field_.mentions(lhs_, kDepth))
        left = call("tl.where", {fmt::format("(inner < {})[None, :]", depth), left.text, "0.0"});
    if (!bare(rhs_) || !field_.mentions(rhs_, kDepth))
        right = call("tl.where", {fmt::format("(inner < {})[:, None]", depth), right.text, "0.0"});
    // An operand that does not depend on one of its axes has one element there.
    if (!field_.mentions(lhs_, kRow) || !field_.mentions(lhs_, kDepth))
        left = call("tl.broadcast_to", {left.text, "(BLOCK_M, BLOCK_K)"});
    if (!field_.mentions(rhs_, kCol) || !field_.mentions(rhs_, kDepth))
        right = call("tl.broadcast_to", {right.text, "(BLOCK_K, BLOCK_N)"});
    kernel_.body.add(fmt::format("total = tl.dot({}, {}, total{})", left.text, right.text,
                                 type_ == DType::f32 ? ", input_precision=\"" + precision_ + "\"" : ""));
    kernel_.body.dedent();
    writer_.plan({result_});
    const Code result = writer_.write(result_, out);
    store(out, result);
    Launch launch{{allocation(context_, value_)}, std::move(kernel_)};
    return Written::by(std::move(launch), std::move(reader_.inlined), std::move(reader_.loaded));
}

}  // namespace

std::optional<Written> write_contraction(Context& context, int value) {
    std::set<int> seen;
    std::vector<int> products;
    find_products(context, value, true, seen, products);
    for (const int product : products) {
        if (std::optional<Written> written = ProductKernel(context, value, product).write()) return written;
    }
    return std::nullopt;
}

}  // namespace tritonsmith::forge
