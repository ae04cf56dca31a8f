#include "data/synth/task_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/synth/docstring.h"
#include "data/synth/prose.h"
#include "data/synth/sampler.h"
#include "data/synth/words.h"
#include "plan/ir/json.h"

namespace tritonsmith::data {
namespace {

bool word_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool mentions(const std::string& text, const std::string& word) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !word_char(text[at - 1])) &&
            (at + word.size() == text.size() || !word_char(text[at + word.size()])))
            return true;
    return false;
}

std::string replaced_word(const std::string& text, const std::string& from, const std::string& to) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const bool begins = at == 0 || (!word_char(text[at - 1]) && text[at - 1] != '.');
        const bool here = begins && text.compare(at, from.size(), from) == 0 &&
                          (at + from.size() == text.size() || !word_char(text[at + from.size()]));
        if (here) {
            out += to;
            at += from.size();
        } else {
            out += text[at++];
        }
    }
    return out;
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

const char* torch_dtype(DType dtype) {
    return dtype == DType::f16    ? "torch.float16"
           : dtype == DType::bf16 ? "torch.bfloat16"
           : dtype == DType::i32  ? "torch.int32"
           : dtype == DType::i64  ? "torch.int64"
                                  : "torch.float32";
}

/// Whether no size of an input follows from others: written as numbers, those could only change together.
bool sizes_stand_alone(const Sketch& sketch) {
    auto alone = [&](const Size& size) {
        return size.constant() ||
               std::any_of(sketch.sizes.begin(), sketch.sizes.end(),
                           [&](const NamedSize& known) { return known.name == size.text; });
    };
    return std::all_of(sketch.inputs.begin(), sketch.inputs.end(), [&](const InputTensor& input) {
        if (input.variable < 0) return true;
        const Shape& shape = sketch.variables[static_cast<size_t>(input.variable)].tensor.shape;
        return std::all_of(shape.begin(), shape.end(), alone);
    });
}

class Writer {
  public:
    Writer(Sketch& sketch, const Style& style, Random& r)
        : s_(sketch), style_(style), literals_(style.literals && sizes_stand_alone(sketch)), r_(r) {}
    TaskFile write();

  private:
    void line(const std::string& text) {
        out_.source += text;
        out_.source += '\n';
        ++lines_;
    }
    void lines(const std::string& text) {
        size_t at = 0;
        while (at < text.size()) {
            const size_t end = std::min(text.find('\n', at), text.size());
            line(text.substr(at, end - at));
            at = end + 1;
        }
    }
    struct Argument {
        std::string name, value, given, hint;  ///< `value`: its default; `given`: in get_init_inputs
        Arg number;
        bool kept = false, size = false;
    };
    void name_sizes();
    std::string constant_name(const std::string& name);
    void find_arguments();
    void arrange_arguments();
    std::string about(const Argument& argument) const;
    void name_inputs();
    std::string constant(const Size& size) const;
    Documented documented() const;
    void remarked(const std::string& text);
    void name_shape(size_t input);
    void constants();
    std::string constructor();
    void write_constructor();
    void forward();
    void body(const std::string& margin);
    std::string fresh(const std::string& preferred);
    std::string result_name(const Variable& v, const std::vector<std::string>& operands,
                            const std::vector<int>& variables, size_t step);
    std::string given(const std::string& text, bool infix, size_t position, const std::string& pattern) const;
    void inputs();
    void init_inputs();
    void fix_lines();
    void keep_parts();

    Sketch& s_;
    const Style& style_;
    const bool literals_;
    Random& r_;
    TaskFile out_;
    int lines_ = 0;
    std::vector<Argument> arguments_;
    size_t defaults_ = 0, given_ = 0;  ///< arguments before them have no default, and are in get_init_inputs
    std::map<std::string, std::string> constant_names_;  ///< of sizes: a name, or a number
    std::vector<std::pair<std::string, std::string>> constants_;
    std::map<std::ptrdiff_t, std::string> shape_names_;  ///< of inputs
    std::set<std::string> outside_;                      ///< names of the file
    std::vector<std::string> texts_;                     ///< of variables in forward: names or expressions
    std::vector<bool> infix_;
    std::vector<int> left_;  ///< readers that are still to come
    std::set<std::string> taken_;
    std::map<int, int> line_of_;  ///< pending line → line
    std::string constructor_text_, forward_parameters_;
    std::vector<std::string> members_;
    bool helper_method_ = false;
    std::vector<std::string> input_names_;
};

