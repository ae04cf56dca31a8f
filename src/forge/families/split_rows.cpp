#include <fmt/format.h>

#include <algorithm>

#include "forge/families/row_kernel.h"

namespace tritonsmith::forge {

using graph::ReduceKind;

/// How many programs share a row: enough to fill a device, each with several blocks of columns.
int64_t RowKernel::sharing_programs() const {
    constexpr int64_t kEnough = 512, kFew = 128, kBlocks = 4;
    const int64_t programs = (space_.rows + block_rows_ - 1) / block_rows_;
    const int64_t worthwhile =
        programs <= 4 ? int64_t{1} << 16 : int64_t{1} << 19;  // another launch is some microseconds
    if (programs >= kFew || space_.rows * space_.cols < worthwhile) return 1;
    const int64_t most = std::min(tile() ? int64_t{64} : int64_t{512}, space_.cols / (kBlocks * block_cols_));
    int64_t out = 1;
    while (out * 2 <= most && out * programs < kEnough) out *= 2;
    return out;
}

void RowKernel::store_partials(const std::vector<const Primitive*>& now) {
    for (const Primitive* primitive : now) {
        const char* usual = primitive->kind == ReduceKind::max    ? "maxima"
                            : primitive->kind == ReduceKind::min  ? "minima"
                            : primitive->kind == ReduceKind::prod ? "products"
                                                                  : "sums";
        const std::string preferred =
                              std::string("partial_") + (primitive->name == "squares" ? "squares" : usual),
                          variable = context_.unique(preferred);
        context_.preferred_names[variable] = preferred;
        partials_[primitive->name] = {variable, preferred};
        const std::string pointer = kernel_.pointer(variable, preferred);
        kernel_.body.add(fmt::format("tl.store({} + row * PROGRAMS + part, {}{})", pointer,
                                     reduced(*primitive, primitive->name).text,
                                     tile() ? ", mask=row < rows" : ""));
    }
}

/// What the programs of a row came to, joined.
void RowKernel::combine(const std::vector<const Primitive*>& before) {
    for (const Primitive* primitive : before) {
        const auto& [variable, role] = partials_.at(primitive->name);
        const std::string pointer = kernel_.pointer(variable, role);
        const std::string mask = tile() ? fmt::format(", mask=row < rows, other={}",
                                                      identity(primitive->kind, primitive->dtype).text)
                                        : "";
        const std::string load =
            fmt::format("tl.load({} + row * PROGRAMS + {}{})", pointer,
                        tile() ? "tl.arange(0, PROGRAMS)[None, :]" : "tl.arange(0, PROGRAMS)", mask);
        kernel_.body.add(primitive->name + " = " + reduced(*primitive, load).text);
    }
}

/// Rows that are too few to fill a device: each is shared by several programs, which take turns in blocks of
/// its columns. A kernel for each level of reductions stores what every program comes to, and the kernels
/// behind it join that, always in the same order.
std::vector<Launch> RowKernel::split() {
    const Kernel blank = kernel_;
    const std::string base = kernel_.name.substr(0, kernel_.name.rfind("_kernel")),
                      block = tile() ? "BLOCK_COLS" : "BLOCK";
    const std::string what = operator_list(context_, value_, reader_.inlined),
                      rows = context_.numbers.open(space_.rows);
    const std::string tiles = tile() ? fmt::format("triton.cdiv({}, {})", rows, block_rows_) : rows;
    const std::string from = "part * " + block, step = "PROGRAMS * " + block;
    std::vector<Launch> out;
    std::vector<const Primitive*> before;
    auto finished = [&](std::vector<Allocation> allocations) {
        const std::string body = kernel_.body.text();
        std::erase_if(kernel_.sizes,
                      [&](const Kernel::Meta& size) { return body.find(size.name) == std::string::npos; });
        out.push_back({std::move(allocations), kernel_});
    };
    auto next = [&](const std::string& name, const std::string& does, bool shared) {
        kernel_ = blank;
        kernel_.name = name;
        kernel_.docstring = what + ": " + does;
        if (!shared) kernel_.num_warps = 4;
        kernel_.metas = {{"PROGRAMS", std::to_string(parts_)}};
        if (shared) kernel_.metas.push_back({block, std::to_string(block_cols_)});
        if (tile()) kernel_.metas.push_back({"BLOCK_ROWS", std::to_string(block_rows_)});
        writer_.known.clear();
        writer_.places.clear();
        size_parameter(context_, kernel_, "cols", context_.numbers.open(space_.cols));
        if (tile()) size_parameter(context_, kernel_, "rows", rows);
        if (shared) kernel_.body.add("part = tl.program_id(0)");
        begin(shared ? "tl.program_id(1)" : "tl.program_id(0)");
        kernel_.grid = {tiles};
        if (shared) kernel_.grid.insert(kernel_.grid.begin(), std::to_string(parts_));
        combine(before);
    };
    for (int level = 1; level <= levels(); ++level) {
        const std::vector<const Primitive*> now = of_level(level);
        next(context_.unique(base + "_partial" + (levels() == 1 ? "" : "_" + std::to_string(level)) +
                             "_kernel"),
             fmt::format("what each of PROGRAMS programs comes to, which share {}.",
                         tile() ? "BLOCK_ROWS rows" : "a row"),
             true);
        std::vector<int> roots;
        for (const Primitive* primitive : now) roots.push_back(primitive->input);
        writer_.plan(roots);
        start_totals(now);
        loop(from, step, [&] { add_up(now); });
        store_partials(now);
        std::vector<Allocation> scratch;
        for (const Primitive* primitive : now)
            scratch.push_back(
                {partials_.at(primitive->name).first, {rows, std::to_string(parts_)}, primitive->dtype, -1});
        finished(std::move(scratch));
        before.insert(before.end(), now.begin(), now.end());
    }
    next(blank.name,
         whole_ ? "PROGRAMS programs share each row, and join first what its reductions came to."
                : "joins what the programs of a row came to.",
         whole_);
    writer_.plan(second_result_ >= 0 ? std::vector<int>{result_, second_result_} : std::vector<int>{result_});
    if (whole_) {
        hoist(result_);
        loop(from, step, [&] { store(writer_.write(result_, text_), true); });
    } else {
        store(writer_.write(result_, text_), false);
        store_companion();
    }
    std::vector<Allocation> made = {allocation(context_, value_)};
    if (second_ >= 0) made.push_back(allocation(context_, second_));
    finished(std::move(made));
    return out;
}

}  // namespace tritonsmith::forge
