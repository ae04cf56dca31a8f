#include "forge/module/module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "forge/emit/helpers.h"
#include "forge/emit/scalar_code.h"
#include "forge/module/kernel_text.h"

namespace tritonsmith::forge {
namespace {

/// A block of a constant number of elements is a number.
std::string folded(std::string text) {
    const std::string call = "triton.next_power_of_2(";
    for (size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
        const size_t begin = at + call.size(), end = text.find_first_not_of("0123456789", begin);
        if (end == begin || end == std::string::npos || text[end] != ')') continue;
        const int64_t wanted = std::stoll(text.substr(begin, end - begin));
        int64_t width = 1;
        while (width < wanted) width *= 2;
        text.replace(at, end + 1 - at, std::to_string(width));
    }
    return text;
}

class Module {
  public:
    Module(const TaskText& task, const std::vector<Draft>& drafts)
        : task_(task), drafts_(drafts), draft_(drafts[0]) {}
    std::string write(const std::string& docstring);
    std::set<std::string> unknown;  ///< numbers that no expression gives, for people

  private:
    void give_up(const std::string& where, const std::string& values) {
        unknown.insert(where + ": " + values);
    }
    struct Known : Symbol {
        int leaf = -1;  ///< whose shape it is; -1: a derived size or an argument of the constructor
        size_t axis = 0;
        std::set<size_t> made_of = {};  ///< the symbols in a derived size's definition
    };
    /// An expression, and the indices of the symbols in it.
    struct Definition {
        Code code;
        std::set<size_t> used;
    };
    Series series(int mark) const { return series_of(drafts_, mark); }
    void find_symbols();
    void derive_symbol(const Series& values, const std::string& axis, const std::string& tensor,
                       const std::optional<Definition>& windows = std::nullopt);
    std::optional<Definition> windows_along(size_t result, size_t axis) const;
    void derive_symbols();
    std::string name(const std::string& preferred, const std::string& tensor);
    Code host(int mark);
    std::string on_host(const std::string& text) {
        return folded(replace_marks(text, [this](int mark, bool whole) {
            return whole ? host(mark).text : host(mark).in(Binding::atom);
        }));
    }
    /// Where a mark is all there is, no parentheses.
    std::string alone(const std::string& text) {
        const std::vector<int> marks = marks_in(text);
        if (marks.size() == 1 && replace_marks(text, [](int, bool) { return ""; }).empty())
            return host(marks[0]).text;
        return on_host(text);
    }
    /// "state = h0" with the tensor's expression: "state = self.h0".
    std::string with_expressions(const std::string& assignment) const {
        const size_t at = assignment.find(" = ");
        const std::string right = assignment.substr(at + 3), tensor = right.substr(0, right.find('['));
        for (const Leaf& leaf : draft_.leaves)
            if (tensor == leaf.variable && !leaf.input && !leaf.copied)
                return assignment.substr(0, at + 3) + leaf.expression + right.substr(tensor.size());
        return assignment;
    }
    std::map<std::string, Tensor> tensors() const;
    void use_tensors_of(const Kernel& kernel, const std::map<std::string, Tensor>& known);
    std::string kernels(const std::map<std::string, Tensor>& known, std::vector<std::string>& names,
                        std::vector<std::string>& arguments);
    std::string allocated(const Allocation& made, const std::string& device);
    std::string forward();
    std::string checks();
    std::string definitions();

