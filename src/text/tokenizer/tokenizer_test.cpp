#include "text/tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <thread>

#include "text/tokenizer/testing.h"

namespace tritonsmith::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Loads tokenizer.json after a change; what InputError says, "" where it loads.
std::string load_error(const std::function<void(Json&)>& change) {
    const TemporaryFolder folder;
    Json json = small_tokenizer_json();
    change(json);
    write_file(folder.path() / "tokenizer.json", json.dump());
    try {
        Tokenizer::load(folder.path());
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Tokenizer, EncodesAndDecodes) {
    const SmallTokenizer small;
    const Tokenizer& t = small.tokenizer;
    EXPECT_THAT(t.encode("the<end>x"), ElementsAre(256, 'e', 258, 'x'));
    EXPECT_EQ(t.decode(t.encode("the <begin>\xC3\xA9<end>")), "the <begin>\xC3\xA9<end>");
    EXPECT_EQ(t.decode(t.encode("the <begin>\xC3\xA9<end>"), true), "the \xC3\xA9");
    EXPECT_THAT(t.encode("\xFF"), ElementsAre(0xEF, 0xBF, 0xBD));
    EXPECT_THAT(t.encode(""), ElementsAre());
    EXPECT_EQ(t.size(), 259);
    EXPECT_EQ(t.bytes(256), "th");
    EXPECT_EQ(t.bytes(-1), "");
    EXPECT_EQ(t.bytes(100000), "");
    EXPECT_EQ(t.find("<end>"), 258);
    EXPECT_EQ(t.find("th"), 256);
    EXPECT_EQ(t.find(" "), ' ');
    EXPECT_EQ(t.find("nothing"), std::nullopt);
    EXPECT_TRUE(t.is_special(258));
    EXPECT_FALSE(t.is_special('a'));
    EXPECT_FALSE(t.is_special(-5));
}

TEST(Tokenizer, KnowsWhereATextBeginsAndEnds) {
    const SmallTokenizer small;
    EXPECT_EQ(small.tokenizer.bos(), 257);
    EXPECT_THAT(small.tokenizer.ends(), ElementsAre(258, 10))
        << "a token that is not in the vocabulary ends nothing";
}

TEST(Tokenizer, TokensThatStripAndWholeWords) {
    const TemporaryFolder folder;
    Json json = small_tokenizer_json();
    json["added_tokens"][0]["lstrip"] = true;
    json["added_tokens"][0]["rstrip"] = true;
    json["added_tokens"][1]["single_word"] = true;
    write_file(folder.path() / "tokenizer.json", json.dump());
    const Tokenizer t = Tokenizer::load(folder.path());
    EXPECT_THAT(t.encode("a \t<begin>\n\xE3\x80\x80z"), ElementsAre('a', 257, 'z'));
    EXPECT_THAT(t.encode(" <begin> <begin> "), ElementsAre(257, 257));
    EXPECT_THAT(t.encode("-<end>-"), ElementsAre('-', 258, '-'));
    EXPECT_EQ(t.encode("x<end>").size(), 6u) << "a letter stands before it";
    EXPECT_EQ(t.encode("<end>_").size(), 6u) << "and behind it";
}

TEST(Tokenizer, ThePostProcessorAddsWhenAsked) {
    const TemporaryFolder folder;
    Json json = small_tokenizer_json();
    json["post_processor"] = Json::parse(
        R"({"type": "Sequence", "processors": [{"type": "ByteLevel"}, {"type": "TemplateProcessing", "single": [
            {"SpecialToken": {"id": "<begin>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<end>", "type_id": 0}}],
            "special_tokens": {"<begin>": {"ids": [257]}, "<end>": {"ids": [258, 258]}}}]})");
    write_file(folder.path() / "tokenizer.json", json.dump());
    const Tokenizer t = Tokenizer::load(folder.path());
    EXPECT_THAT(t.encode("a", true), ElementsAre(257, 'a', 258, 258));
    EXPECT_THAT(t.encode("a"), ElementsAre('a'));
}

