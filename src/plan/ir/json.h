#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Reads the JSON form (docs/plan.md) and validates it (validate.h). @throws InputError naming the field.
Plan from_json(const Json& json);
/// The same without validate(), for callers that tell a malformed message from a plan that contradicts
/// itself.
Plan from_json_unchecked(const Json& json);
Json to_json(const Plan& plan);
Json to_json(const Value& value);
/// @param where names the field in errors: "inputs[2]".
Value value_from_json(const Json& json, const std::string& where);

/// Names used in JSON ("f32"), and sizes in bytes of an element.
const char* dtype_name(DType dtype);
std::optional<DType> dtype_from_name(std::string_view name);
int element_size(DType dtype);
bool is_floating(DType dtype);

/// All tensors in a value, depth first.
std::vector<Tensor> tensors_in(const Value& value);
std::vector<Tensor> tensors_in(const List& list);

}  // namespace tritonsmith::plan
