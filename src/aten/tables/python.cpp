#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// Names of torch's Python functions that are no operators: for the linter only.
const std::string_view kPythonNames = R"(
bernoulli                     lint:computes
chain_matmul                  lint:product
dropout                       lint:computes
fft                           lint:computes
int_mm                        lint:product
linalg                        lint:computes
logsigmoid                    lint:computes
__matmul__                    lint:product
multi_dot                     lint:product
multi_head_attention_forward  lint:product
normalize                     lint:computes
__rmatmul__                   lint:product
rrelu                         lint:computes
_scaled_mm                    lint:product
special                       lint:computes
unique                        lint:computes
)";

}  // namespace tritonsmith::aten
