#include "judge/candidate/launch_forms.h"

#include <fmt/format.h>

#include <set>

#include "judge/candidate/launches.h"
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

struct Form {
    std::string text, what;
    int line = 0;
};

class Forms {
  public:
    Forms(const plan::Plan& plan, const Modules& modules) : plan_(plan), modules_(modules) {
        for (const LaunchRef& ref : launches(plan)) add(*ref.launch, ref.step->line);
        for (const plan::Step& step : plan.steps) {
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            if (!aten) continue;
            const plan::OpClass kind = plan::op_class(aten->op);
            // Views follow strides, which sizes change; the bounds of what weights are drawn from, too.
            if (kind != plan::OpClass::view)
                all_.push_back({kind == plan::OpClass::draw ? aten->op : form(*aten), aten->op, step.line});
        }
    }
    const std::vector<Form>& all() const { return all_; }

  private:
    void add(const plan::LaunchStep& launch, int line) {
        const auto kernel = static_cast<size_t>(launch.kernel);
        kernels_.resize(modules_.size());
        if (kernels_[kernel].empty()) kernels_[kernel] = ttir::kernel_form(*modules_[kernel]);
        std::vector<std::optional<int64_t>> integers;
        std::string text;
        for (const plan::Value& value : launch.args) {
            const auto* integer = std::get_if<int64_t>(&value.v);
            integers.push_back(integer ? std::optional(*integer) : std::nullopt);
            text += integer ? "n," : without_sizes(value);
        }
        text += ttir::size_decisions(*modules_[kernel], launch.grid, integers) + kernels_[kernel];
        all_.push_back({std::move(text), "kernel " + plan_.kernels[kernel].name, line});
    }

    const plan::Plan& plan_;
    const Modules& modules_;
    std::vector<std::string> kernels_;  ///< forms, by kernel
    std::vector<Form> all_;
};

}  // namespace

std::optional<OnlyHere> only_here(const plan::Plan& one, const Modules& modules, const plan::Plan& other,
                                  const Modules& other_modules) {
    const Forms others(other, other_modules), ours(one, modules);
    std::set<std::string_view> there;
    for (const Form& form : others.all()) there.insert(form.text);
    for (const Form& form : ours.all())
        if (!there.contains(form.text)) return OnlyHere{form.what, form.line};
    return std::nullopt;
}

}  // namespace tritonsmith::judge
