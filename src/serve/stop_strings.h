#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith::serve {

/// Searches one sample's text for strings that end it, also across token boundaries. Text that may be the
/// beginning of such a string is held back, so nothing is shown that is removed later.
class StopStrings {
  public:
    explicit StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {}
    /// @return text that is certainly part of the answer
    std::string feed(std::string_view text);
    /// Text that was held back, at the sample's end.
    std::string finish();
    /// Whether a string was found; text from its first byte on is dropped.
    bool hit() const { return hit_; }

  private:
    std::vector<std::string> strings_;
    std::string held_;
    bool hit_ = false;
};

}  // namespace tritonsmith::serve