    const TaskText& task_;
    const std::vector<Draft>& drafts_;
    const Draft& draft_;
    std::vector<Known> known_;
    std::vector<Symbol> symbols_;
    std::vector<Symbol> nearby_;  ///< symbols_ and the sizes of the tensors of one launch
    std::set<size_t> used_;
    std::set<std::string> taken_;
    std::vector<std::string> stored_arguments_;  ///< statements that the constructor needs besides
};

std::string Module::name(const std::string& preferred, const std::string& tensor) {
    std::string of = tensor;
    for (const char* last : {"_weight", "_bias"})
        if (of.ends_with(last) && of.size() > std::string(last).size())
            of.resize(of.size() - std::string(last).size());
    const std::string longer = of == preferred ? "num_" + preferred : of + "_" + preferred;
    std::string out = taken_.contains(preferred) ? longer : preferred;
    for (int count = 2; taken_.contains(out); ++count) out = fmt::format("{}_{}", longer, count);
    taken_.insert(out);
    return out;
}

void Module::find_symbols() {
    auto add = [&](Known symbol) {
        const bool small = constant(symbol.values) && symbol.values[0] <= 16;
        const bool there = std::any_of(known_.begin(), known_.end(),
                                       [&](const Known& other) { return other.values == symbol.values; });
        if (!small && !there) known_.push_back(std::move(symbol));
    };
    for (size_t i = 0; i < draft_.leaves.size(); ++i) {
        const Leaf& leaf = draft_.leaves[i];
        const std::vector<std::string> names = axis_names(leaf.shape.size(), kind_of(leaf));
        for (size_t axis = 0; axis < leaf.shape.size(); ++axis) {
            Known symbol;
            for (const Draft& draft : drafts_) symbol.values.push_back(draft.leaves[i].shape[axis]);
            const bool there = std::any_of(known_.begin(), known_.end(),
                                           [&](const Known& other) { return other.values == symbol.values; });
            if (there || (constant(symbol.values) && symbol.values[0] <= 16)) continue;
            symbol.leaf = static_cast<int>(i);
            symbol.axis = axis;
            symbol.name = name(names[axis], leaf.variable);
            symbol.definition =
                fmt::format("{}.shape[{}]", leaf.input ? leaf.variable : leaf.expression, axis);
            add(std::move(symbol));
        }
    }
    for (const auto& [argument, value] : draft_.given) {
        Known symbol;
        symbol.name = symbol.definition = argument;
        bool whole = true;
        for (const Draft& draft : drafts_) {
            const auto* integer = std::get_if<int64_t>(&draft.given.at(argument));
            whole = whole && integer && *integer > 0;
            symbol.values.push_back(whole ? *integer : 0);
        }
        if (whole && !constant(symbol.values)) add(std::move(symbol));
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

/// Names a size of a result that no tensor before it has.
void Module::derive_symbol(const Series& values, const std::string& axis, const std::string& tensor,
                           const std::optional<Definition>& windows) {
    if (constant(values) || std::any_of(symbols_.begin(), symbols_.end(),
                                        [&](const Symbol& known) { return known.values == values; }))
        return;
    std::set<size_t> used;
    const std::optional<Code> code = windows ? windows->code : fit(values, symbols_, used);
    if (!code) return;
    Known symbol;
    symbol.values = values;
    symbol.made_of = windows ? windows->used : used;
    symbol.definition = code->text;
    symbol.windows = windows.has_value();
    symbol.name =
        taken_.contains("out_" + axis) ? name(tensor + "_" + axis, "last") : name("out_" + axis, tensor);
    known_.push_back(symbol);
    symbols_.push_back(symbol);
}

/// The number of windows, as it is at any size: of the sizes at hand several expressions may be true.
std::optional<Module::Definition> Module::windows_along(size_t result, size_t axis) const {
    const Draft::Result& first = draft_.results[result];
    if (axis + first.windows.size() < first.shape.size()) return std::nullopt;
    const size_t at = axis + first.windows.size() - first.shape.size();
    const Windows& windows = first.windows[at];
    Series from;
    for (const Draft& draft : drafts_) {
        const std::vector<Windows>& here = draft.results[result].windows;
        if (at >= here.size() || !here[at].like(windows)) return std::nullopt;
        from.push_back(here[at].from);
    }
    for (size_t i = 0; i < symbols_.size(); ++i)
        if (symbols_[i].values == from) return Definition{windows.count_of({symbols_[i].name}), {i}};
    return std::nullopt;
}

void Module::derive_symbols() {
    symbols_.assign(known_.begin(), known_.end());
    for (size_t i = 0; i < draft_.results.size(); ++i) {
        const size_t rank = draft_.results[i].shape.size();
        const bool alike = std::all_of(drafts_.begin(), drafts_.end(), [&](const Draft& draft) {
            return draft.results.size() > i && draft.results[i].shape.size() == rank;
        });
        for (size_t axis = 0; axis < rank && alike; ++axis) {
            Series values;
            for (const Draft& draft : drafts_) values.push_back(draft.results[i].shape[axis]);
            derive_symbol(values, axis_names(rank, TensorKind::data)[axis], draft_.results[i].name,
                          windows_along(i, axis));
        }
    }
    for (const Launch& launch : draft_.launches)
        for (const Allocation& made : launch.allocations)
            for (size_t axis = 0; axis < made.shape.size(); ++axis)
                if (const std::vector<int> marks = marks_in(made.shape[axis]); marks.size() == 1)
                    derive_symbol(series(marks[0]), axis_names(made.shape.size(), TensorKind::data)[axis],
                                  made.variable);
}

Code Module::host(int mark) {
    std::set<size_t> used;
    const Series values = series(mark);
    std::optional<Code> code = fit(values, symbols_, used);
    used_.insert(used.begin(), used.end());
    if (code) return *code;
    used.clear();
    if ((code = fit(values, nearby_, used))) {
        for (const size_t i : used)
            if (i < symbols_.size()) used_.insert(i);
        return *code;
    }
    give_up("forward", fmt::format("{}", fmt::join(values, ", ")));
    return {std::to_string(values[0])};
}

std::map<std::string, Tensor> Module::tensors() const {
    std::map<std::string, Tensor> out;
    for (size_t i = 0; i < draft_.leaves.size(); ++i) {
        const Leaf& leaf = draft_.leaves[i];
        Tensor tensor{leaf.input || leaf.copied ? leaf.variable : leaf.expression, {}, kind_of(leaf)};
        for (size_t axis = 0; axis < leaf.shape.size(); ++axis) {
            tensor.shape.emplace_back();
            for (const Draft& draft : drafts_) tensor.shape.back().push_back(draft.leaves[i].shape[axis]);
        }
        out[leaf.variable] = tensor;
    }
    for (const Launch& launch : draft_.launches)
        for (const Allocation& made : launch.allocations) {
            Tensor tensor{made.variable, {}, TensorKind::data};
            for (const std::string& extent : made.shape) {
                const std::vector<int> marks = marks_in(extent);
                tensor.shape.push_back(marks.empty() ? Series(drafts_.size(), std::stoll(extent))
                                                     : series(marks[0]));
            }
            out[made.variable] = tensor;
        }
    return out;
}

void Module::use_tensors_of(const Kernel& kernel, const std::map<std::string, Tensor>& known) {
    nearby_ = symbols_;
    for (const Kernel::Pointer& pointer : kernel.pointers) {
        const auto found = known.find(pointer.variable);
        if (found == known.end()) continue;
        for (size_t axis = 0; axis < found->second.shape.size(); ++axis) {
            const Series& values = found->second.shape[axis];
            if (values[0] > 1 && std::none_of(nearby_.begin(), nearby_.end(),
                                              [&](const Symbol& symbol) { return symbol.values == values; }))
                nearby_.push_back({fmt::format("{}.shape[{}]", found->second.expression, axis), values, ""});
        }
    }
}

/// The kernels' texts, those that are alike once. @param names and arguments of each launch
std::string Module::kernels(const std::map<std::string, Tensor>& known, std::vector<std::string>& names,
                            std::vector<std::string>& arguments) {
    std::vector<KernelText> texts;                      // that differ
    std::vector<uint64_t> outlines;                     // of them
    std::map<std::string, std::vector<size_t>> called;  // texts by what their kernel wants to be called
    std::vector<size_t> which;                          // text of each launch
    const bool one = draft_.launches.size() == 1;
    for (const Launch& launch : draft_.launches) {
        if (!launch.call.empty()) {
            names.emplace_back();
            arguments.emplace_back();
            continue;
        }
        const Kernel& kernel = launch.kernel;
        KernelText text = kernel_text(kernel, drafts_, known, symbols_);
        use_tensors_of(kernel, known);
        for (const std::string& values : text.unknown) give_up(kernel.name, values);
        std::vector<std::string> given;
        for (const KernelText::Given& one : text.given) {
            if (!one.text.empty()) {
                const size_t equals = one.text.find('=');
                given.push_back(equals == std::string::npos
                                    ? alone(one.text)
                                    : one.text.substr(0, equals + 1) + alone(one.text.substr(equals + 1)));
                continue;
            }
            const auto same = std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol& symbol) {
                return symbol.values == one.size.values;
            });
            if (same != symbols_.end()) used_.insert(static_cast<size_t>(same - symbols_.begin()));
            given.push_back(same != symbols_.end() ? same->name : one.size.definition);
        }
        if (kernel.num_warps != 4) given.push_back(fmt::format("num_warps={}", kernel.num_warps));
        if (kernel.num_stages > 0) given.push_back(fmt::format("num_stages={}", kernel.num_stages));
        names.emplace_back();
        arguments.push_back(fmt::format("{}", fmt::join(given, ", ")));
        const uint64_t outline = one ? 0 : text.outline();
        size_t same = 0;
        while (same < texts.size() && (outlines[same] != outline || texts[same].form() != text.form()))
            ++same;
        which.push_back(same);
        if (same < texts.size()) continue;
        called[kernel.name.substr(0, kernel.name.rfind("_kernel")) + "_kernel"].push_back(same);
        texts.push_back(std::move(text));
        outlines.push_back(outline);
    }
    std::vector<std::string> name(texts.size());
    for (const auto& [base, same] : called)
        for (size_t i = 0; i < same.size(); ++i)
            name[same[i]] = same.size() == 1 ? base : fmt::format("{}_{}", base, i + 1);
    std::string out;
    for (size_t i = 0; i < texts.size(); ++i) {
        std::string& text = texts[i].text;
        out += text.replace(text.find(KernelText::kName), 1, name[i]) + "\n\n";
    }
    size_t next = 0;
    for (size_t i = 0; i < draft_.launches.size(); ++i)
        if (draft_.launches[i].call.empty()) names[i] = name[which[next++]];
    return out;
}

std::string Module::checks() {
    std::string out;
    for (const Leaf& leaf : draft_.leaves) {
        if (!leaf.input) continue;
        if (leaf.variable != leaf.expression)
            out += fmt::format("        {} = {}\n", leaf.variable, leaf.expression);
        out += fmt::format("        if {0}.dim() != {1} or {0}.dtype != {2}:\n", leaf.variable,
                           leaf.shape.size(), torch_name(leaf.dtype));
        out += fmt::format(
            "            raise ValueError(f\"{0}: {1} of {2} dimension{3} expected, not {{{0}.dtype}} of "
            "{{{0}.dim()}}\")\n",
            leaf.variable, torch_name(leaf.dtype).substr(6), leaf.shape.size(),
            leaf.shape.size() == 1 ? "" : "s");
        if (unknown.empty()) continue;
        // Some number in the program is one of this size.
        const std::string shape =
            fmt::format("({}{})", fmt::join(leaf.shape, ", "), leaf.shape.size() == 1 ? "," : "");
        out += fmt::format(
            "        if {0}.shape != {1}:\n            raise ValueError(f\"{0}: made for "
            "{1}, not {{tuple({0}.shape)}}\")\n",
            leaf.variable, shape);
    }
    for (const auto& [argument, literal] : draft_.fixed) {
        const std::string other = literal == "True"    ? "not " + argument
                                  : literal == "False" ? argument
                                                       : argument + " != " + literal;
        out += fmt::format(
            "        if {0}:\n            raise ValueError(f\"{1}: {2} expected, not {{{1}}}\")\n", other,
            argument, literal);
    }
    for (const Leaf& leaf : draft_.leaves)
        if (leaf.copied)
            out += fmt::format("        {} = {}.contiguous()\n", leaf.variable,
                               leaf.input ? leaf.variable : leaf.expression);
    return out;
}

/// Lines that give the sizes in use their names.
std::string Module::definitions() {
    std::string out;
    for (size_t more = 0; more != used_.size();) {  // what derived sizes are made of
        more = used_.size();
        for (const size_t i : std::set<size_t>(used_))
            used_.insert(known_[i].made_of.begin(), known_[i].made_of.end());
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
        if (known_[used].leaf < 0 && known_[used].definition != known_[used].name) {
            out += fmt::format("        {} = {}\n", known_[used].name, known_[used].definition);
            if (known_[used].definition.starts_with("self.") && known_[used].axis == 1)
                stored_arguments_.push_back(known_[used].definition + " = " + known_[used].name);
        }
    return out;
}

std::string Module::forward() {
    std::string body, device = "x.device";
    for (const Leaf& leaf : draft_.leaves)
        if (device == "x.device" || leaf.input)
            device = (leaf.input ? leaf.variable : leaf.expression) + ".device";
    for (const Leaf& leaf : draft_.leaves)
        if (leaf.input) {
            device = leaf.variable + ".device";
            break;
        }
    return device;
}

std::string Module::allocated(const Allocation& made, const std::string& device) {
    for (size_t i = 0; i < draft_.leaves.size(); ++i) {
        const Leaf& leaf = draft_.leaves[i];
        if (!leaf.input || leaf.dtype != made.dtype || leaf.shape.size() != made.shape.size()) continue;
        bool equal = true;
        for (size_t k = 0; k < drafts_.size(); ++k)
            for (size_t d = 0; d < made.shape.size(); ++d) {
                const std::vector<int> marks = marks_in(made.shape[d]);
                equal &= marks.size() == 1 && series(marks[0])[k] == drafts_[k].leaves[i].shape[d];
            }
        if (equal) return fmt::format("{} = torch.empty_like({})", made.variable, leaf.variable);
    }
    std::vector<std::string> shape;
    for (const std::string& extent : made.shape) shape.push_back(alone(extent));
    std::string list = fmt::format("{}", fmt::join(shape, ", "));
    if (shape.size() == 1) list += ",";
    std::string dtype = torch_name(made.dtype);
    for (const Leaf& leaf : draft_.leaves)
        if (leaf.input && leaf.dtype == made.dtype) {
            dtype = leaf.variable + ".dtype";
            break;
        }
    return fmt::format("{} = torch.empty(({}), device={}, dtype={})", made.variable, list, device, dtype);
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
    std::vector<std::string> names, arguments;
    std::string last_grid;
    const std::map<std::string, Tensor> known = tensors();
    std::string code = kernels(known, names, arguments), steps;
    nearby_ = symbols_;
    std::map<std::string, std::string> expressions;
    for (const Leaf& leaf : draft_.leaves)
        if (!leaf.input && !leaf.copied) expressions[leaf.variable] = leaf.expression;
    for (size_t i = 0; i < draft_.launches.size(); ++i) {
        const Launch& launch = draft_.launches[i];
        if (!launch.call.empty()) {
            steps += fmt::format("        {} = {}\n", launch.allocations[0].variable,
                                 on_host(renamed(launch.call, expressions)));
            continue;
        }
        for (const Allocation& made : launch.allocations)
            steps += "        " + allocated(made, device) + "\n";
        use_tensors_of(launch.kernel, known);
        std::vector<std::string> grid;
        for (const std::string& extent : launch.kernel.grid) grid.push_back(alone(extent));
        std::string launched = fmt::format("{}", fmt::join(grid, ", "));
        if (grid.size() == 1)
            launched = "(" + launched + ",)";
        else
            launched = "(" + launched + ")";
        if (launched.size() > 30 && !taken_.contains("grid")) {
            if (launched != last_grid) steps += fmt::format("        grid = {}\n", launched);
            last_grid = launched;
            launched = "grid";
        }
        for (const std::string& line : launch.before) steps += "        " + with_expressions(line) + "\n";
        if (!launch.loop.empty()) steps += "        " + on_host(launch.loop) + "\n";
        const std::string indent(launch.loop.empty() ? 8 : 12, ' ');
        steps += fmt::format("{}{}[{}]({})\n", indent, names[i], launched, arguments[i]);
        for (const std::string& line : launch.after) steps += indent + line + "\n";
    }
    const std::string returned = on_host(draft_.returned), sizes = definitions();
    code = helper_functions(code) + code;
    std::string out;
    if (!docstring.empty()) out += docstring + "\n";
    const std::vector<std::string>& imports = task_.imports;
    std::vector<std::string> order;
    for (const std::string& line : imports)
        if (line != "import torch" && !line.starts_with("from torch") && !line.starts_with("import torch."))
            order.push_back(line);
    if (!order.empty()) order.push_back("");
    order.push_back("import torch");
    for (const std::string& line : imports)
        if (line.starts_with("from torch") || line.starts_with("import torch.")) order.push_back(line);
    if (std::find(order.begin(), order.end(), "import torch.nn as nn") == order.end() &&
        task_.bases.starts_with("nn."))
        order.push_back("import torch.nn as nn");
    const char* functional = "import torch.nn.functional as F";
    if (steps.find(" F.") != std::string::npos &&
        std::find(order.begin(), order.end(), functional) == order.end())
        order.emplace_back(functional);
    order.push_back("import triton");
    order.push_back("import triton.language as tl");
    if (needs_libdevice(code)) order.push_back("from triton.language.extra import libdevice");
    for (const std::string& line : order) out += line + "\n";
    for (const std::string& definition : task_.definitions)
        out +=
            "\n" + (definition.find('\n') == std::string::npos ? "" : std::string("\n")) + definition + "\n";
    out += "\n\n";
    out += code;
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
    out += "        return " + returned + "\n";
    return wrap_lines(out);
}

}  // namespace

std::string write_module(const TaskText& task, const std::vector<Draft>& drafts, const std::string& docstring,
                         std::set<std::string>& unknown) {
    Module module(task, drafts);
    std::string out = module.write(docstring);
    unknown = module.unknown;
    return out;
}

}  // namespace tritonsmith::forge
