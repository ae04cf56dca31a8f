#include "serve/program/program.h"

namespace tritonsmith::serve {

const MakeCudaExecutor make_cuda_executor = nullptr;

}  // namespace tritonsmith::serve
