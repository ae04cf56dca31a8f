#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tritonsmith::endpoint {

/// Parses server-sent events (WHATWG HTML, section 9.2.6) that arrive in pieces: calls back with the data of
/// each complete event. Ignores names and identifiers of events, which no provider uses.
class EventStream {
  public:
    /// @param on_data one event's data @param max_bytes of one event
    explicit EventStream(std::function<void(const std::string&)> on_data,
                         size_t max_bytes = size_t{16} << 20);
    /// @return false after an event was longer than allowed
    bool feed(std::string_view bytes);
    /// Whether there are bytes of an incomplete event.
    bool unfinished() const { return !line_.empty() || !data_.empty(); }

  private:
    void end_line();

    std::function<void(const std::string&)> on_data_;
    size_t max_bytes_;
    std::string line_, data_;
    bool has_data_ = false, after_return_ = false, first_ = true;
};

}  // namespace tritonsmith::endpoint
