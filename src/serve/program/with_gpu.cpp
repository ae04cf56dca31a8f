#include "serve/engine/program.h"

namespace tritonsmith::serve {

const MakeCudaExecutor make_cuda_executor = &rollout::cuda_executor;

}  // namespace tritonsmith::serve
