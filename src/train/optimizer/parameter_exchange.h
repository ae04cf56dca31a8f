#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "train/network/parameters.h"
#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// Elements of a parameter that one process updates.
struct OwnedRange {
    size_t parameter = 0;
    int owner = 0;
    int64_t first = 0, count = 0;
};

struct ExchangeSettings {
    /// Bytes of gradients that one transfer has at least: smaller tensors are joined.
    int64_t bucket = int64_t{16} << 20;
    /// Bytes that are sent at a time at most, unless one transfer has more: bounds the memory of copies.
    int64_t in_flight = int64_t{256} << 20;
};

/// What processes that all have whole weights and gradients tell each other in a step: of each gradient the
/// sum to the process that updates it, and afterwards the new values to all. Tensors are joined to buckets.
/// A bucket's gradients are sent as soon as the backward pass has left its layers, and its values have
/// arrived when the next forward pass comes to them. Several processes; all make the same calls.
class ParameterExchange {
  public:
    /// @param parameters all of whose elements are in one of `ranges` @param layers of the model
    /// @param communicator must outlive it
    ParameterExchange(const std::vector<Parameter>& parameters, const std::vector<OwnedRange>& ranges,
                      int64_t layers, Communicator& communicator, const ExchangeSettings& settings);

    /// Of an own range, [count]: all processes' gradients, behind finish_gradients().
    at::Tensor sum_of(size_t range) const;

    /// Nothing more is added to the gradients of this layer and those above it in this step.
    void send_gradients(int64_t layer);
    /// Sends the rest; afterwards all sums are there.
    void finish_gradients();

    /// Sends the own ranges' values, which must stay as they are until they have arrived.
    void send_values();
    /// Values that a forward pass needs before it leaves this layer are there; -1: before the first one.
    void receive_values(int64_t layer);
    void finish_values();

  private:
    /// A range in its bucket's vector.
    struct Entry {
        OwnedRange range;
        size_t number = 0;           ///< among all ranges
        at::Tensor value, gradient;  ///< flat
        int64_t place = 0;           ///< in the section of its owner
    };
    struct Bucket {
        std::vector<Entry> entries;
        int64_t layer = -1;  ///< the lowest; -1: also what is below all layers
        int64_t size = 0;    ///< elements of a process's section
        /// One tensor in equal parts, in the order of the processes: it is sent from where it is.
        bool in_place = false;
        at::Tensor sums;                   ///< [size] of the own section
        at::Tensor whole, own;             ///< while it is sent: all sections, the own one
        std::unique_ptr<Pending> pending;  ///< likewise
        int64_t bytes = 0;                 ///< likewise
    };
    enum class Phase { none, gradients, values };

    void fill_buckets(const std::vector<Parameter>& parameters, const std::vector<OwnedRange>& ranges,
                      int64_t layers, int64_t bytes);
    void lay_out(Bucket& bucket) const;
    std::vector<at::Tensor> places_in(const Bucket& bucket, const at::Tensor& whole, bool own) const;
    std::vector<const Entry*> entries_of(const Bucket& bucket, bool own) const;
    bool has_room(const Bucket& bucket, const at::Tensor& like) const;
    void send_gradients_of(Bucket& bucket);
    void send_values_of(Bucket& bucket);
    void send_more_values();
    void receive_first();

    Communicator& communicator_;
    const int64_t most_in_flight_;
    std::vector<Bucket> buckets_;  ///< in the order in which a backward pass leaves them
    Phase phase_ = Phase::none;
    size_t next_ = 0;  ///< of gradients: the bucket that is sent next; of values: those that are not sent yet
    std::deque<Bucket*> in_flight_;
    int64_t bytes_in_flight_ = 0;
};

}  // namespace tritonsmith::train
