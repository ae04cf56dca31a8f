#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/fields.h"
#include "text/tokenizer/regex.h"

namespace tritonsmith::text {

/// What becomes of the matches that a text is cut at.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// One cut of every piece: pieces are the matches and what lies between them.
struct Split {
    Regex pattern;
    SplitBehavior behavior = SplitBehavior::isolated;
    bool invert = false;  ///< what lies between counts as the match

    /// Calls `emit(std::string_view)` with each piece that is not empty.
    template <class Emit>
    void run(std::string_view text, RegexScratch& scratch, Emit&& emit) const;
};

/// Cuts a text into the words that byte-pair encoding sees one by one, as `pre_tokenizer` of tokenizer.json
/// says: any number of cuts, and ByteLevel at the end. Immutable.
class PreTokenizer {
  public:
    /// @throws InputError
    explicit PreTokenizer(const Field& json);

    /// @param buffer for words that begin with a space the text has not
    template <class Emit>
    void run(std::string_view text, std::string& buffer, RegexScratch& scratch, Emit&& emit) const {
        step(0, text, buffer, scratch, emit);
    }

  private:
    void add(const Field& json, bool last);
    void add_split(const Field& json);
    template <class Emit>
    void step(size_t index, std::string_view text, std::string& buffer, RegexScratch& scratch,
              Emit& emit) const {
        if (index < splits_.size())
            return splits_[index].run(text, scratch, [&](std::string_view piece) {
                step(index + 1, piece, buffer, scratch, emit);
            });
        if (text.empty()) return;
        if (add_prefix_space_ && !text.starts_with(' ')) text = buffer.assign(1, ' ').append(text);
        if (byte_level_) return byte_level_->run(text, scratch, emit);
        emit(text);
    }

    std::vector<Split> splits_;
    bool add_prefix_space_ = false;
    std::optional<Split> byte_level_;  ///< GPT-2's own cut
};

template <class Emit>
void Split::run(std::string_view text, RegexScratch& scratch, Emit&& emit) const {
    // `held` may still grow, or be joined to the one after it; whether it was a match decides.
    std::optional<Regex::Match> held;
    bool held_matched = false;
    const auto give = [&](Regex::Match part) {
        if (part.begin < part.end) emit(text.substr(part.begin, part.end - part.begin));
    };
    const auto part = [&](size_t begin, size_t end, bool matched) {
        matched = matched != invert;
        if (behavior == SplitBehavior::isolated) return give({begin, end});
        if (behavior == SplitBehavior::removed) return matched ? void() : give({begin, end});
        bool join = false;
        if (behavior == SplitBehavior::contiguous) join = matched == held_matched;
        if (behavior == SplitBehavior::merged_with_previous) join = matched && !held_matched;
        if (behavior == SplitBehavior::merged_with_next) join = held_matched && !matched;
        if (held && join) {
            held->end = end;
        } else {
            if (held) give(*held);
            held = Regex::Match{begin, end};
        }
        held_matched = matched;
    };
    size_t last = 0;
    for_each_match(pattern, text, scratch, [&](size_t begin, size_t end) {
        if (last != begin) part(last, begin, false);
        part(begin, end, true);
        last = end;
    });
    if (last != text.size()) part(last, text.size(), false);
    if (held) give(*held);
}

}  // namespace tritonsmith::text
