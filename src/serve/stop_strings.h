#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith::serve {

/// Watches one sample's text for strings that end it, wherever tokens divide them. The end of the text that
/// may be the beginning of such a string is held back, so that nothing is shown that is cut off later.
class StopStrings {
  public:
    explicit StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {}
    /// @return what is certain to be part of the answer now
    std::string feed(std::string_view text);
    /// What was held back, at the sample's end.
    std::string finish();
    /// A string was found; all text from its first byte on is dropped.
    bool hit() const { return hit_; }

  private:
    std::vector<std::string> strings_;
    std::string held_;
    bool hit_ = false;
};

}  // namespace tritonsmith::serve
