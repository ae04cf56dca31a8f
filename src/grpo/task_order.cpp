#include "grpo/task_order.h"

#include "base/random.h"
#include "train/data/row_stream.h"

namespace tritonsmith::grpo {

TaskOrder::TaskOrder(std::vector<size_t> sizes, std::vector<double> weights, uint64_t seed, int rank,
                     int count)
    : sizes_(std::move(sizes)),
      weights_(std::move(weights)),
      seed_(seed),
      rank_(static_cast<size_t>(rank)),
      count_(static_cast<size_t>(count)),
      position_(sizes_.size() + 1, 0),
      epochs_(sizes_.size()) {
    for (size_t source = 0; source < sizes_.size(); ++source)
        if (own_size(source) == 0)
            throw InputError("tasks: a source has fewer tasks than there are processes");
}

size_t TaskOrder::own_size(size_t source) const {
    return sizes_[source] > rank_ ? (sizes_[source] - rank_ - 1) / count_ + 1 : 0;
}

TaskOrder::Place TaskOrder::next() {
    Place place{.number = position_[0]++};
    Random random(seed_ * 0x9e3779b97f4a7c15ULL + rank_, static_cast<uint64_t>(place.number));
    place.source = random.weighted(weights_);
    const int64_t drawn = position_[place.source + 1]++, size = static_cast<int64_t>(own_size(place.source));
    Epoch& epoch = epochs_[place.source];
    if (epoch.number != drawn / size)
        epoch = {drawn / size, train::shuffled(static_cast<size_t>(size), seed_ + place.source,
                                               static_cast<uint64_t>(drawn / size))};
    place.task = epoch.order[static_cast<size_t>(drawn % size)] * count_ + rank_;
    return place;
}

void TaskOrder::seek(const std::vector<int64_t>& position) {
    if (position.size() != position_.size())
        throw InputError("the checkpoint is of a run with other tasks.sources");
    position_ = position;
}

}  // namespace tritonsmith::grpo