std::string Writer::constant_name(const std::string& name) {
    std::string out = style_.other_constants && r_.chance(0.6) ? drawn_name(r_) : name;
    if (style_.upper) out = upper(out);
    while (outside_.contains(out) || reserved_name(out)) out += "_" + std::to_string(r_.between(1, 9));
    outside_.insert(out);
    return out;
}

void Writer::name_sizes() {
    outside_.insert(out_.entry);
    for (const NamedSize& size : s_.sizes) {
        const std::string number = std::to_string(size.size.now());
        const bool literal = literals_;
        constant_names_[size.name] = literal ? number : constant_name(size.name);
        if (!literal) constants_.emplace_back(constant_names_[size.name], number);
    }
}

void Writer::find_arguments() {
    std::string uses;
    for (const Member& member : s_.members) uses += member.construction + "\n";
    for (const NamedSize& size : s_.sizes)
        if (mentions(uses, size.name))
            arguments_.push_back({size.name, std::to_string(size.size.now()), constant(size.size), "int",
                                  Arg(size.size), false, true});
    for (const Option& option : s_.options) {
        Argument argument{option.name, option.value, option.value, option.hint, option.number, option.kept};
        if (!option.shape.empty()) {
            std::vector<std::string> numbers, texts;
            for (const Size& size : option.shape) {
                numbers.push_back(std::to_string(size.now()));
                texts.push_back(constant(size));
            }
            const char* end = numbers.size() == 1 ? ",)" : ")";
            argument.value = fmt::format("({}{}", fmt::join(numbers, ", "), end);
            argument.given = fmt::format("({}{}", fmt::join(texts, ", "), end);
            argument.size = true;
        }
        arguments_.push_back(argument);
    }
    arrange_arguments();
}

/// Their order, which have defaults, and which of those get_init_inputs gives nonetheless.
void Writer::arrange_arguments() {
    if (r_.chance(0.3))
        for (size_t i = arguments_.size(); i > 1; --i)
            std::swap(arguments_[i - 1], arguments_[static_cast<size_t>(r_.below(static_cast<int64_t>(i)))]);
    const size_t count = arguments_.size();
    size_t sizes = 0;  // up to the last one, whose values the other instance changes
    for (size_t i = 0; i < count; ++i)
        if (arguments_[i].size) sizes = i + 1;
    defaults_ = style_.defaults ? 0 : r_.chance(0.35) ? count : sizes;
    if (defaults_ < count && r_.chance(0.25))
        defaults_ += static_cast<size_t>(r_.below(static_cast<int64_t>(count - defaults_ + 1)));
    given_ = std::max(sizes, defaults_);
    if (given_ < count && r_.chance(0.6))
        given_ = r_.chance(0.6)
                     ? count
                     : given_ + static_cast<size_t>(r_.below(static_cast<int64_t>(count - given_)));
    for (size_t i = 0; i < given_; ++i) {
        Argument& argument = arguments_[i];
        if (!argument.size && !literals_ && r_.chance(0.6)) {
            const std::string name = constant_name(argument.name);
            constants_.emplace_back(name, argument.given);
            argument.given = name;
        }
        if (i < defaults_ || !r_.chance(0.4)) continue;
        if (argument.hint == "int")
            argument.value = std::to_string(argument.size ? r_.of({16, 32, 64, 128, 256, 512, 1024})
                                                          : r_.of({1, 2, 3, 4, 8}));
        else if (argument.hint == "float")
            argument.value = r_.of({"1.0", "0.1", "1e-5", "0.5", "2.0", "0.01"});
        else if (argument.hint == "bool")
            argument.value = argument.value == "True" ? "False" : "True";
    }
}

std::string Writer::about(const Argument& argument) const {
    std::string words = argument.name;
    std::replace(words.begin(), words.end(), '_', ' ');
    static const char* const of_numbers[] = {"number of {}", "size of the {}", "the {} of the layer", "{}"};
    static const char* const of_others[] = {"{}", "the {} that is used", "value of {}",
                                            "whether there is {}"};
    const size_t which = argument.hint == "bool" ? 3 : static_cast<size_t>(r_.below(3));
    const std::string text = argument.hint == "int" ? of_numbers[which] : of_others[which];
    return text.substr(0, text.find("{}")) + words + text.substr(text.find("{}") + 2);
}

