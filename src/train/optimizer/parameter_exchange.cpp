#include "train/optimizer/parameter_exchange.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tritonsmith::train {
namespace {

/// Ranges begin at multiples of so many elements: kernels read aligned memory faster.
constexpr int64_t range_alignment = 64;

/// The lowest layer whose backward pass completes a gradient.
int64_t layer_of(const Parameter& parameter, int64_t layers) {
    if (parameter.layer >= 0) return parameter.layer;
    return parameter.kind == Parameter::Kind::embedding ? -1 : layers - 1;  // last norm and head come first
}

int64_t gradient_bytes(const Parameter& parameter) {
    return static_cast<int64_t>(parameter.gradient.nbytes());
}

}  // namespace

ParameterExchange::ParameterExchange(const std::vector<Parameter>& parameters,
                                     const std::vector<OwnedRange>& ranges, int64_t layers,
                                     Communicator& communicator, const ExchangeSettings& settings)
    : communicator_(communicator), most_in_flight_(settings.in_flight) {
    fill_buckets(parameters, ranges, layers, settings.bucket);
    for (Bucket& bucket : buckets_) lay_out(bucket);
}

void ParameterExchange::fill_buckets(const std::vector<Parameter>& parameters,
                                     const std::vector<OwnedRange>& ranges, int64_t layers, int64_t bytes) {
    std::vector<size_t> order(parameters.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t one, size_t other) {
        return layer_of(parameters[one], layers) > layer_of(parameters[other], layers);
    });
    int64_t filled = 0;
    const Parameter* before = nullptr;
    for (const size_t index : order) {
        const Parameter& parameter = parameters[index];
        const int64_t own = gradient_bytes(parameter);
        if (before == nullptr || filled >= bytes || own >= bytes ||
            before->value.scalar_type() != parameter.value.scalar_type() ||
            before->gradient.scalar_type() != parameter.gradient.scalar_type()) {
            buckets_.emplace_back();
            filled = 0;
        }
        filled += own;
        before = &parameter;
        buckets_.back().layer = layer_of(parameter, layers);
        for (size_t number = 0; number < ranges.size(); ++number) {
            const OwnedRange& range = ranges[number];
            if (range.parameter != index) continue;
            buckets_.back().entries.push_back(
                {.range = range,
                 .number = number,
                 .value = parameter.value.view(-1).narrow(0, range.first, range.count),
                 .gradient = parameter.gradient.view(-1).narrow(0, range.first, range.count)});
        }
    }
}

void ParameterExchange::lay_out(Bucket& bucket) const {
    const auto count = static_cast<size_t>(communicator_.count());
    std::vector<int64_t> used(count);
    for (Entry& entry : bucket.entries) {
        int64_t& end = used[static_cast<size_t>(entry.range.owner)];
        entry.place = end;
        end += (entry.range.count + range_alignment - 1) / range_alignment * range_alignment;
    }
    const std::vector<Entry>& entries = bucket.entries;
    bucket.in_place = entries.size() == count;
    for (size_t i = 0; bucket.in_place && i < count; ++i) {
        const OwnedRange &range = entries[i].range, &first = entries.front().range;
        bucket.in_place = range.parameter == first.parameter && range.owner == static_cast<int>(i) &&
                          range.count == first.count && range.count > 0 &&
                          range.first == static_cast<int64_t>(i) * first.count;
    }
    bucket.size = bucket.in_place ? entries.front().range.count : *std::max_element(used.begin(), used.end());
    bucket.sums = at::zeros({bucket.size}, entries.front().gradient.options());
}

at::Tensor ParameterExchange::sum_of(size_t range) const {
    for (const Bucket& bucket : buckets_)
        for (const Entry& entry : bucket.entries)
            if (entry.number == range && entry.range.owner == communicator_.rank())
                return bucket.sums.narrow(0, entry.place, entry.range.count);
    throw std::logic_error("sums are of own ranges");
}

/// Those that are not empty. @param own of this process alone, else of all
std::vector<const ParameterExchange::Entry*> ParameterExchange::entries_of(const Bucket& bucket,
                                                                           bool own) const {
    std::vector<const Entry*> entries;
    for (const Entry& entry : bucket.entries)
        if (entry.range.count > 0 && (!own || entry.range.owner == communicator_.rank()))
            entries.push_back(&entry);
    return entries;
}

/// Of entries_of(). @param from all sections, or the own one
std::vector<at::Tensor> ParameterExchange::places_in(const Bucket& bucket, const at::Tensor& from,
                                                     bool own) const {
    std::vector<at::Tensor> places;
    for (const Entry* entry : entries_of(bucket, own))
        places.push_back(
            from.narrow(0, (own ? 0 : entry->range.owner * bucket.size) + entry->place, entry->range.count));
    return places;
}

