#pragma once

#include <unordered_map>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/bpe.h"
#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/pool.h"
#include "text/tokenizer/post_processor.h"
#include "text/tokenizer/pretokenizer.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/word_cache.h"

namespace tritonsmith::text {

/// The buffers of one call of encode().
struct EncodeScratch {
    RegexScratch regex;
    Bpe::Workspace workspace;
    WordCache cache;
    std::string lossy, normalized, prefixed;

    /// Frees the memory of a very long text.
    void shrink();
};

struct Tokenizer::State {
    /// @param json the content of tokenizer.json. @throws InputError
    explicit State(const Field& json);
    void read_decoder(const Field& json) const;
    void read_tokens(const std::vector<AddedToken>& added);
    /// tokenizer_config.json: names of the first token and of the one that ends a text.
    void read_configuration(const Field& json);
    /// generation_config.json: numbers of the tokens that end a text.
    void read_generation(const Field& json);
    void add_end(Token token);

    void encode_words(std::string_view text, std::vector<Token>& out, EncodeScratch& scratch) const;
    bool holds(Token token) const { return token >= 0 && static_cast<size_t>(token) < bytes.size(); }

    Normalizer normalizer;
    PreTokenizer pretokenizer;
    Bpe bpe;
    PostProcessor post_processor;
    AddedTokenFinder raw_tokens, normalized_tokens;  ///< searched before and after normalisation

    std::vector<std::string> bytes;  ///< by token; empty: none
    std::vector<bool> special;       ///< by token
    std::unordered_map<std::string, Token> added;
    std::vector<Token> ends;
    std::optional<Token> bos;

    mutable Pool<EncodeScratch> scratch{64};
};

}  // namespace tritonsmith::text
