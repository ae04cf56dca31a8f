#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <memory>

#include "train/parallel/ranks.h"
#include "train/parallel/rendezvous.h"

namespace tritonsmith::train {

/// An operation that was started.
class Pending {
  public:
    virtual ~Pending() = default;
    /// Afterwards its result may be read, its operands changed or released. Once.
    virtual void wait() = 0;
};

/// What the processes of a run do together. Every process makes the same calls in the same order, with
/// tensors of the same sizes and dtypes, contiguous, on its own device. Sums are in float32, in the order of
/// the ranks on the CPU, and the same bits on all of them. A process that is missing is a MachineError that
/// names the operation, after the deadline.
class Communicator {
  public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int count() const = 0;
    /// Each becomes the sum of all.
    virtual void all_reduce(at::Tensor& tensor) = 0;
    /// @param whole [count · n]  @param part [n] becomes the sum of everyone's piece number rank()
    virtual void reduce_scatter(at::Tensor& part, const at::Tensor& whole) = 0;
    /// @param whole [count · n] becomes everyone's part, in the order of the ranks
    virtual void all_gather(at::Tensor& whole, const at::Tensor& part) = 0;
    virtual void broadcast(at::Tensor& tensor, int from) = 0;
    /// The same as reduce_scatter() and all_gather(), while others compute. Both tensors must stay there and
    /// as they are until wait(), for which all processes have the same order. On CPUs it is done in wait().
    virtual std::unique_ptr<Pending> start_reduce_scatter(at::Tensor& part, const at::Tensor& whole);
    virtual std::unique_ptr<Pending> start_all_gather(at::Tensor& whole, const at::Tensor& part);
    /// Returns when all have called it.
    virtual void barrier() = 0;
};

/// Of a run with one process.
std::unique_ptr<Communicator> single_communicator();
/// On CPUs, over TCP connections between all processes: made for tests and small runs, since it sends
/// everything to everyone. @param address of this machine, at which the others reach it
std::unique_ptr<Communicator> tcp_communicator(const Ranks& ranks, Rendezvous& rendezvous,
                                               const std::string& address, std::chrono::seconds deadline);

/// Of this process, as its launcher says: single_communicator() where it is alone, else over TCP on CPUs and
/// by NCCL on GPUs. @param device this process's own @throws MachineError where the others do not come within
/// `deadline`
std::unique_ptr<Communicator> communicator_of_this_process(
    at::Device device, std::chrono::seconds deadline = std::chrono::minutes(10));

}  // namespace tritonsmith::train
