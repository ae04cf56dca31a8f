#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tritonsmith::endpoint {

/// Server-sent events (WHATWG HTML, section 9.2.6) as they come in pieces: the data of each whole event.
/// Names and identifiers of events are passed over, since no provider's answers need them.
class EventStream {
  public:
    /// @param on_data one event's data @param max_bytes of one event
    explicit EventStream(std::function<void(const std::string&)> on_data,
                         size_t max_bytes = size_t{16} << 20);
    /// @return false once an event was longer than allowed
    bool feed(std::string_view bytes);
    /// Bytes of an event that has not ended.
    bool unfinished() const { return !line_.empty() || !data_.empty(); }

  private:
    void end_line();

    std::function<void(const std::string&)> on_data_;
    size_t max_bytes_;
    std::string line_, data_;
    bool has_data_ = false, after_return_ = false, first_ = true;
};

}  // namespace tritonsmith::endpoint
