#include "model/aten_operators.h"

namespace tritonsmith::model {

const Operators& cuda_operators(bool fixed_rows) {
    return aten_operators(fixed_rows);
}

}  // namespace tritonsmith::model
