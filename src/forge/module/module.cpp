#include "forge/module/module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "forge/emit/scalar_code.h"

namespace tritonsmith::forge {
namespace {

/// What the axes of a tensor are usually called.
std::vector<std::string> axis_names(size_t rank, bool weight) {
    if (weight) {
        switch (rank) {
            case 1: return {"features"};
            case 2: return {"out_features", "in_features"};
            case 3: return {"out_channels", "in_channels", "taps"};
            case 4: return {"out_channels", "in_channels", "kernel_height", "kernel_width"};
            case 5: return {"out_channels", "in_channels", "kernel_depth", "kernel_height", "kernel_width"};
            default: break;
        }
    }
    switch (rank) {
        case 1: return {"length"};
        case 2: return {"rows", "cols"};
        case 3: return {"batch", "length", "features"};
        case 4: return {"batch", "channels", "height", "width"};
        case 5: return {"batch", "channels", "depth", "height", "width"};
        default: break;
    }
    std::vector<std::string> out;
    for (size_t d = 0; d < rank; ++d) out.push_back(fmt::format("size_{}", d));
    return out;
}

class Module {
  public:
    Module(const TaskText& task, const std::vector<Draft>& drafts) : task_(task), drafts_(drafts), draft_(drafts[0]) {}
    std::string write(const std::string& docstring);
    bool specialised = false;

  private:
    struct Known : Symbol {
        int leaf = -1;  ///< whose shape it is; -1: a derived size or an argument of the constructor
        size_t axis = 0;
    };
    Series series(int mark) const {
        Series out;
        for (const Draft& draft : drafts_) out.push_back(draft.numbers.values().at(static_cast<size_t>(mark)));
        return out;
    }
    void find_symbols();
    void derive_symbols();
    std::string name(const std::string& wish, const std::string& tensor);
    Code host(int mark);
    std::string on_host(const std::string& text) {
        return replace_marks(text, [this](int mark, bool whole) { return whole ? host(mark).text : host(mark).in(Binding::atom); });
    }
    /// Where a mark is all there is, no parentheses.
    std::string alone(const std::string& text) {
        const std::vector<int> marks = marks_in(text);
        if (marks.size() == 1 && replace_marks(text, [](int, bool) { return ""; }).empty()) return host(marks[0]).text;
        return on_host(text);
    }
    std::string kernel(const Launch& launch, std::string& arguments);
    std::string forward();
    std::string checks();
    std::string definitions();

