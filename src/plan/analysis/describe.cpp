#include "plan/analysis/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "plan/analysis/cost.h"
#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

std::string human_bytes(int64_t bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.4g} {}", value, units[unit]);
}

std::string joined(const std::vector<int64_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
}

/// "b3 f32[4,8]" for a contiguous tensor at the start of its buffer, else with strides and offset: "b3
/// f32[4,8] (8,1)@16".
std::string text(const Tensor& tensor) {
    std::string out =
        fmt::format("b{} {}[{}]", tensor.buffer, dtype_name(tensor.dtype), joined(tensor.shape));
    int64_t expected = 1;
    bool plain = true;
    for (size_t i = tensor.shape.size(); i-- > 0;) {
        plain = plain && (tensor.stride[i] == expected || tensor.shape[i] == 1);
        expected *= tensor.shape[i];
    }
    if (!plain || tensor.offset != 0) out += fmt::format(" ({})", joined(tensor.stride));
    if (tensor.offset != 0) out += fmt::format("@{}", tensor.offset);
    return out;
}

/// Text of the traced program may hold anything: shown on one line.
std::string one_line(const std::string& raw) {
    std::string out = printable(raw, 200);
    for (char& c : out)
        if (c == '\n' || c == '\t') c = ' ';
    return out;
}

std::string text(const Value& value);

std::string text(const List& list) {
    std::vector<std::string> items;
    for (const Value& value : list) items.push_back(text(value));
    return fmt::format("{}", fmt::join(items, ", "));
}

struct Text {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{:#.6g}", value); }
    std::string operator()(const std::complex<double>& value) const {
        return fmt::format("({:g}{:+g}j)", value.real(), value.imag());
    }
    std::string operator()(const std::string& value) const { return "'" + one_line(value) + "'"; }
    std::string operator()(const Tensor& value) const { return text(value); }
    std::string operator()(const Symbol& value) const { return one_line(value.text); }
    std::string operator()(const Sequence& value) const {
        return value.tuple ? "(" + text(value.items) + ")" : "[" + text(value.items) + "]";
    }
    std::string operator()(const Dict& value) const {
        std::vector<std::string> items;
        for (const auto& [key, item] : value.items) items.push_back(one_line(key) + ": " + text(item));
        return fmt::format("{{{}}}", fmt::join(items, ", "));
    }
    std::string operator()(const Pointer& value) const {
        return value.offset == 0 ? fmt::format("&b{}", value.buffer)
                                 : fmt::format("&b{}+{}B", value.buffer, value.offset);
    }
    std::string operator()(const Descriptor& value) const {
        return fmt::format("descriptor({}, block {}{})", text(value.base), joined(value.block),
                           value.padding == "nan" ? ", nan" : "");
    }
};

std::string text(const Value& value) {
    return std::visit(Text{}, value.v);
}

/// Names of a TTIR function's parameters ("%x_ptr: !tt.ptr<f32>"), as far as they can be read off its text.
std::vector<std::string> parameter_names(const std::string& ttir) {
    std::vector<std::string> names;
    size_t at = ttir.find("tt.func public");
    at = at == std::string::npos ? at : ttir.find('(', at);
    int depth = 0;
    for (size_t i = at; i < ttir.size() && names.size() < 256; ++i) {
        if (ttir[i] == '(' || ttir[i] == '{' || ttir[i] == '<') ++depth;
        if (ttir[i] == ')' || ttir[i] == '}' || (ttir[i] == '>' && ttir[i - 1] != '-')) --depth;
        if (depth == 0) break;
        if (ttir[i] != '%' || depth != 1) continue;
        size_t end = ttir.find_first_of(": \t\n", i);
        if (end == std::string::npos) break;
        names.push_back(one_line(ttir.substr(i + 1, end - i - 1)));
        i = end;
    }
    return names;
}

class Description {
  public:
    Description(const Plan& plan, bool with_ttir) : plan_(plan), with_ttir_(with_ttir) {}

    std::string run() {
        line("plan of a {} on {} {}", plan_.role, plan_.device, plan_.target);
        Cost total = cost(plan_);
        line("{} of inputs, weights and outputs; at most {} alive; {:.3g} operations outside kernels",
             human_bytes(total.bytes), human_bytes(total.peak_bytes), total.flops);
        constants();
        section("inputs", plan_.inputs.size());
        for (size_t i = 0; i < plan_.inputs.size(); ++i) line("  {:>3}  {}", i, text(plan_.inputs[i]));
        section("weights", plan_.weights.size());
        for (const Weight& weight : plan_.weights)
            line("  {}  {}{}", text(weight.tensor), one_line(weight.name),
                 weight.parameter ? "" : "  (buffer)");
        kernels();
        for (Phase phase : {Phase::inputs, Phase::init, Phase::forward}) steps(phase);
        line("output  {}", text(plan_.output));
        for (const std::string& warning : plan_.warnings) line("warning: {}", one_line(warning));
        return std::move(out_);
    }