/// A size outside of the class.
std::string Writer::constant(const Size& size) const {
    if (size.text.empty() || size.constant()) return std::to_string(size.now());
    const std::string& text = size.text;
    // One after the other would read names among those that were put in.
    std::string out;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && word_char(text[end])) ++end;
        if (end == at) {
            out += text[at++];
            continue;
        }
        const std::string word = text.substr(at, end - at);
        const auto found = constant_names_.find(word);
        out += found == constant_names_.end() ? word : found->second;
        at = end;
    }
    return out;
}

void Writer::name_inputs() {
    texts_.resize(s_.variables.size());
    infix_.assign(s_.variables.size(), false);
    for (const char* word : {"self", "torch", "nn", "F", "layer", "fc", "block", "linear", "i"})
        taken_.insert(word);
    for (const InputTensor& input : s_.inputs) {
        std::string name = fresh(s_.variables[static_cast<size_t>(input.variable)].preferred);
        // get_inputs may assign a tensor where it reads the file's names
        while (style_.stepwise_inputs && outside_.contains(name)) name = fresh(name + "_in");
        texts_[static_cast<size_t>(input.variable)] = name;
        input_names_.push_back(name);
    }
    out_.signatures.names.inputs = input_names_;
    for (size_t i = 0; i < s_.inputs.size(); ++i) name_shape(i);
}

/// A tuple of the file that get_inputs makes a tensor from: all axes, or all but the first.
void Writer::name_shape(size_t input) {
    const Shape& shape = s_.variables[static_cast<size_t>(s_.inputs[input].variable)].tensor.shape;
    const bool unpacked = style_.shapes == Style::Shapes::unpacked;
    if ((!unpacked && style_.shapes != Style::Shapes::named) || s_.inputs[input].maker == "torch.randint" ||
        s_.inputs[input].maker.empty() || (unpacked && shape.size() < 2))
        return;
    std::string list;
    for (size_t i = unpacked ? 1 : 0; i < shape.size(); ++i) list += constant(shape[i]) + ", ";
    list.pop_back();
    if (shape.size() > (unpacked ? 2U : 1U)) list.pop_back();
    const std::string usual = r_.of({"input_shape", "shape", "x_shape", "dims", "size"});
    shape_names_[static_cast<std::ptrdiff_t>(input)] =
        constant_name(r_.chance(s_.strange) ? drawn_name(r_) : usual);
    constants_.emplace_back(shape_names_[static_cast<std::ptrdiff_t>(input)], "(" + list + ")");
}

std::string Writer::fresh(const std::string& usual) {
    const std::string preferred = r_.chance(s_.strange) ? drawn_name(r_) : usual;
    std::string name = preferred;
    for (int count = 2; taken_.contains(name); ++count) name = fmt::format("{}{}", preferred, count);
    taken_.insert(name);
    return name;
}

std::string shape_text(const Shape& shape) {
    std::vector<std::string> out;
    for (const Size& size : shape) out.push_back(size.text.empty() ? std::to_string(size.now()) : size.text);
    return fmt::format("{}", fmt::join(out, ", "));
}

Documented Writer::documented() const {
    Documented out;
    out.operators = operator_words(s_);
    out.several = s_.outputs.size() > 1;
    for (const Argument& argument : arguments_)
        out.arguments.push_back({argument.name, argument.hint, about(argument)});
    for (size_t i = 0; i < s_.inputs.size(); ++i) {
        if (s_.inputs[i].maker.empty()) {
            out.inputs.push_back({input_names_[i], "float", r_.of({"scalar", "a number", "Python float"})});
            continue;
        }
        const Shape& shape = s_.variables[static_cast<size_t>(s_.inputs[i].variable)].tensor.shape;
        const std::string text = fmt::format(
            fmt::runtime(r_.of({"tensor of shape [{}]", "Input tensor of shape ({})", "shape ({})"})),
            shape_text(shape));
        out.inputs.push_back({input_names_[i], "torch.Tensor", text});
    }
    return out;
}

