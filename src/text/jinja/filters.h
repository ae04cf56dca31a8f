#pragma once

#include <string>

#include "text/jinja/machine.h"

namespace tritonsmith::text::jinja {

using Filter = Value (*)(Machine&, const Value&, Parameters&);

/// A filter that works on the items of a value; null where there is none of this name.
Filter list_filter(const std::string& name);
/// map, select, reject, selectattr and rejectattr, whose arguments are those of another filter or test.
Value choosing_filter(Machine& machine, const std::string& name, const Value& value, Arguments arguments);

}  // namespace tritonsmith::text::jinja
