#include "text/tokenizer/bpe.h"
#include "text/tokenizer/byte_alphabet.h"

namespace tritonsmith::text {

Bpe::Bpe(const Field& json) {
    // The oldest files say no type; whatever else has merges and a vocabulary is BPE too.
    if (const std::string type = json.string_or("type", "BPE"); type != "BPE")
        json.fail("the model \"" + type + "\" is not supported: only BPE over bytes is");
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!json.string_or(key, "").empty())
            json.at(key).fail("is not supported in a byte-level vocabulary: must be empty or null");
    read_entries(json.at("vocab").object());
    read_merges(json.at("merges").array());
    for (int byte = 0; byte < 256; ++byte)
        bytes_[byte] = find_written(std::string(byte_character(static_cast<unsigned char>(byte))));
    ignore_merges_ = json.boolean_or("ignore_merges", false);
    read_unknown(json);
}

void Bpe::read_entries(const Field& json) {
    if (json.size() == 0) json.fail("must not be empty");
    entries_.reserve(json.size());
    words_.reserve(json.size());
    size_t characters = 0;
    for (const auto& [entry, token] : json.json().items()) characters += entry.size();
    bytes_of_entries_.reserve(characters);  // never moves: an entry's bytes are no longer than it
    for (const auto& [entry, token] : json.json().items()) {
        const auto number = static_cast<Token>(
            Field(token, json.name() + "[\"" + entry.substr(0, 100) + "\"]").integer(0, token_most));
        entries_.emplace(entry, number);
        const size_t begin = bytes_of_entries_.size();
        // Entries outside of the alphabet are reached as added tokens only: no word has such characters.
        if (append_entry_bytes(entry, bytes_of_entries_))
            words_.emplace(std::string_view(bytes_of_entries_).substr(begin), number);
    }
}

void Bpe::read_merges(const Field& json) {
    if (json.size() >= MergeTable::no_rank / 2) json.fail("too many merges");
    merges_ = MergeTable(json.size());
    uint32_t rank = 0;
    const Json& list = json.json();
    for (size_t i = 0; i < list.size(); ++i, ++rank) {
        if (list[i].is_array()) {
            const Field pair = json.element(i);
            if (pair.size() != 2) pair.fail("must be two strings");
            add_merge(json, pair.element(0).string(), pair.element(1).string(), rank);
            continue;
        }
        const std::string& text =
            list[i].is_string() ? list[i].get_ref<const std::string&>() : json.element(i).string();
        const size_t space = text.find(' ');
        if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
            json.element(i).fail("\"" + text.substr(0, 100) +
                                 "\" is not two entries with one space between them");
        add_merge(json, text.substr(0, space), text.substr(space + 1), rank);
    }
}

void Bpe::add_merge(const Field& json, const std::string& left, const std::string& right, uint32_t rank) {
    const auto token = [&](const std::string& entry) {
        const Token found = find_written(entry);
        if (found < 0) json.element(rank).fail("\"" + entry.substr(0, 100) + "\" is not in the vocabulary");
        return found;
    };
    const Token a = token(left), b = token(right);
    merges_.insert(a, b, {rank, token(left + right)});
}

void Bpe::read_unknown(const Field& json) {
    if (json.has("unk_token")) {
        unknown_ = find_written(json.at("unk_token").string());
        if (unknown_ < 0)
            json.at("unk_token").fail("\"" + json.at("unk_token").string() + "\" is not in the vocabulary");
    }
    fuse_unknown_ = json.boolean_or("fuse_unk", false);
    bool whole = true;
    for (const Token token : bytes_) whole &= token >= 0;
    // With an entry for each byte there is nothing to fall back from.
    if (json.boolean_or("byte_fallback", false) && !whole)
        json.at("byte_fallback").fail("is not supported in a byte-level vocabulary that lacks bytes");
}

Token Bpe::find_written(const std::string& entry) const {
    const auto found = entries_.find(entry);
    return found == entries_.end() ? -1 : found->second;
}

Token Bpe::find(std::string_view bytes) const {
    const auto found = words_.find(bytes);
    return found == words_.end() ? -1 : found->second;
}

}  // namespace tritonsmith::text
