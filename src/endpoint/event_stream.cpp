#include "endpoint/event_stream.h"

namespace tritonsmith::endpoint {

EventStream::EventStream(std::function<void(const std::string&)> on_data, size_t max_bytes)
    : on_data_(std::move(on_data)), max_bytes_(max_bytes) {}

bool EventStream::feed(std::string_view bytes) {
    for (char c : bytes) {
        const bool second_of_pair = after_return_ && c == '\n';
        after_return_ = c == '\r';
        if (second_of_pair) continue;
        if (c == '\n' || c == '\r') {
            end_line();
            continue;
        }
        if (line_.size() + data_.size() >= max_bytes_) return false;
        line_ += c;
    }
    return true;
}

void EventStream::end_line() {
    if (first_ && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
    first_ = false;
    if (line_.empty()) {
        if (has_data_) {
            const std::string data = std::move(data_);
            data_.clear();
            has_data_ = false;
            on_data_(data);
        }
        return;
    }
    if (line_ == "data" || line_.starts_with("data:")) {
        if (has_data_) data_ += '\n';
        has_data_ = true;
        size_t at = line_.size() > 5 && line_[5] == ' ' ? 6 : 5;
        if (line_.size() > at) data_.append(line_, at, std::string::npos);
    }
    line_.clear();
}

}  // namespace tritonsmith::endpoint
