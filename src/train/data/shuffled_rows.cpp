#include "train/data/shuffled_rows.h"

namespace tritonsmith::train {
namespace {

constexpr size_t largest_window = size_t{256} << 20;

}  // namespace

ShuffledRows::ShuffledRows(std::vector<std::filesystem::path> files, int64_t window, uint64_t seed)
    : stream_(std::move(files), seed), window_(window), seed_(seed) {
    if (window < 1) throw InputError("a window of shuffling must have at least one row");
}

void ShuffledRows::seek(const Place& place) {
    place_ = place;
    rows_.clear();
    last_ = false;
    stream_.seek(place.epoch, place.begin);
}

/// Reads the window at place_.begin, where the stream is.
void ShuffledRows::fill() {
    rows_.clear();
    size_t bytes = 0;
    last_ = false;
    while (static_cast<int64_t>(rows_.size()) < window_ && bytes < largest_window) {
        std::optional<Row> row = stream_.next();
        if (!row) {
            last_ = true;
            break;
        }
        bytes += row->text.size();
        rows_.push_back(std::move(*row));
    }
    end_ = stream_.place();
    const auto number = static_cast<uint64_t>(place_.epoch) << 32 | static_cast<uint64_t>(place_.window);
    order_ = shuffled(rows_.size(), seed_ ^ 0x77696e646f77, number);
}

Row ShuffledRows::next() {
    while (rows_.empty() || place_.taken == static_cast<int64_t>(rows_.size())) {
        if (!rows_.empty() && !last_) {
            place_ = {place_.epoch, place_.window + 1, end_, 0};
        } else if (!rows_.empty() || last_) {
            if (place_.window == 0 && rows_.empty()) throw InputError("a source of data has no rows");
            place_ = {place_.epoch + 1, 0, {}, 0};
            stream_.seek(place_.epoch);
        }
        fill();
    }
    return std::move(rows_[order_[static_cast<size_t>(place_.taken++)]]);
}

Json to_json(const ShuffledRows::Place& place) {
    return {{"epoch", place.epoch},
            {"window", place.window},
            {"file", place.begin.file},
            {"line", place.begin.line},
            {"taken", place.taken}};
}

ShuffledRows::Place shuffle_place(const Json& json) {
    const auto number = [&](const char* name) {
        if (!json.is_object() || !json.contains(name) || !json[name].is_number_integer() || json[name] < 0)
            throw InputError(std::string("a place in the data has no ") + name);
        return json[name].get<int64_t>();
    };
    return {number("epoch"), number("window"), {number("file"), number("line")}, number("taken")};
}

}  // namespace tritonsmith::train
