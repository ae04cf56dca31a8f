#include "judge/candidate/launch_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/candidate/launches.h"
#include "judge/candidate/size_functions.h"
#include "plan/ir/ops.h"
#include "ttir/analysis/kernel_form.h"

namespace tritonsmith::judge {

namespace {

using Modules = std::vector<std::shared_ptr<const ttir::Module>>;

/// Everything of an argument but what sizes decide.
std::string without_sizes(const plan::Value& value) {
    return std::visit(
        [](const auto& v) -> std::string {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>)
                return fmt::format("{},", v);
            else if constexpr (std::is_same_v<T, int64_t>)
                return v == 0 || v == 1 ? fmt::format("{},", v) : "n,";
            else if constexpr (std::is_same_v<T, std::string>)
                return v + ",";
            else if constexpr (std::is_same_v<T, plan::Symbol>)
                return v.text + ",";
            else if constexpr (std::is_same_v<T, plan::Sequence>) {
                std::string all;
                for (const plan::Value& item : v.items)
                    if (!std::holds_alternative<int64_t>(item.v)) all += without_sizes(item);
                return all;
            } else
                return ",";
        },
        value.v);
}

std::string form(const plan::AtenStep& step) {
    std::string text = step.op + "(";
    for (const plan::Value& value : step.args) text += without_sizes(value);
    for (const auto& [name, value] : step.kwargs) text += name + "=" + without_sizes(value);
    return text;
}

/// A tensor by a number, as attention's scores by 1 / sqrt(width).
bool scales(const plan::AtenStep& step) {
    return step.op == "aten::mul.Tensor" || step.op == "aten::mul.Scalar" || step.op == "aten::div.Tensor" ||
           step.op == "aten::div.Scalar";
}

struct Form {
    std::string text, what;
    int line = 0;
    std::vector<int64_t> integers = {};  ///< of a launch: its arguments
    std::string loose = {};              ///< of what only scales by floating arguments: `text` without them
    std::vector<double> reals = {};      ///< those
};

/// The launches of one form.
class Alike {
  public:
    void add(const Form& form) {
        if (integers_.empty()) values_.resize(form.integers.size());
        integers_.push_back(&form.integers);
        for (size_t i = 0; i < values_.size(); ++i) values_[i].insert(form.integers[i]);
    }
    /// Whether one of them has the arguments of `form` as functions of the sizes. What changes from one
    /// launch to the next counts them.
    bool explain(const Form& form, const std::vector<AtTwoSizes>& sizes,
                 const std::vector<AtTwoSizes>& on_the_way) const {
        return std::any_of(integers_.begin(), integers_.end(), [&](const std::vector<int64_t>* others) {
            for (size_t i = 0; i < others->size(); ++i)
                if (values_[i].size() == 1 &&
                    !is_function_of({form.integers[i], (*others)[i]}, sizes, on_the_way))
                    return false;
            return true;
        });
    }

  private:
    std::vector<const std::vector<int64_t>*> integers_;
    std::vector<std::set<int64_t>> values_;  ///< by argument
};

/// Whether all arguments of one launch are those of the other as functions of the sizes, floating ones too.
/// @param other with the same `loose`
bool explains(const Form& other, const Form& form, const std::vector<AtTwoSizes>& sizes,
              const std::vector<AtTwoSizes>& on_the_way) {
    for (size_t i = 0; i < form.integers.size(); ++i)
        if (!is_function_of({form.integers[i], other.integers[i]}, sizes, on_the_way)) return false;
    for (size_t i = 0; i < form.reals.size(); ++i)
        if (!is_function_of(form.reals[i], other.reals[i], sizes)) return false;
    return true;
}

class Forms {
  public:
    Forms(const plan::Plan& plan, const Modules& modules) : plan_(plan), modules_(modules) {
        for (const LaunchRef& ref : launches(plan)) add(*ref.launch, ref.step->line);
        for (const plan::Step& step : plan.steps) {
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            if (!aten) continue;
            const plan::OpClass kind = plan::op_class(aten->op);
            // Views follow strides, which sizes change; the bounds of what weights are drawn from, too.
            if (kind == plan::OpClass::view) continue;
            Form text{kind == plan::OpClass::draw ? aten->op : form(*aten), aten->op, step.line};
            if (scales(*aten)) {
                for (const plan::Value& value : aten->args)
                    if (const auto* real = std::get_if<double>(&value.v)) text.reals.push_back(*real);
                if (!text.reals.empty()) text.loose = aten->op;
            }
            all_.push_back(std::move(text));
        }
    }
    const std::vector<Form>& all() const { return all_; }

  private:
    void add(const plan::LaunchStep& launch, int line) {
        const auto kernel = static_cast<size_t>(launch.kernel);
        kernels_.resize(modules_.size());
        if (kernels_[kernel].empty()) kernels_[kernel] = ttir::kernel_form(*modules_[kernel]);
        std::vector<std::optional<int64_t>> integers;
        Form form{"", "kernel " + plan_.kernels[kernel].name, line};
        for (const plan::Value& value : launch.args) {
            const auto* integer = std::get_if<int64_t>(&value.v);
            const auto* real = std::get_if<double>(&value.v);
            integers.push_back(integer ? std::optional(*integer) : std::nullopt);
            if (integer) form.integers.push_back(*integer);
            if (real) form.reals.push_back(*real);
            const std::string text = integer ? "n," : without_sizes(value);
            form.text += text;
            form.loose += real ? "x," : text;
        }
        const std::string kernel_text =
            ttir::size_decisions(*modules_[kernel], launch.grid, integers) + kernels_[kernel];
        form.text += kernel_text;
        if (form.reals.empty() || ttir::decides_by_floats(*modules_[kernel]))
            form.loose.clear();
        else
            form.loose += kernel_text;
        all_.push_back(std::move(form));
    }

    const plan::Plan& plan_;
    const Modules& modules_;
    std::vector<std::string> kernels_;  ///< forms, by kernel
    std::vector<Form> all_;
};

}  // namespace

std::optional<OnlyHere> only_here(const plan::Plan& one, const Modules& modules, const plan::Plan& other,
                                  const Modules& other_modules, const std::vector<AtTwoSizes>& on_the_way) {
    const Forms others(other, other_modules), ours(one, modules);
    std::map<std::string_view, Alike> there;
    std::map<std::string_view, std::vector<const Form*>> scaling;
    for (const Form& form : others.all()) {
        there[form.text].add(form);
        if (!form.loose.empty()) scaling[form.loose].push_back(&form);
    }
    const std::vector<AtTwoSizes> sizes = sizes_of(one, other);
    for (const Form& form : ours.all()) {
        const auto alike = there.find(form.text);
        if (alike != there.end() && alike->second.explain(form, sizes, on_the_way)) continue;
        const auto loose = scaling.find(form.loose);
        if (loose == scaling.end() ||
            std::none_of(loose->second.begin(), loose->second.end(),
                         [&](const Form* launch) { return explains(*launch, form, sizes, on_the_way); }))
            return OnlyHere{form.what, form.line};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
