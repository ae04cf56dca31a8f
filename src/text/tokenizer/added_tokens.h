#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/fields.h"
#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// An element of `added_tokens` of tokenizer.json.
struct AddedToken {
    std::string content;
    Token token = 0;
    bool special = false;                 ///< omitted when decoding without special tokens
    bool normalized = false;              ///< searched in the normalised text
    bool single_word = false;             ///< not beside a letter or digit
    bool lstrip = false, rstrip = false;  ///< includes the white space beside it
};
/// @throws InputError
std::vector<AddedToken> read_added_tokens(const Field& json);

/// Finds added tokens in a text: the leftmost, and of those the longest. Immutable.
class AddedTokenFinder {
  public:
    AddedTokenFinder() : nodes_(1) {}
    void add(std::string_view pattern, const AddedToken& token);
    bool empty() const { return tokens_.empty(); }

    /// Calls `on_token(Token)` for each token found and `on_text(std::string_view)` for the text between them
    /// (if not empty), in order.
    template <class OnText, class OnToken>
    void run(std::string_view text, OnText&& on_text, OnToken&& on_token) const {
        size_t done = 0;
        if (!tokens_.empty())
            for (size_t at = 0; const std::optional<Found> found = next(text, at, done);) {
                if (done < found->begin) on_text(text.substr(done, found->begin - done));
                on_token(found->token);
                done = found->end;
            }
        if (done < text.size()) on_text(text.substr(done));
    }

  private:
    struct Found {
        size_t begin, end;  ///< with the white space that the token includes
        Token token;
    };
    struct Node {
        std::vector<std::pair<unsigned char, int>> children;
        int token = -1;  ///< index into tokens_ of the token that ends here
    };
    /// The next match from `at` on, which is moved behind it. @param done where the last one ended
    std::optional<Found> next(std::string_view text, size_t& at, size_t done) const;
    /// The longest pattern at the front; length 0: none.
    std::pair<size_t, int> longest(std::string_view text) const;

    std::vector<AddedToken> tokens_;
    std::vector<Node> nodes_;
    bool begins_[256] = {};
};

}  // namespace tritonsmith::text