/// A remark behind a line, or above it.
void Writer::remarked(const std::string& text) {
    const bool ends = text.find('#') == std::string::npos && !text.empty() && text.size() < 90;
    if (!ends || !r_.chance(style_.comments * 0.4)) return line(text);
    if (r_.chance(0.5)) return line(text + "  # " + remark(r_));
    line(text.substr(0, text.find_first_not_of(' ')) + "# " + remark(r_));
    line(text);
}

void Writer::constants() {
    if (style_.comments > 0 && r_.chance(0.3)) line("# " + remark(r_));
    for (const auto& [name, value] : constants_) remarked(fmt::format("{} = {}", name, value));
}

std::string Writer::constructor() {
    std::vector<std::string> parameters = {"self"};
    for (size_t i = 0; i < arguments_.size(); ++i) {
        const Argument& argument = arguments_[i];
        const std::string fallback = i < defaults_ ? "" : argument.value;
        std::string text = argument.name;
        if (style_.hints) text += ": " + argument.hint;
        if (!fallback.empty()) text += (style_.hints ? " = " : "=") + fallback;
        parameters.push_back(text);
        out_.signatures.constructor.parameters.push_back({argument.name, fallback});
    }
    std::string text = fmt::format("    def __init__({}){}:\n", fmt::join(parameters, ", "),
                                   style_.hints && r_.chance(0.5) ? " -> None" : "");
    text += style_.old_super ? fmt::format("        super({}, self).__init__()\n", out_.entry)
                             : "        super().__init__()\n";
    for (const Argument& argument : arguments_)
        if (argument.kept || r_.chance(style_.stored))
            text += fmt::format("        self.{0} = {0}\n", argument.name);
    for (const Member& member : s_.members)
        text += fmt::format("        self.{} = {}\n", member.attribute, member.construction);
    if (s_.dtype != DType::f32 && !s_.eager.plans[0].weights.empty())
        text += style_.module_cast && s_.dtype == DType::f16
                    ? "        self.half()\n"
                    : fmt::format("        self.to({})\n", torch_dtype(s_.dtype));
    return text;
}

/// With what the author says about it: a solution keeps the code alone.
void Writer::write_constructor() {
    const std::string doc = constructor_docstring(documented(), style_, r_);
    size_t at = 0;
    for (int number = 0; at < constructor_text_.size(); ++number) {
        const size_t end = constructor_text_.find('\n', at);
        if (number == 1) lines(doc);
        remarked(constructor_text_.substr(at, end - at));
        at = end + 1;
    }
}

/// An operand in its place: in parentheses where a sign or a dot would take only a part of it.
std::string Writer::given(const std::string& text, bool infix, size_t position,
                          const std::string& pattern) const {
    if (!infix) return text;
    const std::string mark = "{" + std::to_string(position) + "}";
    const size_t at = pattern.find(mark);
    const char before = at == 0 ? '\0' : pattern[at - 1],
               after = at + 3 < pattern.size() ? pattern[at + 3] : '\0';
    const bool opened = before == '(' || before == '[' || (before == ' ' && at > 1 && pattern[at - 2] == ',');
    const bool closed = after == ')' || after == ',' || after == ']';
    const bool alone = before == '\0' && after == '\0';
    return (opened && closed) || alone ? text : "(" + text + ")";
}

std::string Writer::result_name(const Variable& v, const std::vector<std::string>& operands,
                                const std::vector<int>& variables, size_t step) {
    switch (style_.naming) {
        case Style::Naming::reused:
            for (size_t i = 0; i < variables.size(); ++i) {
                const auto id = static_cast<size_t>(variables[i]);
                const bool plain = std::all_of(operands[i].begin(), operands[i].end(), word_char);
                if (left_[id] == 0 && plain && !operands[i].empty() && !s_.variables[id].number)
                    return operands[i];
            }
            return fresh(r_.of({"y", "h", "z", "t"}));
        case Style::Naming::described:
            return fresh(v.preferred);
        case Style::Naming::counted:
            return fresh(step + 1 == s_.steps.size() ? "out" : "out" + std::to_string(step + 1));
        case Style::Naming::letters:
            break;
    }
    static const char* const letters[] = {"h", "y", "z", "t", "u", "w", "a", "b", "c", "d"};
    return fresh(letters[step % std::size(letters)]);
}

