#include <fmt/format.h>

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/families/row_kernel.h"
#include "forge/field/invert.h"

namespace tritonsmith::forge {
namespace {

using graph::ReduceKind;
using graph::ScalarOp;

/// The first Reduce that `value` needs through what can be inlined; -1 where there is none.
int first_reduce(Context& context, int value, std::set<int>& seen, bool root) {
    if (!seen.insert(value).second || (!root && context.in_memory(value))) return -1;
    const graph::Node& node = context.graph.maker(value);
    if (std::holds_alternative<graph::Reduce>(node.kind)) return value;
    if (!is_inlined(node)) return -1;
    int best = -1;
    for (const graph::Operand& operand : node.operands)
        best = std::max(best, first_reduce(context, operand.value, seen, false));
    return best;
}

const char* word(ReduceKind kind) {
    return kind == ReduceKind::max ? "max" : kind == ReduceKind::min ? "min" : "sum";
}

/// Where `value` is a row's extreme: its place, or what is computed of the place alone, if that is stored as
/// well. -1 where there is none.
int place_beside(const Context& context, int value) {
    const graph::Node& maker = context.graph.maker(value);
    const auto* kind = std::get_if<graph::Reduce>(&maker.kind);
    if (!kind || (kind->kind != ReduceKind::max_index && kind->kind != ReduceKind::min_index) ||
        value != maker.results[0])
        return -1;
    const int place = maker.results[1];
    const std::vector<int>& users = context.users[static_cast<size_t>(place)];
    if (users.size() != 1) return -1;
    if (users[0] < 0) return place;
    const graph::Node& user = context.graph.nodes[static_cast<size_t>(users[0])];
    const bool alone = std::all_of(user.operands.begin(), user.operands.end(),
                                   [&](const graph::Operand& operand) { return operand.value == place; });
    if (!std::holds_alternative<graph::Pointwise>(user.kind) || !alone) return -1;
    const int made = user.results[0];
    const std::vector<int>& readers = context.users[static_cast<size_t>(made)];
    const bool returned = readers.size() == 1 && readers[0] < 0;
    return returned && context.value(made).shape == context.value(place).shape ? made : -1;
}

/// The extreme whose kernel stores `value` as well; -1 where there is none.
int extreme_beside(const Context& context, int value) {
    const graph::Node* maker = &context.graph.maker(value);
    if (std::holds_alternative<graph::Pointwise>(maker->kind) && !maker->operands.empty())
        maker = &context.graph.maker(maker->operands[0].value);
    if (!std::holds_alternative<graph::Reduce>(maker->kind) || maker->results.size() < 2) return -1;
    const int extreme = maker->results[0];
    const bool wanted = !context.users[static_cast<size_t>(extreme)].empty();
    return wanted && value != extreme && place_beside(context, extreme) == value ? extreme : -1;
}

}  // namespace

RowKernel::RowKernel(Context& context, int value, const RowSpace& space)
    : context_(context),
      value_(value),
      space_(space),
      field_{space.extents(), {}},
      reader_(context, field_),
      reductions_(context, space, field_, reader_, kernel_),
      writer_(context, field_, kernel_) {}

bool RowKernel::read() {
    for (const char* name : {"row", "col", "rows", "cols", "inside", "begin", "part"})
        kernel_.taken.insert(name);
    reader_.bound = [this](int value, const std::vector<Index>& at) -> std::optional<int> {
        const auto* kind = std::get_if<graph::Reduce>(&context_.graph.maker(value).kind);
        if (!kind || at.size() != space_.kept.size()) return std::nullopt;
        const std::vector<Index> row = unravel(Index::axis(0), space_.kept, field_.extents);
        if (!same_indices(at, row, field_.extents)) return std::nullopt;
        return reductions_.result(value);
    };
    const graph::Value& out = context_.value(value_);
    const graph::Node& maker = context_.graph.maker(value_);
    if (std::holds_alternative<graph::Reduce>(maker.kind)) {
        const std::optional<int> made = reductions_.result(value_);
        if (!made) return false;
        result_ = *made;
        whole_ = false;
        if (second_ = place_beside(context_, value_); second_ >= 0) {
            context_.stored.insert(second_);
            reader_.inlined.insert(second_);
            const std::vector<int64_t>& shape = context_.value(second_).shape;
            const bool place = std::holds_alternative<graph::Reduce>(context_.graph.maker(second_).kind);
            second_result_ = place ? reductions_.result(second_).value()
                                   : reader_.make(second_, unravel(Index::axis(0), shape, field_.extents));
        }
    } else {
        whole_ = graph::element_count(out.shape) == space_.rows * space_.cols && space_.cols > 1;
        if (!whole_ && graph::element_count(out.shape) != space_.rows) return false;
        std::vector<Index> at;
        if (whole_ && out.shape == space_.shape)
            at = space_.at;
        else if (whole_)
            at = unravel(ravel(space_.at, space_.shape), out.shape, field_.extents);
        else
            at = unravel(Index::axis(0), out.shape, field_.extents);
        out_at_ = at;
        result_ = reader_.make(value_, at);
    }
    return !reductions_.primitives.empty();
}

void RowKernel::schedule() {
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const int64_t width = next_power_of_2(space_.cols);
    if (space_.columns()) {  // neighbouring rows are neighbours in memory
        loop_ = choose("loop", width > 64) != 0;
        block_rows_ =
            choose("rows", std::clamp<int64_t>(next_power_of_2(space_.rows), 2, width <= 8 ? 256 : 64));
        block_cols_ = choose("cols", std::min<int64_t>(width, 32));
    } else {
        // A row that is all of a tensor has no bound.
        loop_ = choose("loop", width > 16384 || (space_.kept.empty() && width > 1024)) != 0;
        block_rows_ =
            choose("rows", width >= 512 || space_.rows == 1 ? 1 : std::clamp<int64_t>(1024 / width, 1, 64));
        block_cols_ = choose("cols", !loop_ ? width : std::min<int64_t>(width, 2048));
    }
    kernel_.num_warps = static_cast<int>(choose("warps", !loop_ && width > 8192                 ? 16
                                                         : loop_ || width * block_rows_ >= 4096 ? 8
                                                                                                : 4));
    parts_ = choose("split", loop_ ? sharing_programs() : 1);
}

/// The block that holds a whole row.
std::string RowKernel::width() const {
    return "triton.next_power_of_2(" + context_.numbers.open(space_.cols) + ")";
}

void RowKernel::begin_columns(const std::string& from) {
    const std::string arange = block_rows_ == 1 ? "tl.arange(0, BLOCK)" : "tl.arange(0, BLOCK_COLS)[None, :]";
    kernel_.body.add("col = " + from + arange);
    if (block_rows_ == 1) kernel_.body.add("inside = col < cols");
}

Code RowKernel::reduced(const Primitive& primitive, const std::string& text) const {
    const std::string how = block_rows_ == 1 ? "axis=0" : "axis=1, keep_dims=True";
    if (primitive.kind == ReduceKind::prod)
        return {fmt::format("tl.reduce({}, {}, multiply{})", text, block_rows_ == 1 ? "0" : "1",
                            block_rows_ == 1 ? "" : ", keep_dims=True")};
    return {fmt::format("tl.{}({}, {})", word(primitive.kind), text, how)};
}

std::string RowKernel::masked(const Primitive& primitive, const Code& input) const {
    const std::string condition = text_.masks[1];
    const Term* term = &field_.terms[static_cast<size_t>(primitive.input)];
    if (term->kind == Term::Kind::op && term->op == ScalarOp::cast)
        term = &field_.terms[static_cast<size_t>(term->args[0])];
    const bool zero = term->kind == Term::Kind::load && term->guards.empty();
    if (primitive.kind == ReduceKind::sum && zero && field_.mentions(primitive.input, 1))
        return input.text;  // masked lanes read 0
    std::string bare = condition;
    if (bare.starts_with("(") && bare.ends_with(")")) bare = bare.substr(1, bare.size() - 2);
    return fmt::format("tl.where({}, {}, {})", bare, input.text,
                       identity(primitive.kind, primitive.dtype).text);
}

void RowKernel::store(const Code& code, bool whole_row) {
    const std::string pointer = output_pointer(context_, kernel_, value_);
    std::string at = "row", mask;
    if (whole_row) {
        at = writer_.address(value_, out_at_, {}, text_);
        mask = writer_.mask({0, 1}, {}, text_);
    } else {
        mask = writer_.mask({0}, {}, text_);
    }
    kernel_.body.add(
        fmt::format("tl.store({} + {}, {}{})", pointer, at, code.text, mask.empty() ? "" : ", mask=" + mask));
}

/// The other value, of each row one element.
void RowKernel::store_companion() {
    if (second_ < 0) return;
    const std::string mask = writer_.mask({0}, {}, text_);
    const Code code = writer_.write(second_result_, text_);
    kernel_.body.add(fmt::format("tl.store({} + row, {}{})", output_pointer(context_, kernel_, second_),
                                 code.text, mask.empty() ? "" : ", mask=" + mask));
}

/// What a term needs and does not depend on the column, before a loop over columns.
void RowKernel::hoist(int id) {
    const Term& term = field_.terms[static_cast<size_t>(id)];
    if (term.kind == Term::Kind::constant || term.kind == Term::Kind::local || term.kind == Term::Kind::index)
        return;
    if (!field_.mentions(id, 1)) {
        writer_.named(id, text_);
        return;
    }
    for (const int arg : term.args) hoist(arg);
    for (const int arg : term.chosen)
        if (arg >= 0) hoist(arg);
}

void RowKernel::straight() {
    begin_columns("");
    std::vector<int> roots = {result_};
    if (second_result_ >= 0) roots.push_back(second_result_);
    for (const Primitive& primitive : reductions_.primitives) roots.push_back(primitive.input);
    writer_.plan(roots);
    std::vector<Primitive> order = reductions_.primitives;
    std::stable_sort(order.begin(), order.end(),
                     [](const Primitive& a, const Primitive& b) { return a.level < b.level; });
    for (const Primitive& primitive : order) {
        const Code input = writer_.write(primitive.input, text_);
        kernel_.body.add(primitive.name + " = " + reduced(primitive, masked(primitive, input)).text);
    }
    store(writer_.write(result_, text_), whole_);
    store_companion();
}

int RowKernel::levels() const {
    int out = 0;
    for (const Primitive& primitive : reductions_.primitives) out = std::max(out, primitive.level);
    return out;
}

std::vector<const Primitive*> RowKernel::of_level(int level) const {
    std::vector<const Primitive*> out;
    for (const Primitive& primitive : reductions_.primitives)
        if (primitive.level == level) out.push_back(&primitive);
    return out;
}

/// What is named in the body is unknown behind it.
void RowKernel::loop(const std::string& from, const std::string& step, const std::function<void()>& body) {
    kernel_.body.add(fmt::format("for begin in range({}, cols, {}):", from, step));
    kernel_.body.indent();
    const std::map<int, Code> before = writer_.known;
    const std::map<std::string, std::string> places = writer_.places;
    begin_columns("begin + ");
    body();
    writer_.known = before;
    writer_.places = places;
    kernel_.body.dedent();
}

void RowKernel::start_totals(const std::vector<const Primitive*>& now) {
    for (const Primitive* primitive : now) hoist(primitive->input);
    for (const Primitive* primitive : now)
        kernel_.body.add(fmt::format(
            "{} = tl.full({}, {}, {})", primitive->name, tile() ? "(BLOCK_ROWS, BLOCK_COLS)" : "(BLOCK,)",
            identity(primitive->kind, primitive->dtype).text, triton_name(primitive->dtype)));
}

void RowKernel::add_up(const std::vector<const Primitive*>& now) {
    for (const Primitive* primitive : now) {
        const std::string input = masked(*primitive, writer_.write(primitive->input, text_));
        const char* op = primitive->kind == ReduceKind::prod ? "*=" : "+=";
        if (primitive->kind == ReduceKind::max || primitive->kind == ReduceKind::min)
            kernel_.body.add(
                fmt::format("{0} = tl.{1}imum({0}, {2})", primitive->name, word(primitive->kind), input));
        else
            kernel_.body.add(fmt::format("{} {} {}", primitive->name, op, input));
    }
}

void RowKernel::loops() {
    const std::string step = tile() ? "BLOCK_COLS" : "BLOCK";
    std::vector<int> roots = {result_};
    if (second_result_ >= 0) roots.push_back(second_result_);
    for (const Primitive& primitive : reductions_.primitives) roots.push_back(primitive.input);
    writer_.plan(roots);
    for (int level = 1; level <= levels(); ++level) {
        const std::vector<const Primitive*> now = of_level(level);
        start_totals(now);
        loop("0", step, [&] { add_up(now); });
        for (const Primitive* primitive : now)
            kernel_.body.add(primitive->name + " = " + reduced(*primitive, primitive->name).text);
    }
    if (!whole_) {
        store(writer_.write(result_, text_), false);
        return store_companion();
    }
    hoist(result_);
    loop("0", step, [&] { store(writer_.write(result_, text_), true); });
}

/// The rows of this program. @param program its number along the grid's axis of rows
void RowKernel::begin(const std::string& program) {
    const bool wide =
        context_.choices.get(kernel_.name + ".wide", tile() && space_.rows >= (int64_t{1} << 31)) != 0;
    kernel_.body.add(
        wide
            ? fmt::format("row = ({}.to(tl.int64) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS))[:, None]", program)
        : tile()
            ? fmt::format("row = ({} * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)).to(tl.int64)[:, None]", program)
            : fmt::format("row = {}.to(tl.int64)", program));
}

std::optional<Written> RowKernel::write() {
    if (!read()) return std::nullopt;
    kernel_.name = kernel_name(context_, value_, reader_.inlined);
    schedule();
    text_ = {{{"row", "col"}, field_.extents, {"rows", "cols"}},
             {tile() ? "(row < rows)" : "", tile() ? "(col < cols)" : "inside"},
             true};
    if (parts_ > 1) {
        return Written{split(), reader_.inlined, reader_.loaded};
    }
    const std::string what = operator_list(context_, value_, reader_.inlined);
    size_parameter(context_, kernel_, "cols", context_.numbers.open(space_.cols));
    begin("tl.program_id(0)");
    if (tile()) {
        size_parameter(context_, kernel_, "rows", context_.numbers.open(space_.rows));
        kernel_.metas = {{"BLOCK_ROWS", std::to_string(block_rows_)},
                         {"BLOCK_COLS", loop_ ? std::to_string(block_cols_) : width()}};
        kernel_.grid = {fmt::format("triton.cdiv({}, {})", context_.numbers.open(space_.rows), block_rows_)};
    } else {
        kernel_.metas = {{"BLOCK", loop_ ? std::to_string(block_cols_) : width()}};
        kernel_.grid = {context_.numbers.open(space_.rows)};
    }
    kernel_.docstring = fmt::format(
        "{}: {}, {}.", what, tile() ? "BLOCK_ROWS rows for each program" : "one row for each program",
        loop_ ? fmt::format("{} columns at a time", tile() ? "BLOCK_COLS" : "BLOCK")
              : "held whole in registers");
    if (loop_)
        loops();
    else
        straight();
    Launch launch{{allocation(context_, value_)}, std::move(kernel_)};
    if (second_ >= 0) launch.allocations.push_back(allocation(context_, second_));
    return Written::by(std::move(launch), std::move(reader_.inlined), std::move(reader_.loaded));
}

std::optional<Written> write_rows(Context& context, int value) {
    if (const int extreme = extreme_beside(context, value); extreme >= 0)
        return Written{{}, {}, {extreme}};  // written with it
    std::set<int> seen;
    const int reduce = first_reduce(context, value, seen, true);
    if (reduce < 0) return std::nullopt;
    const graph::Node& node = context.graph.maker(reduce);
    const RowSpace space(node.operands[0].shape(), std::get<graph::Reduce>(node.kind).axes);
    return RowKernel(context, value, space).write();
}

}  // namespace tritonsmith::forge
