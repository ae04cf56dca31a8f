#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tritonsmith::train {

/// Which process of a run this is. A run is started by torchrun, srun or mpirun, which start one process for
/// each device and say so in the environment.
struct Ranks {
    int rank = 0, count = 1;
    int local = 0;  ///< number among the processes of this machine: of its device
    std::string master = "127.0.0.1";
    int port = 29500;        ///< of rank 0's machine
    bool has_store = false;  ///< the launcher itself keeps a store at that port (torchrun)
};

using Environment = std::function<std::optional<std::string>(const char* name)>;
/// The process's own. @throws InputError where what is set does not fit together
Ranks ranks_of(const Environment& environment);
Ranks ranks_of_this_process();

}  // namespace tritonsmith::train