TEST(Tokenizer, InvalidFilesAreRefusedWithTheField) {
    EXPECT_EQ(load_error([](Json&) {}), "");
    EXPECT_THAT(load_error([](Json& j) { j = Json::array(); }), HasSubstr("is not one JSON object"));
    EXPECT_THAT(load_error([](Json& j) { j.erase("model"); }),
                HasSubstr("tokenizer.json: the field \"model\" is missing"));
    EXPECT_THAT(load_error([](Json& j) { j["model"] = 5; }),
                HasSubstr("tokenizer.json: model: must be an object"));
    EXPECT_THAT(load_error([](Json& j) { j["model"]["vocab"]["a"] = 1e9; }), HasSubstr("model.vocab[\"a\"]"));
    EXPECT_THAT(load_error([](Json& j) { j["pre_tokenizer"] = nullptr; }), HasSubstr("must be ByteLevel"));
    EXPECT_THAT(load_error([](Json& j) { j["pre_tokenizer"]["type"] = "Metaspace"; }),
                HasSubstr("must be ByteLevel"));
    EXPECT_THAT(load_error([](Json& j) { j["decoder"] = nullptr; }), HasSubstr("decoder"));
    EXPECT_THAT(load_error([](Json& j) {
                    j["normalizer"] = {{"type", "Precompiled"}};
                }),
                HasSubstr("Precompiled"));
    EXPECT_THAT(load_error([](Json& j) { j["added_tokens"][0]["id"] = -3; }),
                HasSubstr("added_tokens[0].id"));
    EXPECT_THAT(load_error([](Json& j) { j["added_tokens"][0]["id"] = 4e9; }),
                HasSubstr("added_tokens[0].id"));
    EXPECT_THAT(load_error([](Json& j) { j["added_tokens"][0]["id"] = 4'000'000'000; }),
                HasSubstr("added_tokens[0].id"));
    EXPECT_THAT(
        load_error([](Json& j) {
            j["post_processor"] = {{"type", "RobertaProcessing"}, {"cls", {"<s>"}}, {"sep", {"</s>", 1}}};
        }),
        HasSubstr("post_processor.cls"));
    EXPECT_THAT(load_error([](Json& j) {
                    j["post_processor"] = {
                        {"type", "RobertaProcessing"}, {"cls", {"<s>", 999}}, {"sep", {"</s>", 1}}};
                }),
                HasSubstr("token 999 is not in the vocabulary"));
    EXPECT_THAT(load_error([](Json& j) {
                    j["pre_tokenizer"] = {
                        {"type", "Sequence"},
                        {"pretokenizers",
                         {{{"type", "Split"}, {"pattern", {{"Regex", "("}}}, {"behavior", "Isolated"}},
                          j["pre_tokenizer"]}}};
                }),
                HasSubstr("pre_tokenizer.pretokenizers[0].pattern"));
    EXPECT_THROW(Tokenizer::load("/nonexistent"), InputError);
}

TEST(Tokenizer, HostileFilesEndInAnErrorAndNothingElse) {
    const TemporaryFolder folder;
    const std::string whole = small_tokenizer_json().dump();
    std::mt19937 random(1);
    int loaded = 0;
    for (int round = 0; round < 400; ++round) {
        std::string text = whole;
        if (round % 2) {
            text.resize(random() % text.size());
        } else {
            for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
        }
        write_file(folder.path() / "tokenizer.json", text);
        try {
            const Tokenizer t = Tokenizer::load(folder.path());
            t.decode(t.encode("the <begin> x"));
            ++loaded;
        } catch (const InputError&) {
        }
    }
    EXPECT_LT(loaded, 200);
    write_file(folder.path() / "tokenizer.json", "{\"model\": " + std::string(1 << 20, '[') + "}");
    EXPECT_THROW(Tokenizer::load(folder.path()), InputError);
}

TEST(Tokenizer, ThreadsShareOne) {
    const SmallTokenizer small;
    const std::string text(20000, 't');
    const std::vector<Token> expected = small.tokenizer.encode("the other th " + text);
    std::vector<std::thread> threads;
    std::atomic<int> same = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 20; ++k) same += small.tokenizer.encode("the other th " + text) == expected;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, 80);
}

TEST(StreamingDecoder, NeverSplitsACharacter) {
    const SmallTokenizer small;
    StreamingDecoder decoder(small.tokenizer);
    EXPECT_EQ(decoder.feed(0xF0), "");
    EXPECT_EQ(decoder.feed(0x9F), "");
    EXPECT_EQ(decoder.feed(258), "") << "special tokens are left out, and do not part a character";
    EXPECT_EQ(decoder.feed(0x99), "");
    EXPECT_EQ(decoder.feed(0x82), "\xF0\x9F\x99\x82");
    EXPECT_EQ(decoder.feed(0xC3), "");
    EXPECT_EQ(decoder.feed('a'),
              "\xEF\xBF\xBD"
              "a");
    EXPECT_EQ(decoder.feed(0xE6), "");
    EXPECT_EQ(decoder.finish(), "\xEF\xBF\xBD");
    EXPECT_EQ(decoder.finish(), "");
}

}  // namespace
}  // namespace tritonsmith::text
