#include "text/tokenizer/bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/word_cache.h"

namespace tritonsmith::text {
namespace {

Json small_model() {
    return Json::parse(
        R"({"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "aa": 6, "abcabc": 7},
                           "merges": ["b c", ["a", "b"], "a bc", "a a", "abc abc"]})");
}

std::vector<Token> encode(const Bpe& bpe, std::string_view word) {
    std::vector<Token> out;
    Bpe::Workspace workspace;
    bpe.encode(word, out, workspace);
    return out;
}

std::vector<Token> encode(const Json& model, std::string_view word) {
    return encode(Bpe(Field(model, "model")), word);
}

using testing::ElementsAre;

TEST(Bpe, TheLowestRankIsMergedFirstAndOfEqualOnesTheLeft) {
    EXPECT_THAT(encode(small_model(), "abc"), ElementsAre(5));
    EXPECT_THAT(encode(small_model(), "ab"), ElementsAre(3));
    EXPECT_THAT(encode(small_model(), "aaa"), ElementsAre(6, 0));
    EXPECT_THAT(encode(small_model(), "abcabcabc"), ElementsAre(7, 5));
}

TEST(Bpe, IgnoreMergesTakesWholeEntries) {
    Json model = small_model();
    model["vocab"]["ca"] = 8;
    EXPECT_THAT(encode(model, "ca"), ElementsAre(2, 0));
    model["ignore_merges"] = true;
    EXPECT_THAT(encode(model, "ca"), ElementsAre(8));
}

TEST(Bpe, UnknownBytesVanishOrBecomeTheUnknownToken) {
    Json model = small_model();
    EXPECT_THAT(encode(model, "axxb"), ElementsAre(3)) << "as tokenizers does: dropped before merging";
    model["vocab"]["<unk>"] = 8;
    model["unk_token"] = "<unk>";
    EXPECT_THAT(encode(model, "axxb"), ElementsAre(0, 8, 8, 1));
    model["fuse_unk"] = true;
    EXPECT_THAT(encode(model, "axxbx"), ElementsAre(0, 8, 1, 8));
}

/// Words on both sides of the border between the two algorithms: a long one is a short one with a tail that
/// merges with nothing.
TEST(Bpe, ShortAndLongWordsMergeAlike) {
    Json model = small_model();
    model["vocab"]["x"] = 8;
    const Bpe bpe(Field(model, "model"));
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string word;
        for (int i = static_cast<int>(random() % 40) + 1; i > 0; --i) word += "abc"[random() % 3];
        const std::vector<Token> expected = encode(bpe, word);
        const std::vector<Token> longer = encode(bpe, word + std::string(60, 'x'));
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), longer.begin())) << word;
        ASSERT_EQ(longer.size(), expected.size() + 60) << word;
    }
}

TEST(Bpe, InconsistentVocabulariesAreRefused) {
    const auto refused = [](const std::function<void(Json&)>& spoil) {
        Json model = small_model();
        spoil(model);
        try {
            Bpe(Field(model, "model"));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using testing::HasSubstr;
    EXPECT_THAT(refused([](Json& m) { m["merges"].push_back("a z"); }),
                HasSubstr("model.merges[5]: \"z\" is not in the vocabulary"));
    EXPECT_THAT(refused([](Json& m) { m["merges"].push_back("c a"); }),
                HasSubstr("\"ca\" is not in the vocabulary"));
    EXPECT_THAT(refused([](Json& m) { m["merges"].push_back("a b c"); }), HasSubstr("model.merges[5]"));
    EXPECT_THAT(refused([](Json& m) { m["merges"].push_back({"a"}); }), HasSubstr("model.merges[5]"));
    EXPECT_THAT(refused([](Json& m) { m["merges"][0] = 7; }), HasSubstr("model.merges[0]: must be a string"));
    EXPECT_THAT(refused([](Json& m) { m["vocab"]["a"] = -1; }), HasSubstr("model.vocab[\"a\"]"));
    EXPECT_THAT(refused([](Json& m) { m["vocab"]["a"] = 4'000'000'000; }), HasSubstr("model.vocab[\"a\"]"));
    EXPECT_THAT(refused([](Json& m) { m["vocab"] = Json::object(); }),
                HasSubstr("model.vocab: must not be empty"));
    EXPECT_THAT(refused([](Json& m) { m["unk_token"] = "?"; }), HasSubstr("model.unk_token"));
    EXPECT_THAT(refused([](Json& m) { m["byte_fallback"] = true; }), HasSubstr("model.byte_fallback"));
    EXPECT_THAT(refused([](Json& m) { m["end_of_word_suffix"] = "</w>"; }),
                HasSubstr("model.end_of_word_suffix"));
    EXPECT_THAT(refused([](Json& m) { m["type"] = "Unigram"; }), HasSubstr("Unigram"));
    EXPECT_THAT(refused([](Json& m) { m.erase("merges"); }), HasSubstr("\"merges\" is missing"));
}

TEST(ByteAlphabet, EachByteHasACharacterThatMeansIt) {
    for (int byte = 0; byte < 256; ++byte) {
        std::string bytes;
        EXPECT_TRUE(append_entry_bytes(byte_character(static_cast<unsigned char>(byte)), bytes));
        EXPECT_EQ(bytes, std::string(1, static_cast<char>(byte)));
    }
    std::string bytes = "x";
    EXPECT_TRUE(append_entry_bytes("\xC4\xA0the\xC4\x8A", bytes));
    EXPECT_FALSE(append_entry_bytes("a b", bytes)) << "a space is not in the alphabet";
    EXPECT_EQ(bytes, "x the\na b");
}

TEST(WordCache, ReturnsWhatWasInsertedAndNothingElse) {
    WordCache cache;
    std::vector<Token> out;
    const auto known = [&](std::string_view word) { return cache.find(word, WordCache::hash(word), out); };
    EXPECT_FALSE(known("word"));
    cache.insert("word", WordCache::hash("word"), std::vector<Token>{1, 2});
    EXPECT_TRUE(known("word"));
    EXPECT_THAT(out, ElementsAre(1, 2));
    EXPECT_FALSE(known("words"));
    EXPECT_FALSE(cache.find("wore", WordCache::hash("word"), out)) << "another word in the same slot";
    const std::vector<Token> many(WordCache::tokens_most + 1, 3);
    cache.insert("many", WordCache::hash("many"), many);
    EXPECT_FALSE(known("many"));
}

}  // namespace
}  // namespace tritonsmith::text
