#include "forge/module/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace tritonsmith::forge {
namespace {

/// Names that a kernel's text chose: its parameters and what it assigns; not those in capitals, by which
/// forward calls them.
std::unordered_set<std::string_view> chosen_names(std::string_view text) {
    std::unordered_set<std::string_view> out;
    bool first = true, header = true;
    for (size_t i = 0, begin = 0; i < text.size(); begin = ++i) {
        while (i < text.size() && word_char(text[i])) ++i;
        if (i == text.size()) break;
        const char c = text[i];
        if (const std::string_view word = text.substr(begin, i - begin); !word.empty()) {
            const bool parameter = header && (c == ',' || c == ')' || c == ':');
            const bool assigned =
                first && (text.compare(i, 3, " = ") == 0 || c == ',' || text.compare(i, 4, " += ") == 0);
            const bool counted = i > word.size() + 4 && text.compare(i - word.size() - 4, 4, "for ") == 0;
            if ((parameter || assigned || counted) && std::islower(static_cast<unsigned char>(word[0])))
                out.insert(word);
            if (!(assigned && c == ',')) first = false;
        }
        if (header && c == '\n' && i > 0 && text[i - 1] == ':') header = false;
        if (c == '\n') first = true;
    }
    return out;
}

class Writer {
  public:
    Writer(const Kernel& kernel, const std::vector<Draft>& drafts,
           const std::map<std::string, Tensor>& tensors, const std::vector<Symbol>& symbols)
        : kernel_(kernel), drafts_(drafts), tensors_(tensors), symbols_(symbols) {}
    KernelText write();

  private:
    void own_sizes();
    void tensor_sizes();
    std::string name_of_size(const Series& values, const std::string& usual, TensorKind kind) const;
    void add(Symbol symbol, const std::string& preferred);
    std::optional<Code> counted_windows(const Series& values);
    Code number(int mark);
    Series product_of_own(const std::string& names) const;
    Code real(int mark, const Series& squares);
    std::optional<std::string> argument(const std::vector<double>& values) const;
    Code parameter(const std::string& preferred, const std::string& given);

    const Kernel& kernel_;
    const std::vector<Draft>& drafts_;
    const std::map<std::string, Tensor>& tensors_;
    const std::vector<Symbol>& symbols_;
    KernelText out_;
    std::vector<std::string> parameters_;
    std::vector<Symbol> near_, all_;  ///< named as the kernel calls them
    std::set<std::string> names_;
    std::set<size_t> used_;  ///< of all_
    size_t own_ = 0;
    std::map<Series, Code> known_;
    std::map<std::pair<Series, bool>, int> scales_;  ///< marks of the numbers under roots
    std::map<std::string, std::string> computed_;    ///< parameters by what forward gives them
};

void Writer::own_sizes() {
    for (const Kernel::Meta& size : kernel_.sizes) {
        const std::vector<int> marks = marks_in(size.value);
        Symbol symbol{size.name, marks.size() == 1 ? series_of(drafts_, marks[0]) : Series{}, ""};
        const bool small = !symbol.values.empty() && constant(symbol.values) && symbol.values[0] <= 16;
        if (symbol.values.empty() || small) symbol.values.assign(drafts_.size(), -1);
        near_.push_back(symbol);
        names_.insert(size.name);
        parameters_.push_back(size.name);
        out_.given.push_back({size.value, {}});
    }
    own_ = near_.size();
}

void Writer::add(Symbol symbol, const std::string& preferred) {
    symbol.name = preferred;
    while (kernel_.taken.contains(symbol.name) || names_.contains(symbol.name)) symbol.name += "_size";
    names_.insert(symbol.name);
    near_.push_back(std::move(symbol));
}

/// What forward calls a size, where that is a usual name, or `usual` is what it calls another one. Weights
/// say more of their own axes.
std::string Writer::name_of_size(const Series& values, const std::string& usual, TensorKind kind) const {
    static const std::set<std::string> plain = [] {
        std::set<std::string> out;
        for (size_t rank = 1; rank <= 5; ++rank)
            for (const TensorKind of : {TensorKind::data, TensorKind::weight})
                for (const std::string& name : axis_names(rank, of)) out.insert({name, "out_" + name});
        return out;
    }();
    const Symbol *known = nullptr, *other = nullptr;
    for (const Symbol& symbol : symbols_) {
        if (symbol.values == values && !known) known = &symbol;
        if (symbol.values != values && symbol.name == usual) other = &symbol;
    }
    return kind == TensorKind::data && known && (other || plain.contains(known->name)) ? known->name : usual;
}

void Writer::tensor_sizes() {
    for (const Kernel::Pointer& pointer : kernel_.pointers) {
        const auto found = tensors_.find(pointer.variable);
        if (found == tensors_.end()) continue;
        const Tensor& tensor = found->second;
        const std::vector<std::string> names = axis_names(tensor.shape.size(), tensor.kind);
        const std::string base = pointer.parameter.substr(0, pointer.parameter.size() - 4);
        for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
            const Series& values = tensor.shape[axis];
            if (constant(values) && values[0] <= 16) continue;
            if (std::any_of(near_.begin(), near_.end(),
                            [&](const Symbol& known) { return known.values == values; }))
                continue;
            const std::string name = name_of_size(values, names[axis], tensor.kind);
            const bool taken = names_.contains(name) || kernel_.taken.contains(name);
            add({"", values, fmt::format("{}.shape[{}]", tensor.expression, axis)},
                taken ? base + "_" + name : name);
        }
    }
    all_ = near_;
    for (const Symbol& symbol : symbols_)
        if (std::none_of(all_.begin(), all_.end(),
                         [&](const Symbol& known) { return known.values == symbol.values; }))
            add({"", symbol.values, symbol.name, symbol.windows}, symbol.name);
    std::swap(all_, near_);
}

