#include "model/weight_dtype.h"

#include "base/error.h"

namespace tritonsmith::model {

at::ScalarType weight_dtype(const std::string& name) {
    if (name == "float32") return at::kFloat;
    if (name == "bfloat16") return at::kBFloat16;
    if (name == "float16") return at::kHalf;
    if (name == "int8") return at::kChar;
    throw InputError("dtype \"" + name + "\" is not known: give float32, bfloat16, float16 or int8");
}

}  // namespace tritonsmith::model