void Writer::body(const std::string& margin) {
    left_.assign(s_.variables.size(), 0);
    for (const Step& step : s_.steps)
        for (const int operand : step.operands) ++left_[static_cast<size_t>(operand)];
    for (const int output : s_.outputs) ++left_[static_cast<size_t>(output)];
    std::vector<size_t> waiting;  // steps whose text is part of a later statement
    std::vector<int> pending(s_.variables.size(), 0);
    for (size_t i = 0; i < s_.steps.size(); ++i) {
        const Step& step = s_.steps[i];
        std::vector<std::string> operands;
        for (const int operand : step.operands) {
            operands.push_back(texts_[static_cast<size_t>(operand)]);
            --left_[static_cast<size_t>(operand)];
        }
        const Variable& result = s_.variables[static_cast<size_t>(step.results[0])];
        if (step.block) {
            const std::string name = result_name(result, operands, step.operands, i);
            for (size_t k = 0; k < step.lines.size(); ++k) {
                std::string text = step.lines[k];
                if (k == 0 && name == operands[0]) {
                    continue;  // x = x
                }
                for (size_t at = text.find("{r}"); at != std::string::npos; at = text.find("{r}"))
                    text.replace(at, 3, name);
                line(margin + filled(text, operands));
                line_of_[pending_line(i, k)] = lines_;
                if (text.find(" = ") != std::string::npos) out_.signatures.names.lines[lines_] = name;
            }
            for (const size_t earlier : waiting) line_of_[pending_line(earlier, 0)] = lines_;
            waiting.clear();
            texts_[static_cast<size_t>(step.results[0])] = name;
            continue;
        }
        for (size_t k = 0; k < operands.size(); ++k)
            operands[k] = given(operands[k], infix_[static_cast<size_t>(step.operands[k])], k, step.lines[0]);
        const std::string text = filled(step.lines[0], operands);
        // Into the next statement, where that alone reads it and nothing is computed between them.
        const bool last = i + 1 == s_.steps.size();
        const auto id = static_cast<size_t>(step.results[0]);
        bool alone = step.results.size() == 1 && left_[id] == 1 && text.size() < 70 && waiting.size() < 4;
        if (last) alone = alone && s_.outputs.size() == 1 && s_.outputs[0] == step.results[0];
        if (!last) {
            const Step& next = s_.steps[i + 1];
            int times = 0;
            for (size_t at = next.block ? std::string::npos : next.lines[0].find("{");
                 at != std::string::npos; at = next.lines[0].find("{", at + 1)) {
                const size_t position = static_cast<size_t>(next.lines[0][at + 1] - '0');
                times += position < next.operands.size() && next.operands[position] == step.results[0];
            }
            // Evaluated first there: the first operand, so that the order of the steps stays.
            alone = alone && !next.block && times == 1 && !next.operands.empty() &&
                    next.operands[0] == step.results[0] &&
                    next.lines[0].find("{1}") > next.lines[0].find("{0}");
        }
        waiting.push_back(i);
        if (alone && r_.chance(last ? 0.6 : style_.inlined)) {
            texts_[id] = text;
            infix_[id] = step.infix;
            continue;
        }
        std::vector<std::string> plain_operands;
        for (const int operand : step.operands)
            plain_operands.push_back(texts_[static_cast<size_t>(operand)]);
        std::vector<std::string> names;
        if (step.results.size() == 1)
            names.push_back(result_name(result, plain_operands, step.operands, i));
        else
            for (const int one : step.results)
                names.push_back(fresh(s_.variables[static_cast<size_t>(one)].preferred));
        std::string statement = fmt::format("{}{} = {}", margin, fmt::join(names, ", "), text);
        if (r_.chance(style_.comments)) {
            std::vector<std::string> shape;
            for (const Size& size : result.tensor.shape) shape.push_back(size.text.empty() ? "_" : size.text);
            statement +=
                r_.chance(0.5) ? "  # " + remark(r_) : fmt::format("  # [{}]", fmt::join(shape, ", "));
        }
        line(statement);
        out_.signatures.names.lines[lines_] = names[0];  // of a tuple the first one
        for (const size_t earlier : waiting) line_of_[pending_line(earlier, 0)] = lines_;
        waiting.clear();
        for (size_t k = 0; k < names.size(); ++k) {
            texts_[static_cast<size_t>(step.results[k])] = names[k];
            infix_[static_cast<size_t>(step.results[k])] = false;
        }
    }
    std::vector<std::string> returned;
    for (const int output : s_.outputs) returned.push_back(texts_[static_cast<size_t>(output)]);
    line(fmt::format("{}return {}", margin, fmt::join(returned, ", ")));
    for (const size_t earlier : waiting) line_of_[pending_line(earlier, 0)] = lines_;
}

