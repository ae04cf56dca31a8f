#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith::text {

/// Index of a vocabulary entry.
using Token = std::int32_t;

/// Byte-level byte-pair encoding as Hugging Face's `tokenizers` does it, read from `tokenizer.json`:
/// normalizer, added and special tokens, pre-tokenizer expressions (PCRE2), merges, post-processor.
/// Immutable: any number of threads may use one.
class Tokenizer {
  public:
    /// Reads FOLDER/tokenizer.json, and FOLDER/tokenizer_config.json and generation_config.json where they
    /// are there (special tokens, end tokens). @throws InputError that names the file, the field and the fix
    static Tokenizer load(const std::filesystem::path& folder);
    ~Tokenizer();
    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;

    /// Any bytes are allowed; ill-formed UTF-8 is encoded as Hugging Face encodes its replacement.
    /// @throws InputError above 1 GiB, or if an expression of the tokenizer needs unreasonable time on this
    /// text
    /// @param add_special whether the post-processor adds its tokens, as in <|begin_of_text|>
    std::vector<Token> encode(std::string_view text, bool add_special = false) const;
    /// Invalid UTF-8 becomes U+FFFD, as in `tokenizers`. Unknown tokens are skipped.
    std::string decode(std::span<const Token> tokens, bool skip_special = false) const;
    /// The bytes of a token; empty if it is not in the vocabulary.
    std::string_view bytes(Token token) const;
    bool is_special(Token token) const;
    /// The token whose whole content this is (vocabulary or added), as in "<|im_end|>".
    std::optional<Token> find(std::string_view content) const;
    /// One more than the greatest token.
    int size() const;
    /// Tokens that end an answer: eos_token of tokenizer_config.json and eos_token_id of
    /// generation_config.json.
    const std::vector<Token>& ends() const;
    std::optional<Token> bos() const;

  private:
    struct State;
    explicit Tokenizer(std::unique_ptr<const State> state);
    std::unique_ptr<const State> state_;
};

/// Decodes tokens that arrive one by one. Never splits a UTF-8 character: the bytes of an incomplete one are
/// held back.
class StreamingDecoder {
  public:
    explicit StreamingDecoder(const Tokenizer& tokenizer, bool skip_special = true);
    /// The text that `token` completes; may be empty. The concatenation of all feed() and finish() is
    /// decode() of the same tokens.
    std::string feed(Token token);
    /// The bytes that were held back, as U+FFFD.
    std::string finish();

  private:
    const Tokenizer* tokenizer_;
    bool skip_special_;
    std::string held_;
};

}  // namespace tritonsmith::text
