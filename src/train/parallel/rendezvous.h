#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "train/parallel/ranks.h"

namespace tritonsmith::train {

/// Where the processes of a run find each other: bytes by name, of which each is put once.
class Rendezvous {
  public:
    virtual ~Rendezvous() = default;
    virtual void put(const std::string& name, const std::string& bytes) = 0;
    /// Waits until it is there. @throws MachineError that names it, after the deadline
    virtual std::string get(const std::string& name) = 0;
};

/// Between processes: the key-value store of torch.distributed over TCP, which torchrun keeps itself and rank
/// 0 elsewhere. @throws MachineError where the others do not come within `deadline`
std::unique_ptr<Rendezvous> tcp_rendezvous(const Ranks& ranks, std::chrono::seconds deadline);
/// Between threads of one process: for tests. All share one object.
std::shared_ptr<Rendezvous> local_rendezvous();

}  // namespace tritonsmith::train
