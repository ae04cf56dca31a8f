#include "plan/validate.h"
namespace tritonsmith::plan {
std::optional<Finding> validate(const Plan&) {
    return std::nullopt;
}
}  // namespace tritonsmith::plan
