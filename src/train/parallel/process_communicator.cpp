#include <unistd.h>

#include <string>

#include "base/error.h"
#include "train/parallel/communicator.h"
#include "train/parallel/cuda/nccl_communicator.h"

namespace tritonsmith::train {
namespace {

/// An address of this machine that the others reach.
std::string own_address(const Ranks& ranks) {
    if (ranks.master == "127.0.0.1" || ranks.master == "localhost") return "127.0.0.1";
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0) throw MachineError("this machine has no name");
    return name;
}

}  // namespace

std::unique_ptr<Communicator> communicator_of_this_process(at::Device device, std::chrono::seconds deadline) {
    const Ranks ranks = ranks_of_this_process();
    if (ranks.count == 1) return single_communicator();
    const std::unique_ptr<Rendezvous> rendezvous = tcp_rendezvous(ranks, deadline);
    if (device.is_cuda()) return nccl_communicator(ranks, *rendezvous, device, deadline);
    return tcp_communicator(ranks, *rendezvous, own_address(ranks), deadline);
}

}  // namespace tritonsmith::train
