#include "run/worker/aten/aten_allowlist.h"

#include "aten/catalogue.h"
#include "plan/ir/ops.h"

namespace tritonsmith::run {

bool aten_allowed(std::string_view op) {
    const plan::OpName name(op);
    return name.space == "aten" && aten::executed(name.base, name.overload);
}

std::string objection_to_arguments(const plan::AtenStep& step) {
    const plan::OpName name(step.op);
    const int position = name.space == "aten" ? aten::dropout_position(name.base, name.overload) : -1;
    if (position < 0) return {};
    const auto at = static_cast<size_t>(position);
    const plan::Value* value = at < step.args.size() ? &step.args[at] : nullptr;
    for (const auto& [key, given] : step.kwargs)
        if (key == "dropout" || key == "dropout_p") value = &given;
    const double* probability = value ? std::get_if<double>(&value->v) : nullptr;
    const int64_t* whole = value ? std::get_if<int64_t>(&value->v) : nullptr;
    if ((probability && *probability != 0) || (whole && *whole != 0))
        return "draws random numbers (active dropout)";
    return {};
}

}  // namespace tritonsmith::run
