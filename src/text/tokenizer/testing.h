#pragma once

#include "base/error.h"
#include "base/process/files.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonsmith::text {

/// tokenizer.json of a vocabulary of single bytes (token = byte), "th" (256) and the special tokens <begin>
/// (257) and <end> (258).
inline Json small_tokenizer_json() {
    Json vocabulary = Json::object();
    for (int byte = 0; byte < 256; ++byte)
        vocabulary[std::string(byte_character(static_cast<unsigned char>(byte)))] = byte;
    vocabulary["th"] = 256;
    const auto special = [](int id, const char* content) {
        return Json{{"id", id},        {"content", content}, {"special", true},     {"normalized", false},
                    {"lstrip", false}, {"rstrip", false},    {"single_word", false}};
    };
    return {
        {"version", "1.0"},
        {"normalizer", nullptr},
        {"added_tokens", {special(257, "<begin>"), special(258, "<end>")}},
        {"pre_tokenizer",
         {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", true}}},
        {"decoder", {{"type", "ByteLevel"}}},
        {"post_processor", nullptr},
        {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"t h"}}}}};
}

/// A folder with it, and with tokenizer_config.json and generation_config.json that name its special tokens.
struct SmallTokenizer {
    TemporaryFolder folder;
    Tokenizer tokenizer = (write(folder), Tokenizer::load(folder.path()));

    static void write(const TemporaryFolder& folder) {
        write_file(folder.path() / "tokenizer.json", small_tokenizer_json().dump());
        write_file(folder.path() / "tokenizer_config.json",
                   R"({"bos_token": {"content": "<begin>"}, "eos_token": "<end>"})");
        write_file(folder.path() / "generation_config.json", R"({"eos_token_id": [258, 10, 100000]})");
    }
};

}  // namespace tritonsmith::text