void Writer::forward() {
    std::vector<std::string> parameters = {"self"};
    for (size_t i = 0; i < input_names_.size(); ++i)
        parameters.push_back(input_names_[i] + (!style_.hints                ? ""
                                                : s_.inputs[i].maker.empty() ? ": float"
                                                                             : ": torch.Tensor"));
    std::vector<std::string> plain(input_names_);
    for (const std::string& name : plain) out_.signatures.forward.parameters.push_back({name, ""});
    forward_parameters_ = fmt::format("({})", fmt::join(parameters, ", "));
    std::string all = forward_parameters_;
    if (r_.chance(0.06)) {
        std::string text = r_.of({"mask=None", "training=False", "return_attention=False", "cache=None"});
        if (std::find(plain.begin(), plain.end(), text.substr(0, text.find('='))) != plain.end())
            text.insert(0, "no_");
        const size_t equals = text.find('=');
        all.insert(all.size() - 1, ", " + text);
        forward_parameters_ = all;
        out_.signatures.names.inputs.emplace_back(text.substr(0, equals));
        out_.signatures.forward.parameters.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    const bool one = s_.outputs.size() == 1;
    if (style_.hints && one) {
        forward_parameters_ = all;
        all += " -> torch.Tensor";
    }
    line("    def forward" + all + ":");
    lines(forward_docstring(documented(), style_, r_));
    if (style_.body == Style::Body::forward) {
        body("        ");
        return;
    }
    const bool method = helper_method_;
    line(fmt::format("        return {}({})", method ? "self._compute" : "compute", fmt::join(plain, ", ")));
    if (!method) return;
    line("");
    line(fmt::format("    def _compute(self, {}):", fmt::join(plain, ", ")));
    body("        ");
}

void Writer::inputs() {
    line("def get_inputs():");
    std::vector<std::string> made;
    for (const InputTensor& input : s_.inputs) {
        if (input.maker.empty()) {
            made.push_back(input.high);
            continue;
        }
        const Tensor& tensor = s_.variables[static_cast<size_t>(input.variable)].tensor;
        std::vector<std::string> shape;
        for (const Size& size : tensor.shape) shape.push_back(constant(size));
        const std::string list = fmt::format("{}", fmt::join(shape, ", "));
        const std::string tuple = shape.size() == 1 ? "(" + list + ",)" : "(" + list + ")";
        std::string text;
        if (input.maker == "torch.randint") {
            std::string high = input.high;
            if (const auto named = constant_names_.find(high); named != constant_names_.end())
                high = named->second;
            text = fmt::format("torch.randint(0, {}, {}", high, tuple);
            if (tensor.dtype == DType::i32) text += ", dtype=torch.int32";
            text += tensor.dtype == DType::b1          ? ").bool()"
                    : !plan::is_floating(tensor.dtype) ? ")"
                    : input.signs                      ? ").float() * 2 - 1"
                                                       : ").float()";
        } else {
            const auto named = shape_names_.find(&input - s_.inputs.data());
            std::string given = style_.shapes == Style::Shapes::tuple     ? tuple
                                : style_.shapes == Style::Shapes::list    ? "[" + list + "]"
                                : style_.shapes == Style::Shapes::keyword ? "size=" + tuple
                                                                          : list;
            if (named != shape_names_.end())
                given = style_.shapes == Style::Shapes::unpacked ? shape[0] + ", *" + named->second
                                                                 : named->second;
            text = fmt::format("{}({}", input.maker, given);
            if (tensor.dtype == DType::f32)
                text += input.scaled                             ? ") * 0.5"
                        : style_.module_cast && style_.docs == 3 ? ", dtype=torch.float32)"
                                                                 : ")";
            else if (style_.module_cast)
                text += fmt::format(", dtype={})", torch_dtype(tensor.dtype));
            else
                text += tensor.dtype == DType::f16 ? ").half()"
                                                   : fmt::format(").to({})", torch_dtype(tensor.dtype));
        }
        made.push_back(input.triangle.empty() ? text : input.triangle + "(" + text + ")");
    }
    if (style_.stepwise_inputs) {
        for (size_t i = 0; i < made.size(); ++i) line(fmt::format("    {} = {}", input_names_[i], made[i]));
        line(fmt::format("    return [{}]", fmt::join(input_names_, ", ")));
    } else if (made.size() > 2) {
        line("    return [");
        for (const std::string& text : made) line("        " + text + ",");
        line("    ]");
    } else {
        line(fmt::format("    return [{}]", fmt::join(made, ", ")));
    }
}

void Writer::init_inputs() {
    line("def get_init_inputs():");
    std::vector<std::string> given;
    for (size_t i = 0; i < given_; ++i) {
        given.push_back(arguments_[i].given);
        s_.eager.init_input(arguments_[i].number);
    }
    line(fmt::format("    return [{}]", fmt::join(given, ", ")));
}

/// Without docstrings: who answers a task need not repeat what people say about it.
void Writer::keep_parts() {
    forge::TaskText& parts = out_.parts;
    auto bare = [](std::string text) {
        while (text.ends_with('\n')) text.pop_back();
        return text;
    };
    parts.imports = {"import torch", "import torch.nn as nn"};
    for (const std::string& text : s_.classes) {
        std::string code = text;
        const size_t begin = code.find("    \"\"\"");
        if (begin != std::string::npos) code.erase(begin, code.find("\n\n", begin) + 2 - begin);
        parts.definitions.push_back(bare(code));
        if (mentions(text, "F"))
            parts.imports = {"import torch", "import torch.nn as nn", "import torch.nn.functional as F"};
    }
    if (!constructor_text_.empty())
        parts.members.push_back(bare(replaced_word(constructor_text_, out_.entry, "ModelNew")));
    parts.parameters = forward_parameters_;
    parts.arguments = out_.signatures.names.inputs;
    for (const graph::Parameter& parameter : out_.signatures.constructor.parameters) {
        parts.constructor.push_back(parameter.name);
        if (constructor_text_.find("self." + parameter.name + " = " + parameter.name + "\n") !=
            std::string::npos)
            parts.kept.emplace_back(parameter.name, parameter.name);
    }
}

/// From pending lines to those of the text.
void Writer::fix_lines() {
    for (plan::Plan& plan : s_.eager.plans)
        for (plan::Step& step : plan.steps) {
            const auto found = line_of_.find(step.line);
            step.line = found == line_of_.end() ? 0 : found->second;
        }
}

TaskFile Writer::write() {
    if (style_.spelled) {
        for (Step& step : s_.steps)
            for (std::string& text : step.lines) text = replaced_word(text, "F", "torch.nn.functional");
    }
    std::string all;
    for (const Step& step : s_.steps)
        for (const std::string& text : step.lines) all += text + "\n";
    for (const Member& member : s_.members) all += member.construction + "\n";
    for (const std::string& text : s_.classes) all += text;
    std::string names = all;
    for (const NamedSize& size : s_.sizes) names += size.name + "\n";
    for (const Option& option : s_.options) names += option.name + "\n";
    out_.entry = mentions(names, style_.entry) ? "Model" : style_.entry;
    name_sizes();
    find_arguments();
    name_inputs();
    const bool functional = mentions(all, "F");
    helper_method_ = style_.body == Style::Body::method || mentions(all, "self");
    std::vector<std::string> imports = {"import torch"};
    imports.emplace_back(style_.from_torch ? "from torch import nn" : "import torch.nn as nn");
    if (functional) imports.emplace_back("import torch.nn.functional as F");
    for (const std::string& text : imports) line(text);
    const bool named = !constants_.empty();
    if (named && style_.constants_first) {
        line("");
        constants();
    }
    for (const std::string& text : s_.classes) {
        line("");
        line("");
        lines(text);
    }
    if (style_.body == Style::Body::function && !helper_method_) {
        line("");
        line("");
        line(fmt::format("def compute({}):", fmt::join(input_names_, ", ")));
        body("    ");
    }
    line("");
    line("");
    line(fmt::format("class {}(nn.Module):", out_.entry));
    const std::string doc = class_docstring(documented(), style_, r_);
    lines(doc);
    if (!doc.empty()) line("");
    const bool bare = s_.members.empty() && arguments_.empty() && r_.chance(0.4);
    if (!bare) {
        constructor_text_ = constructor();
        write_constructor();
        line("");
    }
    forward();
    if (named && !style_.constants_first) {
        line("");
        line("");
        constants();
    }
    line("");
    line("");
    inputs();
    line("");
    line("");
    init_inputs();
    fix_lines();
    keep_parts();
    std::vector<Tensor> outputs;
    for (const int output : s_.outputs) outputs.push_back(s_.variables[static_cast<size_t>(output)].tensor);
    s_.eager.output(outputs, outputs.size() > 1);
    for (plan::Plan& plan : s_.eager.plans)  // a module's own entries come before those of its parts
        std::stable_partition(plan.weights.begin(), plan.weights.end(), [](const plan::Weight& weight) {
            return weight.name.find('.') == std::string::npos;
        });
    return std::move(out_);
}

}  // namespace

