#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/fields.h"
#include "text/tokenizer/regex.h"

namespace tritonsmith::text {

/// `normalizer` of tokenizer.json, applied to a text before it is split. Immutable.
class Normalizer {
  public:
    /// Does nothing.
    Normalizer() = default;
    /// NFC, NFD, NFKC, NFKD, Lowercase, Strip, Prepend, Replace and Sequence; null does nothing. @throws
    /// InputError
    explicit Normalizer(const Field& json);

    bool empty() const { return steps_.empty(); }
    /// The text itself if nothing changes; else `buffer`. @param text UTF-8
    std::string_view apply(std::string_view text, std::string& buffer, RegexScratch& scratch) const;

  private:
    using Step = std::function<std::string(std::string_view text, RegexScratch& scratch)>;
    void add(const Field& json);

    std::vector<Step> steps_;
};

}  // namespace tritonsmith::text
