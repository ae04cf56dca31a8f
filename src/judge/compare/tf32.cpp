#include "judge/compare/tf32.h"

#include <algorithm>
#include <cmath>

#include "numerics/precision.h"

namespace tritonsmith::judge {

void name_tf32(Finding& finding, bool has_products) {
    if (finding.reason != "wrong_result" || !has_products) return;
    auto number = [&](const char* key) {
        const auto found = finding.evidence.find(key);
        return found != finding.evidence.end() && found->is_number() ? found->get<double>() : NAN;
    };
    const double expected = number("expected"), error = std::abs(number("found") - expected);
    const double rms = std::isfinite(number("rms")) ? number("rms") : 0;
    if (!(error <= numerics::kTf32Tolerance * std::max(std::abs(expected), rms))) return;
    finding.message +=
        "; it is off by what TF32 loses: tl.dot rounds float32 operands to TF32 unless it is given "
        "input_precision=\"ieee\" or \"tf32x3\" (--precision tf32 accepts it)";
    finding.evidence["tf32_products"] = true;
}

}  // namespace tritonsmith::judge
