#include "serve/program/program.h"

namespace tritonsmith::serve {

const MakeCudaExecutor make_cuda_executor = &engine::cuda_executor;

}  // namespace tritonsmith::serve