/// The expression of one of forward's Python numbers that gives these.
std::optional<std::string> Writer::argument(const std::vector<double>& values) const {
    struct Form {
        const char* text;
        double (*of)(double);
    };
    static const Form forms[] = {{"{}", [](double x) { return x; }},
                                 {"-{}", [](double x) { return -x; }},
                                 {"1 / {}", [](double x) { return 1 / x; }}};
    for (const auto& [name, first] : drafts_[0].given)
        for (const Form& form : forms) {
            bool all = true;
            for (size_t k = 0; k < drafts_.size(); ++k)
                all &= std::abs(form.of(graph::as_double(drafts_[k].given.at(name))) - values[k]) <=
                       1e-6 * std::abs(values[k]);
            if (all) return fmt::format(fmt::runtime(form.text), name);
        }
    return std::nullopt;
}

/// A parameter that stands for what forward computes.
Code Writer::parameter(const std::string& preferred, const std::string& given) {
    std::string& name = computed_[given];
    if (!name.empty()) return {name};
    name = preferred;
    for (int count = 2; kernel_.taken.contains(name) || names_.contains(name); ++count)
        name = fmt::format("{}_{}", preferred, count);
    names_.insert(name);
    out_.given.push_back({given, {}});
    parameters_.push_back(name);
    return {name};
}

/// What "rows * depth" is, of this kernel's own sizes.
Series Writer::product_of_own(const std::string& names) const {
    Series out(drafts_.size(), 1);
    std::istringstream in(names);
    for (std::string word; in >> word;) {
        if (word == "*") continue;
        const auto known = std::find_if(near_.begin(), near_.begin() + static_cast<std::ptrdiff_t>(own_),
                                        [&](const Symbol& size) { return size.name == word; });
        if (known == near_.begin() + static_cast<std::ptrdiff_t>(own_)) return {};
        for (size_t k = 0; k < out.size(); ++k) out[k] *= known->values[k];
    }
    return out;
}

/// A float constant: as it is written, an argument of forward's, a size, or the root of one.
Code Writer::real(int mark, const Series& squares) {
    const Numbers::Real& root = drafts_[0].numbers.reals().at(mark);
    std::vector<double> values;
    for (const Draft& draft : drafts_) values.push_back(draft.numbers.reals().at(mark).value);
    if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; }))
        return {root.literal, root.value < 0 ? Binding::unary : Binding::atom};
    if (const std::optional<std::string> given = argument(values))
        return parameter(given->substr(given->find_last_of(" -") + 1), *given);
    if (std::count(squares.begin(), squares.end(), 0) != 0) {
        out_.unknown.push_back(fmt::format("{}", fmt::join(values, ", ")));
        return {root.literal};
    }
    Series whole;
    for (const int64_t square : squares) {
        const auto side = static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(square))));
        if (side * side == square) whole.push_back(side);
    }
    if (!root.reciprocal && whole.size() == squares.size())
        if (const std::optional<Code> code = fit_product(whole, near_, used_)) return *code;
    const auto known = scales_.try_emplace({squares, root.reciprocal}, mark + 1).first;
    return parameter("scale", mark_text(known->second) + (root.reciprocal ? " ** -0.5" : " ** 0.5"));
}

/// The number of a layer's windows by its name, where no tensor of the kernel has it.
std::optional<Code> Writer::counted_windows(const Series& values) {
    auto same = [&](const Symbol& symbol) { return symbol.values == values; };
    if (constant(values) || std::any_of(near_.begin(), near_.end(), same)) return std::nullopt;
    for (size_t i = 0; i < all_.size(); ++i)
        if (all_[i].windows && same(all_[i])) {
            used_.insert(i);
            return Code{all_[i].name};
        }
    return std::nullopt;
}