TaskFile write_task(Sketch& sketch, const Style& style, Random& random) {
    return Writer(sketch, style, random).write();
}

std::vector<std::string> operator_words(const Sketch& sketch) {
    static const std::map<std::string, std::string> known = {
        {"addmm", "a linear projection"},
        {"mm", "a matrix product"},
        {"bmm", "a batched matrix product"},
        {"convolution", "a convolution"},
        {"native_layer_norm", "layer normalization"},
        {"native_group_norm", "group normalization"},
        {"_softmax", "a softmax"},
        {"_log_softmax", "a log-softmax"},
        {"cat", "a concatenation"},
        {"add", "an addition"},
        {"mul", "a multiplication"},
        {"sub", "a subtraction"},
        {"div", "a division"},
        {"rsub", "a subtraction"},
        {"pow", "a power"},
        {"max_pool2d_with_indices", "max pooling"},
        {"avg_pool2d", "average pooling"},
        {"avg_pool1d", "average pooling"},
        {"nll_loss_forward", "the negative log-likelihood"},
        {"embedding", "an embedding lookup"},
        {"constant_pad_nd", "padding"},
        {"_to_copy", "a conversion"},
        {"linalg_vector_norm", "the norm of each row"},
        {"cumsum", "a running sum"},
        {"cumprod", "a running product"},
        {"mv", "a matrix-vector product"},
        {"native_batch_norm", "batch normalization"},
        {"cudnn_batch_norm", "batch normalization"},
        {"max_pool3d_with_indices", "max pooling"},
        {"avg_pool3d", "average pooling"},
        {"norm", "the norm of each row"},
        {"clamp_min", "a lower limit"},
        {"zeros_like", "zeros"},
        {"log_sigmoid_forward", "log-sigmoid"},
        {"upsample_nearest2d", "nearest-neighbor upsampling"},
        {"mse_loss", "the mean squared error"},
        {"where", "a selection"},
        {"clone", "a copy"},
        {"_scaled_dot_product_efficient_attention", "attention"},
        {"_fused_rms_norm", "RMS normalization"},
        {"tril", "a causal mask"},
        {"masked_fill", "masking"},
        {"topk", "the largest of each row"}};
    std::vector<std::string> out;
    for (const plan::Step& step : sketch.eager.plans[0].steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || aten->op == "aten::ones" || aten->op == "aten::eq.Scalar") continue;  // of a mask
        std::string name = aten->op.substr(6);
        name = name.substr(0, name.find('.'));
        if (name.ends_with('_') || name == "scalar_tensor") continue;  // a counter, a limit
        const auto found = known.find(name);
        std::string word = found == known.end() ? name : found->second;
        std::replace(word.begin(), word.end(), '_', ' ');
        if (out.empty() || out.back() != word) out.push_back(word);
    }
    return out;
}

}  // namespace tritonsmith::data
