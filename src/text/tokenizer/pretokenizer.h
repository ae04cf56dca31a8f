#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/fields.h"
#include "text/tokenizer/regex.h"

namespace tritonsmith::text {

/// What happens to the matches that a text is split at.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// Splits a piece into matches and the text between them.
struct Split {
    Regex pattern;
    SplitBehavior behavior = SplitBehavior::isolated;
    bool invert = false;  ///< the text between is treated as the match

    /// Calls `emit(std::string_view)` for each piece that is not empty.
    template <class Emit>
    void run(std::string_view text, RegexScratch& scratch, Emit&& emit) const;
};

/// Splits a text into the words that byte-pair encoding encodes separately, by `pre_tokenizer` of
/// tokenizer.json: any number of splits, and ByteLevel at the end. Immutable.
class PreTokenizer {
  public:
    /// @throws InputError
    explicit PreTokenizer(const Field& json);

    /// @param buffer for words that get a space in front
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
    std::optional<Split> byte_level_;  ///< GPT-2's own expression
};

template <class Emit>
void Split::run(std::string_view text, RegexScratch& scratch, Emit&& emit) const {
    // `held` may still be joined with the part after it, depending on which of them is a match.
    std::optional<Regex::Match> held;
    bool held_matched = false;
    const auto emit_part = [&](Regex::Match part) {
        if (part.begin < part.end) emit(text.substr(part.begin, part.end - part.begin));
    };
    const auto part = [&](size_t begin, size_t end, bool matched) {
        matched = matched != invert;
        if (behavior == SplitBehavior::isolated) return emit_part({begin, end});
        if (behavior == SplitBehavior::removed) return matched ? void() : emit_part({begin, end});
        bool join = false;
        if (behavior == SplitBehavior::contiguous) join = matched == held_matched;
        if (behavior == SplitBehavior::merged_with_previous) join = matched && !held_matched;
        if (behavior == SplitBehavior::merged_with_next) join = held_matched && !matched;
        if (held && join) {
            held->end = end;
        } else {
            if (held) emit_part(*held);
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
    if (held) emit_part(*held);
}

}  // namespace tritonsmith::text
