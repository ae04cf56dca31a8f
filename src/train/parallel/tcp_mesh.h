#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "base/process/process.h"
#include "train/parallel/rendezvous.h"

namespace tritonsmith::train {

/// A connection between each two processes of a run. One thread at a time.
class TcpMesh {
  public:
    /// @throws MachineError where the others do not connect within `deadline`
    TcpMesh(const Ranks& ranks, Rendezvous& rendezvous, const std::string& address,
            std::chrono::seconds deadline);

    int rank() const { return rank_; }
    int count() const { return static_cast<int>(peers_.size()); }
    /// Sends bytes to each process and receives bytes from each, all at the same time; the own ones are
    /// copied.
    /// @param sent, received one for each rank; what one sends, the other expects
    /// @param what is being done, for errors
    void exchange(std::span<const std::span<const std::byte>> sent,
                  std::span<const std::span<std::byte>> received, const char* what);

  private:
    int rank_;
    std::chrono::seconds deadline_;
    std::vector<Fd> peers_;  ///< by rank; the own one is empty
};

}  // namespace tritonsmith::train
