#include "train/data/batch_stream.h"

#include <fmt/format.h>

#include <cmath>

#include "train/data/packing.h"

namespace tritonsmith::train {
namespace {

int64_t place_number(const Json& place, const char* name) {
    if (!place.is_object() || !place.contains(name) || !place[name].is_number_integer() || place[name] < 0)
        throw InputError(std::string("the place in the data has no ") + name);
    return place[name].get<int64_t>();
}

}  // namespace

BatchStream::BatchStream(StreamSettings settings, std::shared_ptr<const ExampleMaker> maker)
    : settings_(std::move(settings)), maker_(std::move(maker)) {
    if (settings_.sources.empty()) throw InputError("data: name at least one source");
    if (settings_.longest < 2 || settings_.longest > settings_.budget)
        throw InputError("data: the longest example must have 2 tokens or more, and fit into a batch");
    if (settings_.pack_window < 1) throw InputError("data: pack_window must be 1 or more");
    for (size_t i = 0; i < settings_.sources.size(); ++i) {
        const SourceSettings& source = settings_.sources[i];
        if (!(source.weight > 0) || !std::isfinite(source.weight))
            throw InputError(fmt::format("data: the weight of {} must be positive", source.name));
        sources_.emplace_back(source.files, settings_.shuffle_window, settings_.seed + i);
        weights_.push_back(source.weight);
    }
    counts_.resize(sources_.size());
}

/// One row of a source that is drawn by the weights.
void BatchStream::read_row() {
    Random random(settings_.seed ^ 0x736f75726365, static_cast<uint64_t>(draws_++));
    const size_t source = random.weighted(weights_);
    const Row row = sources_[source].next();
    for (const Conversation& conversation : conversations_of(row.text, row.where, settings_.pairs, random)) {
        Example example = maker_->make(conversation, row.where);
        if (static_cast<int64_t>(example.tokens.size()) > settings_.longest) {
            ++counts_[source].too_long;
            continue;
        }
        ++counts_[source].examples;
        examples_.push_back(std::move(example));
    }
}

void BatchStream::fill() {
    begin_ = sources_place();
    examples_.clear();
    next_ = 0;
    // A source of which nothing fits would be read for ever.
    constexpr int64_t rows_without_example = 1'000'000;
    const int64_t first = draws_;
    while (static_cast<int64_t>(examples_.size()) < settings_.pack_window) {
        read_row();
        if (examples_.empty() && draws_ - first > rows_without_example)
            throw InputError("data: no example is short enough: raise the longest length");
    }
    std::vector<int64_t> lengths;
    for (const Example& example : examples_) lengths.push_back(static_cast<int64_t>(example.tokens.size()));
    const std::vector<std::vector<size_t>> packed = pack(lengths, settings_.budget);
    batches_.clear();  // long examples come first in `packed`
    for (const size_t i : shuffled(packed.size(), settings_.seed ^ 0x7061636b, static_cast<uint64_t>(window_)))
        batches_.push_back(packed[i]);
}

Batch BatchStream::next() {
    if (next_ == batches_.size()) {
        if (!batches_.empty()) ++window_;
        fill();
    }
    Batch batch;
    for (const size_t index : batches_[next_]) {
        const Example& example = examples_[index];
        batch.tokens.insert(batch.tokens.end(), example.tokens.begin(), example.tokens.end());
        batch.learned.insert(batch.learned.end(), example.learned.begin(), example.learned.end());
        batch.lengths.push_back(static_cast<int64_t>(example.tokens.size()));
        for (size_t i = 1; i < example.learned.size(); ++i) batch.targets += example.learned[i];
    }
    ++next_;
    batch.place = begin_;
    batch.place["batch"] = next_;
    batch.counts = Json::object();
    for (size_t i = 0; i < sources_.size(); ++i)
        batch.counts[settings_.sources[i].name] = {{"examples", counts_[i].examples},
                                                   {"too_long", counts_[i].too_long},
                                                   {"epoch", sources_[i].place().epoch}};
    return batch;
}

Json BatchStream::sources_place() const {
    Json place = {{"draws", draws_}, {"window", window_}, {"sources", Json::array()}};
    for (size_t i = 0; i < sources_.size(); ++i) {
        Json source = to_json(sources_[i].place());
        source["name"] = settings_.sources[i].name;
        source["examples"] = counts_[i].examples;
        source["too_long"] = counts_[i].too_long;
        place["sources"].push_back(std::move(source));
    }
    return place;
}

void BatchStream::seek(const Json& place) {
    const int64_t batch = place_number(place, "batch");
    draws_ = place_number(place, "draws");
    window_ = place_number(place, "window");
    if (!place.contains("sources") || place["sources"].size() != sources_.size())
        throw InputError("the run that goes on had other sources of data");
    for (size_t i = 0; i < sources_.size(); ++i) {
        const Json& source = place["sources"][i];
        if (source.value("name", "") != settings_.sources[i].name)
            throw InputError("the run that goes on had other sources of data");
        counts_[i] = {place_number(source, "examples"), place_number(source, "too_long")};
        sources_[i].seek(shuffle_place(source));
    }
    fill();
    if (batch < 1 || static_cast<size_t>(batch) > batches_.size())
        throw InputError("the data, or how it is packed, is not that of the run that goes on");
    next_ = static_cast<size_t>(batch);
}

}  // namespace tritonsmith::train
