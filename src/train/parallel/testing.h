#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// Calls f(communicator) on a thread for each of `count` ranks, connected over this machine's loopback.
template <class Function>
void run_ranks(int count, const Function& f, std::chrono::seconds deadline = std::chrono::seconds(60)) {
    const std::shared_ptr<Rendezvous> rendezvous = local_rendezvous();
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] {
            const auto communicator =
                tcp_communicator({.rank = rank, .count = count}, *rendezvous, "127.0.0.1", deadline);
            f(*communicator);
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace tritonsmith::train
