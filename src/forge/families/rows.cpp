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

RowKernel::RowKernel(Context& context, int value, const RowSpace& space, bool pooled)
    : context_(context),
      value_(value),
      space_(space),
      pooled_(pooled),
      field_{space.extents(), {}},
      reader_(context, field_),
      reductions_(context, space, field_, reader_, kernel_),
      writer_(context, field_, kernel_) {}

bool RowKernel::read() {
    for (const char* name : {"row", "col", "rows", "cols", "inside", "begin", "part", "tap", "taps"})
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
    // The count of a window's places may be a number without any reduction.
    return !reductions_.primitives.empty() || std::holds_alternative<graph::Reduce>(maker.kind);
}

/// Loads divide the row's number, which is slow in 64 bits.
bool RowKernel::divides_rows() const {
    auto divided = [](const Index& at) { return at.mentions(0) && !at.affine(); };
    return std::any_of(field_.terms.begin(), field_.terms.end(), [&](const Term& term) {
        return term.kind == Term::Kind::load && std::any_of(term.at.begin(), term.at.end(), divided);
    });
}

void RowKernel::schedule() {
    auto choose = [&](const char* what, int64_t value) {
        return context_.choices.get(kernel_.name + "." + what, value);
    };
    const int64_t width = next_power_of_2(space_.cols);
    serial_ = choose("serial", pooled_ && !whole_ && width <= 512 ? 1 : -1) == 1;
    if (serial_) {
        loop_ = true;
        block_rows_ = choose("rows", std::clamp<int64_t>(next_power_of_2(space_.rows), 2, 256));
    } else if (space_.columns()) {  // neighbouring rows are neighbours in memory
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
    parts_ = choose("split", loop_ && !serial_ ? sharing_programs() : 1);
}

/// The block that holds a whole row.
std::string RowKernel::width() const {
    return "triton.next_power_of_2(" + context_.numbers.open(space_.cols) + ")";
}

void RowKernel::begin_columns(const std::string& from) {
    if (serial_) return;
    const std::string arange = block_rows_ == 1 ? "tl.arange(0, BLOCK)" : "tl.arange(0, BLOCK_COLS)[None, :]";
    kernel_.body.add("col = " + from + arange);
    if (block_rows_ == 1) kernel_.body.add("inside = col < cols");
}

Code RowKernel::reduced(const Primitive& primitive, const std::string& text) const {
    if (serial_) return {text};
    const std::string how = block_rows_ == 1 ? "axis=0" : "axis=1, keep_dims=True";
    if (primitive.kind == ReduceKind::prod)
        return {fmt::format("tl.reduce({}, {}, multiply{})", text, block_rows_ == 1 ? "0" : "1",
                            block_rows_ == 1 ? "" : ", keep_dims=True")};
    return {fmt::format("tl.{}({}, {})", word(primitive.kind), text, how)};
}

std::string RowKernel::masked(const Primitive& primitive, const Code& input) const {
    const std::string condition = text_.masks[1];
    if (condition.empty()) return input.text;
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
    kernel_.body.add(serial_ ? "for tap in range(taps):"
                             : fmt::format("for begin in range({}, cols, {}):", from, step));
    kernel_.body.indent();
    const std::map<int, Code> before = writer_.known;
    const std::map<std::string, std::string> places = writer_.places;
    begin_columns("begin + ");
    body();
    writer_.known = before;
    writer_.places = places;
    kernel_.body.dedent();
}

/// The shape of what a loop over columns adds up.
std::string RowKernel::lanes() const {
    return serial_ ? "(BLOCK_ROWS,)" : tile() ? "(BLOCK_ROWS, BLOCK_COLS)" : "(BLOCK,)";
}

/// The place of an extreme, where it is wanted.
const Primitive* RowKernel::place_of(const Primitive& extreme) const {
    for (const Primitive& primitive : reductions_.primitives)
        if (primitive.extreme == extreme.result) return &primitive;
    return nullptr;
}

void RowKernel::start_totals(const std::vector<const Primitive*>& now) {
    for (const Primitive* primitive : now) {
        hoist(primitive->input);
        writer_.hoist_positions(primitive->input, {1}, text_);
    }
    auto full = [&](const Primitive& primitive, const std::string& with) {
        kernel_.body.add(fmt::format("{} = tl.full({}, {}, {})", primitive.name, lanes(), with,
                                     triton_name(primitive.dtype)));
    };
    for (const Primitive* primitive : now) {
        full(*primitive, identity(primitive->kind, primitive->dtype).text);
        if (const Primitive* place = parts_ == 1 ? place_of(*primitive) : nullptr) full(*place, "0");
    }
}

void RowKernel::add_up(const std::vector<const Primitive*>& now) {
    for (const Primitive* primitive : now) {
        const Code code = writer_.write(primitive->input, text_);
        std::string input = masked(*primitive, code);
        const char* op = primitive->kind == ReduceKind::prod ? "*=" : "+=";
        if (primitive->kind != ReduceKind::max && primitive->kind != ReduceKind::min) {
            kernel_.body.add(fmt::format("{} {} {}", primitive->name, op, input));
            continue;
        }
        if (const Primitive* place = parts_ == 1 ? place_of(*primitive) : nullptr) {
            if (input != code.text) {
                const std::string named = kernel_.unique("candidate");
                kernel_.body.add(named + " = " + input);
                input = named;
            }
            kernel_.body.add(fmt::format("{0} = tl.where({1} {2} {3}, {4}, {0})", place->name, input,
                                         primitive->kind == ReduceKind::max ? ">" : "<", primitive->name,
                                         serial_ ? "tap" : "col"));
        }
        kernel_.body.add(
            fmt::format("{0} = tl.{1}imum({0}, {2})", primitive->name, word(primitive->kind), input));
    }
}

/// Behind a loop: what its lanes came to, joined to one number for each row.
void RowKernel::join_lanes(const std::vector<const Primitive*>& now) {
    if (serial_) return;
    for (const Primitive* primitive : now) {
        const Primitive* place = place_of(*primitive);
        if (!place) {
            kernel_.body.add(primitive->name + " = " + reduced(*primitive, primitive->name).text);
            continue;
        }
        // Equal elements of several lanes: the first of them.
        const std::string apart = kernel_.unique(primitive->name + "_by_lane");
        kernel_.body.add(fmt::format("{} = {}", apart, primitive->name));
        kernel_.body.add(primitive->name + " = " + reduced(*primitive, apart).text);
        const std::string equal =
            fmt::format("tl.where({} == {}, {}, cols)", apart, primitive->name, place->name);
        kernel_.body.add(place->name + " = " + reduced(*place, equal).text);
    }
}

void RowKernel::loops() {
    const std::string step = tile() ? "BLOCK_COLS" : "BLOCK";
    std::vector<int> roots = {result_};
    if (second_result_ >= 0) roots.push_back(second_result_);
    for (const Primitive& primitive : reductions_.primitives) roots.push_back(primitive.input);
    writer_.plan(roots);
    for (int level = 1; level <= levels(); ++level) {
        std::vector<const Primitive*> now = of_level(level);
        std::erase_if(
            now, [](const Primitive* primitive) { return primitive->extreme >= 0; });  // with their extremes
        if (now.empty()) continue;
        start_totals(now);
        loop("0", step, [&] { add_up(now); });
        join_lanes(now);
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
    const std::string lanes = "tl.arange(0, BLOCK_ROWS)";
    const bool wide =
        context_.choices.get(kernel_.name + ".wide", tile() && space_.rows >= (int64_t{1} << 31)) != 0;
    const bool narrow =
        context_.choices.get(kernel_.name + ".narrow_rows",
                             tile() && divides_rows() && !wide &&
                                 largest_tensor(context_, field_, value_) < (int64_t{1} << 31)) != 0;
    if (!tile()) return kernel_.body.add(fmt::format("row = {}.to(tl.int64)", program));
    std::string row = fmt::format("{}{} * BLOCK_ROWS + {}", program, wide ? ".to(tl.int64)" : "", lanes);
    if (!wide && !narrow)
        row = "(" + row + ").to(tl.int64)";
    else if (!serial_)
        row = "(" + row + ")";
    kernel_.body.add("row = " + row + (serial_ ? "" : "[:, None]"));
}

std::optional<Written> RowKernel::write() {
    if (!read()) return std::nullopt;
    kernel_.name = kernel_name(context_, value_, reader_.inlined);
    schedule();
    const char *column = serial_ ? "tap" : "col", *columns = serial_ ? "taps" : "cols";
    text_ = {{{"row", column}, field_.extents, {"rows", columns}},
             {tile() ? "(row < rows)" : "", serial_  ? ""
                                            : tile() ? "(col < cols)"
                                                     : "inside"},
             true};
    if (parts_ > 1) {
        return Written{split(), reader_.inlined, reader_.loaded};
    }
    const std::string what = operator_list(context_, value_, reader_.inlined);
    size_parameter(context_, kernel_, columns, context_.numbers.open(space_.cols));
    begin("tl.program_id(0)");
    if (tile()) {
        size_parameter(context_, kernel_, "rows", context_.numbers.open(space_.rows));
        kernel_.metas = {{"BLOCK_ROWS", std::to_string(block_rows_)}};
        if (!serial_) kernel_.metas.push_back({"BLOCK_COLS", loop_ ? std::to_string(block_cols_) : width()});
        kernel_.grid = {fmt::format("triton.cdiv({}, {})", context_.numbers.open(space_.rows), block_rows_)};
    } else {
        kernel_.metas = {{"BLOCK", loop_ ? std::to_string(block_cols_) : width()}};
        kernel_.grid = {context_.numbers.open(space_.rows)};
    }
    kernel_.docstring = fmt::format(
        "{}: {}, {}.", what, tile() ? "BLOCK_ROWS rows for each program" : "one row for each program",
        serial_ ? "the places of a window one after the other"
        : loop_ ? fmt::format("{} columns at a time", tile() ? "BLOCK_COLS" : "BLOCK")
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
    const bool pooled =
        node.op.find("pool") != std::string::npos && node.op.find("adaptive") == std::string::npos;
    return RowKernel(context, value, space, pooled).write();
}

}  // namespace tritonsmith::forge
