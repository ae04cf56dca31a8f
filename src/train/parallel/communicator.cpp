#include "train/parallel/communicator.h"

#include <functional>

namespace tritonsmith::train {
namespace {

class Deferred : public Pending {
  public:
    explicit Deferred(std::function<void()> operation) : operation_(std::move(operation)) {}
    void wait() override { operation_(); }

  private:
    std::function<void()> operation_;
};

}  // namespace

std::unique_ptr<Pending> Communicator::start_reduce_scatter(at::Tensor& part, const at::Tensor& whole) {
    return std::make_unique<Deferred>([this, part, whole]() mutable { reduce_scatter(part, whole); });
}

std::unique_ptr<Pending> Communicator::start_all_gather(at::Tensor& whole, const at::Tensor& part) {
    return std::make_unique<Deferred>([this, whole, part]() mutable { all_gather(whole, part); });
}

}  // namespace tritonsmith::train
