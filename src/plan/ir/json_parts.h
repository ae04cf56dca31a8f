#pragma once

#include "plan/ir/json_where.h"
#include "plan/ir/plan.h"

/// Shared by json.cpp and json_value.cpp only.
namespace tritonsmith::plan {

inline constexpr int kMaxId = 100000;
inline constexpr size_t kMaxRank = 64;

Tensor read_tensor(const Json& json, const Where& where);
Json tensor_json(const Tensor& tensor);
Value read_value(const Json& json, const Where& where);
List read_values(const Json& json, const Where& where);

}  // namespace tritonsmith::plan
