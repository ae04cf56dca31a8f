#pragma once

#include <functional>

#include "model/json_fields.h"

namespace tritonsmith::model {

/// For the tools that tests in Python drive: JSON lines on stdin, one answer for each on stdout. What is
/// thrown becomes {"ok":false,"kind":"input"|"machine","error":...}, else "ok" is true. Ends with stdin.
void answer_request_lines(const std::function<Json(const JsonFields& request)>& answer);

}  // namespace tritonsmith::model
