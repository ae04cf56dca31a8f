#include "train/data/batch_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <iterator>
#include <thread>

namespace tritonsmith::train {
namespace {

/// Rows whose examples are made together: what a window holds depends on it.
constexpr int64_t rows_at_a_time = 64;

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
    if (settings_.threads < 1) throw InputError("data: threads must be 1 or more");
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

/// A row and what becomes of it. Each has random numbers of its own.
struct BatchStream::DrawnRow {
    size_t source;
    Row row;
    Random random;
    std::vector<Example> examples = {};
    int64_t too_long = 0;
    std::exception_ptr failure = {};
};

void BatchStream::make_examples(DrawnRow& drawn) const {
    try {
        for (const Conversation& conversation :
             conversations_of(drawn.row.text, drawn.row.where, settings_.pairs, drawn.random)) {
            Example example = maker_->make(conversation, drawn.row.where);
            if (static_cast<int64_t>(example.tokens.size()) > settings_.longest)
                ++drawn.too_long;
            else
                drawn.examples.push_back(std::move(example));
        }
    } catch (...) {
        drawn.failure = std::current_exception();
    }
}

/// Rows of sources that are drawn by the weights. Templates and the tokenizer take most of the time: for
/// these there are threads.
void BatchStream::read_rows() {
    std::vector<DrawnRow> rows;
    for (int64_t i = 0; i < rows_at_a_time; ++i) {
        Random random(settings_.seed ^ 0x736f75726365, static_cast<uint64_t>(draws_++));
        const size_t source = random.weighted(weights_);
        rows.push_back({source, sources_[source].next(), random});
    }
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < rows.size(); i = next++) make_examples(rows[i]);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < settings_.threads; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    for (DrawnRow& drawn : rows) {
        if (drawn.failure) std::rethrow_exception(drawn.failure);
        counts_[drawn.source].examples += static_cast<int64_t>(drawn.examples.size());
        counts_[drawn.source].too_long += drawn.too_long;
        std::move(drawn.examples.begin(), drawn.examples.end(), std::back_inserter(examples_));
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
        read_rows();
        if (examples_.empty() && draws_ - first > rows_without_example)
            throw InputError("data: no example is short enough: raise the longest length");
    }
    const std::vector<std::vector<size_t>> packed = pack_examples(examples_, settings_.budget);
    batches_.clear();  // long examples come first in `packed`
    for (const size_t i :
         shuffled(packed.size(), settings_.seed ^ 0x7061636b, static_cast<uint64_t>(window_)))
        batches_.push_back(packed[i]);
}

Batch BatchStream::next() {
    if (next_ == batches_.size()) {
        if (!batches_.empty()) ++window_;
        fill();
    }
    Batch batch = batch_of(examples_, batches_[next_]);
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
