#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <stdexcept>

#include "base/error.h"
#include "train/parallel/communicator.h"
#include "train/parallel/tcp_mesh.h"

namespace tritonsmith::train {
namespace {

using Sent = std::vector<std::span<const std::byte>>;
using Received = std::vector<std::span<std::byte>>;

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
    return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}
std::span<std::byte> writable_bytes_of(const at::Tensor& tensor) {
    return {static_cast<std::byte*>(tensor.mutable_data_ptr()), tensor.nbytes()};
}

class TcpCommunicator : public Communicator {
  public:
    TcpCommunicator(const Ranks& ranks, Rendezvous& rendezvous, const std::string& address,
                    std::chrono::seconds deadline)
        : mesh_(ranks, rendezvous, address, deadline) {}

    int rank() const override { return mesh_.rank(); }
    int count() const override { return mesh_.count(); }

    void all_reduce(at::Tensor& tensor) override {
        const at::NoGradGuard no_grad;
        check(tensor);
        std::vector<at::Tensor> all;
        for (int i = 0; i < count(); ++i) all.push_back(at::empty_like(tensor));
        Received received;
        for (const at::Tensor& one : all) received.push_back(writable_bytes_of(one));
        mesh_.exchange(Sent(all.size(), bytes_of(tensor)), received, "all_reduce");
        store_sum(tensor, all);
    }

    void reduce_scatter(at::Tensor& part, const at::Tensor& whole) override {
        const at::NoGradGuard no_grad;
        check(whole);
        check(part);
        check_pieces(part, whole);
        const std::vector<at::Tensor> pieces = whole.view(-1).chunk(count());
        Sent sent;
        std::vector<at::Tensor> all;
        Received received;
        for (const at::Tensor& piece : pieces) {
            sent.push_back(bytes_of(piece));
            all.push_back(at::empty_like(part));
            received.push_back(writable_bytes_of(all.back()));
        }
        mesh_.exchange(sent, received, "reduce_scatter");
        store_sum(part, all);
    }

    void all_gather(at::Tensor& whole, const at::Tensor& part) override {
        check(whole);
        check(part);
        check_pieces(part, whole);
        Received received;
        for (const at::Tensor& piece : whole.view(-1).chunk(count()))
            received.push_back(writable_bytes_of(piece));
        mesh_.exchange(Sent(received.size(), bytes_of(part)), received, "all_gather");
    }

    void broadcast(at::Tensor& tensor, int from) override {
        check(tensor);
        const auto ranks = static_cast<size_t>(count());
        Sent sent(ranks);
        Received received(ranks);
        if (rank() == from)
            sent.assign(ranks, bytes_of(tensor));
        else
            received[static_cast<size_t>(from)] = writable_bytes_of(tensor);
        mesh_.exchange(sent, received, "broadcast");
    }

    void barrier() override {
        at::Tensor nothing = at::zeros({1});
        all_reduce(nothing);
    }

  private:
    static void check(const at::Tensor& tensor) {
        if (!tensor.is_cpu() || !tensor.is_contiguous())
            throw std::logic_error("processes exchange contiguous tensors on the CPU");
    }
    void check_pieces(const at::Tensor& part, const at::Tensor& whole) const {
        if (whole.numel() != part.numel() * count() || whole.scalar_type() != part.scalar_type())
            throw std::logic_error("a whole has one part for each process");
    }
    static void store_sum(at::Tensor& to, const std::vector<at::Tensor>& all) {
        at::Tensor sum = all.front().to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
        for (size_t i = 1; i < all.size(); ++i) sum.add_(all[i]);
        to.copy_(sum.view(to.sizes()));
    }

    TcpMesh mesh_;
};

}  // namespace

std::unique_ptr<Communicator> tcp_communicator(const Ranks& ranks, Rendezvous& rendezvous,
                                               const std::string& address, std::chrono::seconds deadline) {
    return std::make_unique<TcpCommunicator>(ranks, rendezvous, address, deadline);
}

}  // namespace tritonsmith::train