    const TaskText& task_;
    const std::vector<Draft>& drafts_;
    const Draft& draft_;
    std::vector<Known> known_;
    std::vector<Symbol> symbols_;
    std::set<size_t> used_;
    std::set<std::string> taken_;
    std::vector<std::string> stored_arguments_;  ///< statements that the constructor needs besides
};

std::string Module::name(const std::string& wish, const std::string& tensor) {
    std::string out = wish;
    if (taken_.contains(out)) out = tensor + "_" + wish;
    for (int count = 2; taken_.contains(out); ++count) out = fmt::format("{}_{}_{}", tensor, wish, count);
    taken_.insert(out);
    return out;
}

void Module::find_symbols() {
    auto add = [&](Known symbol) {
        const bool small = constant(symbol.values) && symbol.values[0] <= 16;
        const bool there = std::any_of(known_.begin(), known_.end(), [&](const Known& other) { return other.values == symbol.values; });
        if (!small && !there) known_.push_back(std::move(symbol));
    };
    for (size_t i = 0; i < draft_.leaves.size(); ++i) {
        const Leaf& leaf = draft_.leaves[i];
        const std::vector<std::string> names = axis_names(leaf.shape.size(), !leaf.input);
        for (size_t axis = 0; axis < leaf.shape.size(); ++axis) {
            Known symbol;
            for (const Draft& draft : drafts_) symbol.values.push_back(draft.leaves[i].shape[axis]);
            const bool there = std::any_of(known_.begin(), known_.end(), [&](const Known& other) { return other.values == symbol.values; });
            if (there || (constant(symbol.values) && symbol.values[0] <= 16)) continue;
            symbol.leaf = static_cast<int>(i);
            symbol.axis = axis;
            symbol.name = name(names[axis], leaf.variable);
            symbol.definition = fmt::format("{}.shape[{}]", leaf.input ? leaf.variable : leaf.expression, axis);
            add(std::move(symbol));
        }
    }
    for (const auto& [position, value] : draft_.arguments) {
        if (position >= static_cast<int>(task_.constructor.size())) continue;
        const std::string& argument = task_.constructor[static_cast<size_t>(position)];
        Known symbol;
        for (const Draft& draft : drafts_) {
            const auto found = draft.arguments.find(position);
            symbol.values.push_back(found == draft.arguments.end() ? 0 : found->second);
        }
        if (constant(symbol.values)) continue;
        std::string attribute;
        for (const auto& [left, right] : task_.kept)
            if (right == argument) attribute = left;
        symbol.definition = "self." + (attribute.empty() ? argument : attribute);
        symbol.name = argument;
        if (taken_.contains(argument)) continue;
        if (attribute.empty()) symbol.axis = 1;  // the constructor must keep it
        add(std::move(symbol));
    }
}

/// Sizes of results that are no size of an operand.
void Module::derive_symbols() {
    symbols_.assign(known_.begin(), known_.end());
    for (const Launch& launch : draft_.launches)
        for (const Allocation& made : launch.allocations) {
            const std::vector<std::string> names = axis_names(made.shape.size(), false);
            for (size_t axis = 0; axis < made.shape.size(); ++axis) {
                const std::vector<int> marks = marks_in(made.shape[axis]);
                if (marks.size() != 1) continue;
                const Series values = series(marks[0]);
                if (constant(values)) continue;
                if (std::any_of(symbols_.begin(), symbols_.end(), [&](const Symbol& s) { return s.values == values; })) continue;
                std::set<size_t> used;
                const std::optional<Code> code = fit(values, symbols_, used);
                if (!code) continue;
                Known symbol;
                symbol.values = values;
                symbol.definition = code->text;
                symbol.name = name("out_" + names[axis], made.variable);
                known_.push_back(symbol);
                symbols_.push_back(symbol);
            }
        }
}

Code Module::host(int mark) {
    std::set<size_t> used;
    const Series values = series(mark);
    const std::optional<Code> code = fit(values, symbols_, used);
    used_.insert(used.begin(), used.end());
    if (code) return *code;
    specialised = true;
    return {std::to_string(values[0])};
}

std::string Module::kernel(const Launch& launch, std::string& arguments) {
    const Kernel& kernel = launch.kernel;
    // In a kernel a size has the kernel's own name where it has one.
    std::vector<Symbol> symbols;
    std::vector<std::string> expressions;
    std::vector<std::string> parameters, given;
    for (const Kernel::Pointer& pointer : kernel.pointers) {
        parameters.push_back(pointer.parameter);
        std::string tensor = pointer.variable;
        for (const Leaf& leaf : draft_.leaves)
            if (leaf.variable == pointer.variable && !leaf.input && !leaf.copied) tensor = leaf.expression;
        given.push_back(tensor);
    }
    std::set<std::string> names;
    for (const Kernel::Meta& size : kernel.sizes) {
        const std::vector<int> marks = marks_in(size.value);
        Symbol symbol{size.name, marks.size() == 1 ? series(marks[0]) : Series{}, ""};
        const bool small = !symbol.values.empty() && constant(symbol.values) && symbol.values[0] <= 16;
        if (symbol.values.empty() || small) symbol.values.assign(drafts_.size(), -1);
        symbols.push_back(symbol);
        names.insert(size.name);
        parameters.push_back(size.name);
        given.push_back(alone(size.value));
    }
    const size_t own = symbols.size();
    for (const Symbol& symbol : symbols_) {
        symbols.push_back(symbol);
        std::string& wish = symbols.back().name;
        while (kernel.taken.contains(wish) || names.contains(wish)) wish += "_size";
        names.insert(wish);
    }
    std::set<size_t> used;
    const std::string body = replace_marks(kernel.body.text(), [&](int mark, bool whole) {
        const Series values = series(mark);
        const std::optional<Code> code = fit(values, symbols, used);
        if (code) return whole ? code->text : code->in(Binding::atom);
        specialised = true;
        return std::to_string(values[0]);
    });
    for (const size_t i : used)
        if (i >= own) {
            parameters.push_back(symbols[i].name);
            given.push_back(symbols_[i - own].name);
            used_.insert(i - own);
        }
    for (const Kernel::Meta& meta : kernel.metas) {
        parameters.push_back(meta.name + ": tl.constexpr");
        given.push_back(meta.name + "=" + alone(meta.value));
    }
    if (kernel.num_warps != 4) given.push_back(fmt::format("num_warps={}", kernel.num_warps));
    if (kernel.num_stages > 0) given.push_back(fmt::format("num_stages={}", kernel.num_stages));
    arguments = fmt::format("{}", fmt::join(given, ", "));
    std::string out = fmt::format("@triton.jit\ndef {}({}):\n    \"\"\"{}\"\"\"\n", kernel.name, fmt::join(parameters, ", "), kernel.docstring);
    Lines lines;
    out += body;
    size_t at = 0;
    std::string indented;
    const size_t begin = out.size() - body.size();
    while (at < body.size()) {
        const size_t end = body.find('\n', at);
        indented += "    " + body.substr(at, end - at + 1);
        at = end + 1;
    }
    return out.substr(0, begin) + indented;
}

std::string Module::checks() {
    std::string out;
    for (const Leaf& leaf : draft_.leaves) {
        if (!leaf.input) continue;
        if (leaf.variable != leaf.expression) out += fmt::format("        {} = {}\n", leaf.variable, leaf.expression);
        out += fmt::format("        if {0}.dim() != {1} or {0}.dtype != {2}:\n", leaf.variable, leaf.shape.size(), torch_name(leaf.dtype));
        out += fmt::format("            raise ValueError(f\"{0}: {1} of {2} dimensions expected, not {{{0}.dtype}} of {{{0}.dim()}}\")\n",
                           leaf.variable, torch_name(leaf.dtype).substr(6), leaf.shape.size());
    }
    for (const Leaf& leaf : draft_.leaves)
        if (leaf.copied) out += fmt::format("        {} = {}.contiguous()\n", leaf.variable, leaf.input ? leaf.variable : leaf.expression);
    return out;
}

/// Lines that give the sizes in use their names.
std::string Module::definitions() {
    std::string out;
    for (size_t more = 0; more != used_.size();) {  // what derived sizes are made of
        more = used_.size();
        for (const size_t i : std::set<size_t>(used_))
            if (known_[i].leaf < 0) {
                std::set<size_t> inner;
                const std::vector<Symbol> before(symbols_.begin(), symbols_.begin() + static_cast<std::ptrdiff_t>(i));
                if (!known_[i].definition.starts_with("self.")) fit(known_[i].values, before, inner);
                used_.insert(inner.begin(), inner.end());
            }
    }
    for (size_t i = 0; i < draft_.leaves.size(); ++i) {
        const Leaf& leaf = draft_.leaves[i];
        std::vector<std::string> names(leaf.shape.size(), "_");
        size_t count = 0;
        std::string single;
        for (const size_t used : used_)
            if (known_[used].leaf == static_cast<int>(i)) {
                names[known_[used].axis] = known_[used].name;
                single = known_[used].name + " = " + known_[used].definition;
                ++count;
            }
        const std::string tensor = leaf.input ? leaf.variable : leaf.expression;
        if (count == 1 && names.size() != 1) out += "        " + single + "\n";
        if (count > 1) out += fmt::format("        {} = {}.shape\n", fmt::join(names, ", "), tensor);
        if (count == 1 && names.size() == 1) out += "        " + single + "\n";
    }
    for (const size_t used : used_)
        if (known_[used].leaf < 0) {
            out += fmt::format("        {} = {}\n", known_[used].name, known_[used].definition);
            if (known_[used].definition.starts_with("self.") && known_[used].axis == 1)
                stored_arguments_.push_back(known_[used].definition + " = " + known_[used].name);
        }
    return out;
}

std::string Module::forward() {
    std::string body, device = "x.device";
    for (const Leaf& leaf : draft_.leaves)
        if (device == "x.device" || leaf.input) device = (leaf.input ? leaf.variable : leaf.expression) + ".device";
    for (const Leaf& leaf : draft_.leaves)
        if (leaf.input) {
            device = leaf.variable + ".device";
            break;
        }
    return device;
}

std::string Module::write(const std::string& docstring) {
    for (const Leaf& leaf : draft_.leaves) taken_.insert(leaf.variable);
    for (const std::string& argument : task_.arguments) taken_.insert(argument);
    for (const Launch& launch : draft_.launches) {
        taken_.insert(launch.kernel.name);
        for (const Allocation& made : launch.allocations) taken_.insert(made.variable);
    }
    find_symbols();
    derive_symbols();
    const std::string device = forward();
    std::string kernels, steps;
    // Kernels that are alike are one.
    std::map<std::string, std::string> same;
    for (const Launch& launch : draft_.launches) {
        std::string arguments;
        const std::string text = kernel(launch, arguments);
        const std::string name = launch.kernel.name;
        std::string form = text;
        form.erase(form.find(name), name.size());
        const auto [found, fresh] = same.try_emplace(form, name);
        if (fresh) kernels += text + "\n\n";
        for (const Allocation& made : launch.allocations) {
            std::vector<std::string> shape;
            for (const std::string& extent : made.shape) shape.push_back(alone(extent));
            std::string list = fmt::format("{}", fmt::join(shape, ", "));
            if (shape.size() == 1) list += ",";
            std::string like;
            for (const Leaf& leaf : draft_.leaves) {
                if (!leaf.input || leaf.dtype != made.dtype || leaf.shape.size() != made.shape.size() || !like.empty()) continue;
                bool equal = true;
                for (size_t k = 0; k < drafts_.size(); ++k)
                    for (size_t d = 0; d < made.shape.size(); ++d) {
                        const std::vector<int> marks = marks_in(made.shape[d]);
                        equal &= marks.size() == 1 && series(marks[0])[k] == drafts_[k].leaves[static_cast<size_t>(&leaf - draft_.leaves.data())].shape[d];
                    }
                if (equal) like = leaf.variable;
            }
            if (!like.empty()) {
                steps += fmt::format("        {} = torch.empty_like({})\n", made.variable, like);
                continue;
            }
            std::string dtype = torch_name(made.dtype);
            for (const Leaf& leaf : draft_.leaves)
                if (leaf.input && leaf.dtype == made.dtype) {
                    dtype = leaf.variable + ".dtype";
                    break;
                }
            steps += fmt::format("        {} = torch.empty(({}), device={}, dtype={})\n", made.variable, list, device, dtype);
        }
        std::vector<std::string> grid;
        for (const std::string& extent : launch.kernel.grid) grid.push_back(alone(extent));
        std::string launched = fmt::format("{}", fmt::join(grid, ", "));
        if (grid.size() == 1) launched = "(" + launched + ",)";
        else launched = "(" + launched + ")";
        if (launched.size() > 30 && !taken_.contains("grid")) {
            steps += fmt::format("        grid = {}\n", launched);
            launched = "grid";
        }
        steps += fmt::format("        {}[{}]({})\n", found->second, launched, arguments);
    }
    const std::string sizes = definitions();
    std::string out;
    if (!docstring.empty()) out += docstring + "\n";
    const std::vector<std::string>& imports = task_.imports;
    std::vector<std::string> order;
    for (const std::string& line : imports)
        if (line != "import torch" && !line.starts_with("from torch") && !line.starts_with("import torch.")) order.push_back(line);
    if (!order.empty()) order.push_back("");
    order.push_back("import torch");
    for (const std::string& line : imports)
        if (line.starts_with("from torch") || line.starts_with("import torch.")) order.push_back(line);
    if (std::find(order.begin(), order.end(), "import torch.nn as nn") == order.end() && task_.bases.starts_with("nn."))
        order.push_back("import torch.nn as nn");
    order.push_back("import triton");
    order.push_back("import triton.language as tl");
    if (needs_libdevice(kernels)) order.push_back("from triton.language.extra import libdevice");
    for (const std::string& line : order) out += line + "\n";
    for (const std::string& definition : task_.definitions) out += "\n" + (definition.find('\n') == std::string::npos ? "" : std::string("\n")) + definition + "\n";
    out += "\n\n";
    if (kernels.find("multiply)") != std::string::npos) out += "@triton.jit\ndef multiply(a, b):\n    return a * b\n\n\n";
    out += kernels;
    out += fmt::format("class ModelNew({}):\n", task_.bases);
    if (!task_.docstring.empty()) out += "    " + task_.docstring + "\n\n";
    for (const std::string& member : task_.members) {
        out += member + "\n";
        if (member.find("def __init__") != std::string::npos)
            for (const std::string& line : stored_arguments_) out += "        " + line + "\n";
        out += "\n";
    }
    out += "    def forward" + task_.parameters + ":\n" + checks() + sizes + steps;
    for (const std::string& update : draft_.updates) out += "        " + update + "\n";
    out += "        return " + draft_.returned + "\n";
    return wrap_lines(out);
}

}  // namespace

std::string write_module(const TaskText& task, const std::vector<Draft>& drafts, const std::string& docstring, bool& specialised) {
    Module module(task, drafts);
    std::string out = module.write(docstring);
    specialised = module.specialised;
    return out;
}

}  // namespace tritonsmith::forge