Code Writer::number(int mark) {
    const Series values = series_of(drafts_, mark);
    if (drafts_[0].numbers.reals().contains(mark)) return real(mark, values);
    if (const auto name = drafts_[0].numbers.names().find(mark); name != drafts_[0].numbers.names().end())
        if (product_of_own(name->second) == values)
            return {name->second,
                    name->second.find(' ') == std::string::npos ? Binding::atom : Binding::product};
    if (const auto found = known_.find(values); found != known_.end()) return found->second;
    std::optional<Code> code = counted_windows(values);
    if (!code) code = fit_product(values, near_, used_);
    if (!code && !constant(values)) code = fit_product(values, all_, used_);
    if (!code && !constant(values)) code = fit_beside(values, all_, used_);
    if (!code && constant(values)) code = fit_ratio(values, all_, used_);
    // What divides without a rest is the likelier truth than what must be rounded, of whichever tensor it is.
    for (const auto fitted : {fit_ratio, fit_rounded})
        for (const std::vector<Symbol>* symbols : {&near_, &all_})
            if (!code) code = fitted(values, *symbols, used_);
    if (!code) {
        out_.unknown.push_back(fmt::format("{}", fmt::join(values, ", ")));
        code = Code{std::to_string(values[0])};
    }
    return known_[values] = *code;
}

KernelText Writer::write() {
    for (const Kernel::Pointer& pointer : kernel_.pointers) {
        parameters_.push_back(pointer.parameter);
        const auto found = tensors_.find(pointer.variable);
        out_.given.push_back({found == tensors_.end() ? pointer.variable : found->second.expression, {}});
    }
    own_sizes();
    tensor_sizes();
    const std::string body = replace_marks(kernel_.body.text(), [&](int mark, bool whole) {
        const Code code = number(mark);
        return whole ? code.text : code.in(Binding::atom);
    });
    for (const size_t i : used_)
        if (i >= own_) {
            parameters_.push_back(all_[i].name);
            out_.given.push_back({"", all_[i]});
        }
    for (const Kernel::Meta& meta : kernel_.metas) {
        parameters_.push_back(meta.name + ": tl.constexpr");
        out_.given.push_back({meta.name + "=" + meta.value, {}});
    }
    out_.text = fmt::format("@triton.jit\ndef {}({}):\n    \"\"\"{}\"\"\"\n", KernelText::kName,
                            fmt::join(parameters_, ", "), kernel_.docstring);
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) out_.text += "    " + line + "\n";
    return std::move(out_);
}

}  // namespace

Series series_of(const std::vector<Draft>& drafts, int mark) {
    Series out;
    for (const Draft& draft : drafts) out.push_back(draft.numbers.values().at(static_cast<size_t>(mark)));
    return out;
}

TensorKind kind_of(const Leaf& leaf) {
    return leaf.input ? TensorKind::data : leaf.transposed ? TensorKind::transposed : TensorKind::weight;
}

std::vector<std::string> axis_names(size_t rank, TensorKind kind) {
    if (kind == TensorKind::transposed && rank >= 3) {
        std::vector<std::string> out = axis_names(rank, TensorKind::weight);
        std::swap(out[0], out[1]);
        return out;
    }
    if (kind != TensorKind::data) {
        switch (rank) {
            case 1:
                return {"features"};
            case 2:
                return {"out_features", "in_features"};
            case 3:
                return {"out_channels", "in_channels", "taps"};
            case 4:
                return {"out_channels", "in_channels", "kernel_height", "kernel_width"};
            case 5:
                return {"out_channels", "in_channels", "kernel_depth", "kernel_height", "kernel_width"};
            default:
                break;
        }
    }
    switch (rank) {
        case 1:
            return {"length"};
        case 2:
            return {"rows", "cols"};
        case 3:
            return {"batch", "length", "features"};
        case 4:
            return {"batch", "channels", "height", "width"};
        case 5:
            return {"batch", "channels", "depth", "height", "width"};
        default:
            break;
    }
    std::vector<std::string> out;
    for (size_t d = 0; d < rank; ++d) out.push_back(fmt::format("size_{}", d));
    return out;
}

uint64_t KernelText::outline() const {
    uint64_t out = 0;
    for (const char c : text)
        if (!word_char(c)) out = (out + static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15ULL;
    return out;
}

std::string KernelText::form() const {
    std::unordered_map<std::string_view, size_t> renamed;  // counted from 1; 0: not met yet
    for (const std::string_view name : chosen_names(text)) renamed.try_emplace(name, 0);
    size_t met = 0;
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0, begin = 0; i <= text.size(); begin = ++i) {
        while (i < text.size() && word_char(text[i])) ++i;
        const char c = i < text.size() ? text[i] : '\n';
        const std::string_view word = std::string_view(text).substr(begin, i - begin);
        const bool keyword = c == '=' && (i + 1 < text.size() && text[i + 1] != '=');
        const bool attribute = begin > 0 && text[begin - 1] == '.';
        const auto found = word.empty() || keyword || attribute ? renamed.end() : renamed.find(word);
        if (found != renamed.end()) {
            if (found->second == 0) found->second = ++met;
            (out += '$') += std::to_string(found->second - 1);
        } else {
            out += word;
        }
        out += c;
    }
    return out;
}

KernelText kernel_text(const Kernel& kernel, const std::vector<Draft>& drafts,
                       const std::map<std::string, Tensor>& tensors, const std::vector<Symbol>& symbols) {
    return Writer(kernel, drafts, tensors, symbols).write();
}

}  // namespace tritonsmith::forge
