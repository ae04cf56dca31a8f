#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/fields.h"
#include "text/tokenizer/merge_table.h"

namespace tritonsmith::text {

/// Byte-pair encoding of single words (Sennrich et al. 2016, arXiv:1508.07909) over bytes. Immutable.
class Bpe {
  public:
    /// Buffers of one thread, reused between words to avoid allocations.
    struct Workspace {
        struct Symbol {
            Token token;
            int previous, next;
        };
        std::vector<Symbol> symbols;
        std::vector<uint64_t> heap;  ///< rank << 32 | index of the left symbol
    };

    /// @param json `model` of tokenizer.json. @throws InputError
    explicit Bpe(const Field& json);

    /// Appends the tokens of a word. @param word any bytes, not empty
    void encode(std::string_view word, std::vector<Token>& out, Workspace& workspace) const;
    /// The entry for these bytes.
    Token find(std::string_view bytes) const;
    /// The entry as it is written in the file; -1 if there is none.
    Token find_written(const std::string& entry) const;
    /// All entries as they are written in the file.
    const std::unordered_map<std::string, Token>& entries() const { return entries_; }

    static constexpr int64_t token_most = (1 << 22) - 1;

  private:
    void read_entries(const Field& json);
    void read_merges(const Field& json);
    void add_merge(const Field& json, const std::string& left, const std::string& right, uint32_t rank);
    void read_unknown(const Field& json);
    void encode_short(Token* tokens, int count, std::vector<Token>& out) const;
    void encode_long(std::vector<Token>& out, Workspace& workspace) const;

    std::unordered_map<std::string, Token> entries_;
    std::string bytes_of_entries_;                       ///< words_ points into it
    std::unordered_map<std::string_view, Token> words_;  ///< by the bytes of entries
    MergeTable merges_;
    std::array<Token, 256> bytes_{};  ///< -1: a byte without an entry
    bool ignore_merges_ = false;      ///< a word that is an entry is that token
    bool fuse_unknown_ = false;
    Token unknown_ = -1;
};

}  // namespace tritonsmith::text
