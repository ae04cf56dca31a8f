#include "train/parallel/cuda/nccl_communicator.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "model/cuda/operators.h"
#include "train/parallel/cuda/nccl.h"
#include "train/parallel/cuda/watchdog.h"

namespace tritonsmith::train {
namespace {

Nccl::DataType nccl_type(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return Nccl::float32;
        case at::kBFloat16:
            return Nccl::bfloat16;
        case at::kHalf:
            return Nccl::float16;
        default:
            throw std::logic_error("processes exchange floats");
    }
}

/// What is enqueued on `second` from now on waits for what is on `first`.
void order(const c10::Stream& first, const c10::Stream& second) {
    c10::Event event(first.device_type());
    event.record(first);
    event.block(second);
}

/// All that is on a stream when this is made. wait(): the current stream waits for it.
class OnStream : public Pending {
  public:
    explicit OnStream(const c10::Stream& stream) : done_(stream.device_type()), device_(stream.device()) {
        done_.record(stream);
    }
    void wait() override {
        const c10::OptionalDeviceGuard guard(device_);
        done_.block(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
    }

  private:
    c10::Event done_;
    const at::Device device_;
};

class NcclCommunicator : public Communicator {
  public:
    NcclCommunicator(const Ranks& ranks, Rendezvous& rendezvous, at::Device device,
                     std::chrono::seconds deadline)
        : ranks_(ranks),
          device_(device),
          watchdog_(fmt::format("rank {} of {}", ranks.rank, ranks.count), deadline) {
        const c10::OptionalDeviceGuard guard(device_);
        Nccl::UniqueId id{};
        if (ranks.rank == 0) {
            check("ncclGetUniqueId", nccl_.get_unique_id(&id));
            rendezvous.put("nccl", std::string(id.bytes, sizeof id.bytes));
        } else {
            const std::string bytes = rendezvous.get("nccl");
            if (bytes.size() != sizeof id.bytes)
                throw MachineError("the run's processes have different versions of NCCL");
            std::memcpy(id.bytes, bytes.data(), sizeof id.bytes);
        }
        check("ncclCommInitRank", nccl_.init_rank(&comm_, ranks.count, id, ranks.rank));
        barrier();
    }
    ~NcclCommunicator() override { nccl_.destroy(comm_); }

    int rank() const override { return ranks_.rank; }
    int count() const override { return ranks_.count; }

    void all_reduce(at::Tensor& tensor) override {
        run("all_reduce", tensor, [&](void* stream) {
            return nccl_.all_reduce(tensor.const_data_ptr(), tensor.mutable_data_ptr(), elements(tensor),
                                    nccl_type(tensor), Nccl::sum, comm_, stream);
        });
    }
    void reduce_scatter(at::Tensor& part, const at::Tensor& whole) override {
        check_pieces(part, whole);
        run("reduce_scatter", part,
            [&](void* stream) { return enqueue_reduce_scatter(part, whole, stream); });
    }
    void all_gather(at::Tensor& whole, const at::Tensor& part) override {
        check_pieces(part, whole);
        run("all_gather", whole, [&](void* stream) { return enqueue_all_gather(whole, part, stream); });
    }
    void broadcast(at::Tensor& tensor, int from) override {
        run("broadcast", tensor, [&](void* stream) {
            return nccl_.broadcast(tensor.const_data_ptr(), tensor.mutable_data_ptr(), elements(tensor),
                                   nccl_type(tensor), from, comm_, stream);
        });
    }
    std::unique_ptr<Pending> start_reduce_scatter(at::Tensor& part, const at::Tensor& whole) override {
        check_pieces(part, whole);
        return start("reduce_scatter", part,
                     [&](void* stream) { return enqueue_reduce_scatter(part, whole, stream); });
    }
    std::unique_ptr<Pending> start_all_gather(at::Tensor& whole, const at::Tensor& part) override {
        check_pieces(part, whole);
        return start("all_gather", whole,
                     [&](void* stream) { return enqueue_all_gather(whole, part, stream); });
    }
    void barrier() override {
        at::Tensor one = at::ones({1}, at::TensorOptions().dtype(at::kFloat).device(device_));
        all_reduce(one);
        (void)one.item<float>();
    }

  private:
    static size_t elements(const at::Tensor& tensor) { return static_cast<size_t>(tensor.numel()); }

    int enqueue_reduce_scatter(at::Tensor& part, const at::Tensor& whole, void* stream) const {
        return nccl_.reduce_scatter(whole.const_data_ptr(), part.mutable_data_ptr(), elements(part),
                                    nccl_type(part), Nccl::sum, comm_, stream);
    }
    int enqueue_all_gather(at::Tensor& whole, const at::Tensor& part, void* stream) const {
        return nccl_.all_gather(part.const_data_ptr(), whole.mutable_data_ptr(), elements(part),
                                nccl_type(part), comm_, stream);
    }

    /// On the current stream, behind all that was started.
    template <class Function>
    void run(const char* what, const at::Tensor& tensor, const Function& enqueue) {
        check_tensor(tensor);
        const c10::OptionalDeviceGuard guard(device_);
        const c10::Stream current = c10::impl::VirtualGuardImpl(device_.type()).getStream(device_);
        if (side_) order(*side_, current);
        check(what, enqueue(model::current_stream(device_)));
        watchdog_.watch(what, current);
    }
    /// On the side stream, behind all that is on the current one.
    template <class Function>
    std::unique_ptr<Pending> start(const char* what, const at::Tensor& tensor, const Function& enqueue) {
        check_tensor(tensor);
        const c10::OptionalDeviceGuard guard(device_);
        const c10::impl::VirtualGuardImpl streams(device_.type());
        // First in line: else its few blocks wait until a kernel that fills the device leaves them room.
        if (!side_) side_ = streams.getStreamFromGlobalPool(device_, /*isHighPriority=*/true);
        order(streams.getStream(device_), *side_);
        check(what, enqueue(streams.getStreamNativeHandle(*side_)));
        watchdog_.watch(what, *side_);
        return std::make_unique<OnStream>(*side_);
    }
    void check_tensor(const at::Tensor& tensor) const {
        if (tensor.device() != device_ || !tensor.is_contiguous())
            throw std::logic_error("processes exchange contiguous tensors on their own device");
    }
    void check(const char* what, int result) const {
        if (result != 0)
            throw MachineError(fmt::format("{} failed on rank {} of {}: {}", what, ranks_.rank, ranks_.count,
                                           nccl_.error_text(result)));
    }
    void check_pieces(const at::Tensor& part, const at::Tensor& whole) const {
        if (whole.numel() != part.numel() * count() || whole.scalar_type() != part.scalar_type() ||
            !part.is_contiguous() || !whole.is_contiguous())
            throw std::logic_error("a whole has one contiguous part for each process");
    }

    const Nccl& nccl_ = Nccl::library();
    const Ranks ranks_;
    const at::Device device_;
    Nccl::Comm comm_ = nullptr;
    std::optional<c10::Stream> side_;  ///< of operations that were started
    Watchdog watchdog_;
};

}  // namespace

std::unique_ptr<Communicator> nccl_communicator(const Ranks& ranks, Rendezvous& rendezvous, at::Device device,
                                                std::chrono::seconds deadline) {
    return std::make_unique<NcclCommunicator>(ranks, rendezvous, device, deadline);
}

}  // namespace tritonsmith::train
