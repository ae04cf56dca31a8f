#pragma once

#include <string>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// Where two modules differ, empty if nowhere. Names of values are not compared: the printer numbers them.
std::string difference(const Module& a, const Module& b);

/// A file of src/ttir/testdata.
std::string read_testdata(const std::string& name);
std::vector<std::string> testdata_names();

}  // namespace tritonsmith::ttir