  private:
    template <typename... Items>
    void line(fmt::format_string<Items...> form, Items&&... items) {
        out_ += fmt::format(form, std::forward<Items>(items)...);
        out_ += '\n';
    }

    void section(const char* name, size_t count) {
        if (count > 0) line("{}", name);
    }

    void constants() {
        if (plan_.constants.empty()) return;
        std::vector<std::string> items;
        for (const auto& [name, value] : plan_.constants)
            items.push_back(fmt::format("{} = {}", one_line(name), value));
        line("constants  {}", fmt::join(items, ", "));
    }

    void kernels() {
        section("kernels", plan_.kernels.size());
        for (size_t i = 0; i < plan_.kernels.size(); ++i) {
            const Kernel& kernel = plan_.kernels[i];
            std::vector<std::string> options;
            for (const auto& [name, value] : kernel.options)
                options.push_back(fmt::format("{}={}", one_line(name), text(value)));
            line("  k{}  {}  {}  ({} bytes of TTIR, line {})", i, one_line(kernel.name),
                 fmt::join(options, " "), kernel.ttir.size(), kernel.line);
            if (with_ttir_) line("{}", kernel.ttir);
            names_.push_back(parameter_names(kernel.ttir));
        }
    }

    void steps(Phase phase) {
        static const char* const titles[] = {"steps that make the inputs", "steps that build the module",
                                             "steps of the call"};
        bool any = std::any_of(plan_.steps.begin(), plan_.steps.end(),
                               [&](const Step& step) { return step.phase == phase; });
        if (!any) return;
        line("{}", titles[static_cast<size_t>(phase)]);
        for (const Step& step : plan_.steps)
            if (step.phase == phase) show(step, 1);
    }

    void show(const Step& step, int depth) {
        margin_ = std::string(static_cast<size_t>(depth) * 2, ' ') +
                  (step.line > 0 ? fmt::format("line {:<4}", step.line) : "         ");
        depth_ = depth;
        std::visit([&](const auto& what) { describe(what); }, step.what);
    }

    void describe(const AtenStep& step) {
        std::string arguments = text(step.args);
        for (const auto& [name, value] : step.kwargs) {
            if (says_nothing(name, value)) continue;
            arguments += (arguments.empty() ? "" : ", ") + one_line(name) + "=" + text(value);
        }
        std::string op = step.op;
        if (size_t colons = op.find("::"); colons != std::string::npos) op.replace(colons, 2, ".");
        std::string result =
            std::holds_alternative<std::monostate>(step.result.v) ? "" : " -> " + text(step.result);
        std::string draw = step.draw >= 0 ? fmt::format("  draw {}", step.draw) : "";
        line("{} {}({}){}{}", margin_, op, arguments, result, draw);
    }

    /// Where the plan runs anyway, and defaults.
    bool says_nothing(const std::string& name, const Value& value) const {
        if (std::holds_alternative<std::monostate>(value.v)) return true;
        const auto* symbol = std::get_if<Symbol>(&value.v);
        const auto* flag = std::get_if<bool>(&value.v);
        return (name == "device" && symbol && symbol->text.starts_with(plan_.device)) ||
               (name == "pin_memory" && flag && !*flag) ||
               (name == "layout" && symbol && symbol->text == "strided");
    }

    void describe(const LaunchStep& step) {
        auto index = static_cast<size_t>(step.kernel);
        const std::vector<std::string>& names = names_[index];
        std::vector<std::string> arguments;
        for (size_t i = 0; i < step.args.size(); ++i)
            arguments.push_back((i < names.size() && names.size() == step.args.size() ? names[i] + "=" : "") +
                                text(step.args[i]));
        const auto& [x, y, z] = step.grid;
        std::string grid = z > 1   ? fmt::format("{},{},{}", x, y, z)
                           : y > 1 ? fmt::format("{},{}", x, y)
                                   : fmt::format("{}", x);
        line("{} launch {}[{}]({})  k{}", margin_, one_line(plan_.kernels[index].name), grid,
             fmt::join(arguments, ", "), index);
    }

    void describe(const ChoiceStep& step) {
        line("{} one of {} configurations", margin_, step.alternatives.size());
        int depth = depth_;
        for (const Alternative& alternative : step.alternatives) {
            line("{}  - {}", std::string(static_cast<size_t>(depth) * 2, ' '), one_line(alternative.config));
            for (const Step& inner : alternative.steps) show(inner, depth + 2);
        }
    }

    void describe(const FreeStep& step) { line("{} free b{}", margin_, step.buffer); }

    void describe(const ReadStep& step) {
        line("{} host reads {} = [{}]", margin_, text(step.tensor), joined(step.values));
    }

    const Plan& plan_;
    bool with_ttir_;
    std::vector<std::vector<std::string>> names_;  ///< parameters of each kernel
    std::string out_, margin_;
    int depth_ = 1;
};

}  // namespace

std::string describe(const Plan& plan, bool with_ttir) {
    return Description(plan, with_ttir).run();
}

}  // namespace tritonsmith::plan