bool ParameterExchange::has_room(const Bucket& bucket, const at::Tensor& like) const {
    const int64_t bytes = bucket.size * communicator_.count() * like.element_size();
    return in_flight_.empty() || bytes_in_flight_ + bytes <= most_in_flight_;
}

void ParameterExchange::send_gradients_of(Bucket& bucket) {
    const at::NoGradGuard no_grad;
    const at::Tensor& first = bucket.entries.front().gradient;
    while (!has_room(bucket, first)) receive_first();
    if (bucket.in_place) {
        bucket.whole = first.as_strided({bucket.size * communicator_.count()}, {1}, first.storage_offset());
    } else {
        bucket.whole = at::zeros({bucket.size * communicator_.count()}, first.options());
        std::vector<at::Tensor> gradients;
        for (const Entry* entry : entries_of(bucket, false)) gradients.push_back(entry->gradient);
        at::_foreach_copy_(places_in(bucket, bucket.whole, false), gradients);
    }
    bucket.bytes = static_cast<int64_t>(bucket.whole.nbytes());
    bytes_in_flight_ += bucket.bytes;
    bucket.pending = communicator_.start_reduce_scatter(bucket.sums, bucket.whole);
    in_flight_.push_back(&bucket);
}

void ParameterExchange::send_gradients(int64_t layer) {
    if (phase_ == Phase::values) finish_values();
    if (phase_ == Phase::none) next_ = 0;
    phase_ = Phase::gradients;
    while (next_ < buckets_.size() && buckets_[next_].layer >= layer) send_gradients_of(buckets_[next_++]);
}

void ParameterExchange::finish_gradients() {
    send_gradients(-1);
    while (!in_flight_.empty()) receive_first();
    phase_ = Phase::none;
}

void ParameterExchange::send_values_of(Bucket& bucket) {
    const at::NoGradGuard no_grad;
    const at::Tensor& first = bucket.entries.front().value;
    const int64_t length = bucket.size * communicator_.count();
    if (bucket.in_place) {
        bucket.whole = first.as_strided({length}, {1}, first.storage_offset());
        bucket.own = bucket.whole.narrow(0, bucket.size * communicator_.rank(), bucket.size);
    } else {
        bucket.whole = at::empty({length}, first.options());
        bucket.own = at::zeros({bucket.size}, first.options());
        std::vector<at::Tensor> values;
        for (const Entry* entry : entries_of(bucket, true)) values.push_back(entry->value);
        if (!values.empty()) at::_foreach_copy_(places_in(bucket, bucket.own, true), values);
    }
    bucket.bytes = static_cast<int64_t>(bucket.whole.nbytes());
    bytes_in_flight_ += bucket.bytes;
    bucket.pending = communicator_.start_all_gather(bucket.whole, bucket.own);
    in_flight_.push_back(&bucket);
}

/// In the order of a forward pass: the last bucket first.
void ParameterExchange::send_more_values() {
    while (next_ > 0 && has_room(buckets_[next_ - 1], buckets_[next_ - 1].entries.front().value))
        send_values_of(buckets_[--next_]);
}

void ParameterExchange::send_values() {
    if (phase_ != Phase::none) throw std::logic_error("values are sent behind finish_gradients()");
    phase_ = Phase::values;
    next_ = buckets_.size();
    send_more_values();
}

void ParameterExchange::receive_values(int64_t layer) {
    if (phase_ != Phase::values) return;
    while (!in_flight_.empty() && in_flight_.front()->layer <= layer) {
        receive_first();
        send_more_values();
    }
    if (in_flight_.empty()) phase_ = Phase::none;
}

void ParameterExchange::finish_values() {
    if (!buckets_.empty()) receive_values(buckets_.front().layer);
}

void ParameterExchange::receive_first() {
    const at::NoGradGuard no_grad;
    Bucket& bucket = *in_flight_.front();
    in_flight_.pop_front();
    bucket.pending->wait();
    if (phase_ == Phase::values && !bucket.in_place) {
        std::vector<at::Tensor> values;
        for (const Entry* entry : entries_of(bucket, false)) values.push_back(entry->value);
        at::_foreach_copy_(values, places_in(bucket, bucket.whole, false));
    }
    bytes_in_flight_ -= bucket.bytes;
    bucket.pending.reset();
    bucket.whole = bucket.own = at::Tensor();
}

}  // namespace tritonsmith::train
