#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/data/packing.h"
#include "train/data/testing.h"

namespace tritonsmith::train {
namespace {

using ::testing::HasSubstr;

/// The learned tokens as text, and the whole.
std::pair<std::string, std::string> texts_of(const ExampleMaker& maker, const Example& example) {
    std::vector<text::Token> learned;
    for (size_t i = 0; i < example.tokens.size(); ++i)
        if (example.learned[i]) learned.push_back(example.tokens[i]);
    return {maker.tokenizer().decode(learned), maker.tokenizer().decode(example.tokens)};
}

std::vector<Conversation> conversations(const Json& row, const PairSettings& settings = {}) {
    Random random(1, 1);
    return conversations_of(row.dump(), "rows.jsonl:7", settings, random);
}

TEST(ExampleMaker, LearnsAnswersWithTheirEnd) {
    const SmallChat chat;
    const Json row = {{"messages",
                       {{{"role", "user"}, {"content", "q1"}},
                        {{"role", "assistant"}, {"content", "a1"}, {"weight", 0}},
                        {{"role", "user"}, {"content", "q2"}},
                        {{"role", "assistant"}, {"content", "the\na2"}},
                        {{"role", "user"}, {"content", "q3"}},
                        {{"role", "assistant"}, {"content", "a3"}},
                        {{"role", "user"}, {"content", "not answered"}}}}};
    const Conversation conversation = conversations(row).front();
    const auto [learned, whole] = texts_of(chat.maker, chat.maker.make(conversation, "row"));
    EXPECT_EQ(learned, "the\na2<end>a3<end>");
    EXPECT_EQ(
        whole,
        "<begin>user|q1<end>\n<begin>assistant|a1<end>\n<begin>user|q2<end>\n<begin>assistant|the\na2<end>\n"
        "<begin>user|q3<end>\n<begin>assistant|a3<end>\n");
}

TEST(ExampleMaker, EncodesThePromptAsTheModelWillSeeIt) {
    const SmallChat chat;  // "t" and "h" merge, but not across the beginning of an answer
    write_file(
        chat.folder.path() / "chat_template.jinja",
        "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}t{% else %}{{ m.content }}<end>"
        "{% endif %}{% endfor %}");
    const ExampleMaker maker(chat.folder.path());
    const Example example = maker.make(conversations(Json::parse(chat_row("q", "h")))[0], "row");
    EXPECT_EQ(example.tokens, (std::vector<text::Token>{'q', 't', 'h', 258}));
    EXPECT_EQ(example.learned, (std::vector<uint8_t>{0, 0, 1, 1}));
}

TEST(ExampleMaker, LearnsTheLastAnswerWhereEarlierOnesAreShownDifferently) {
    const SmallChat chat;
    write_file(
        chat.folder.path() / "chat_template.jinja",
        "{% for m in messages %}<begin>{{ m.role }}|{% if m.role == 'user' or loop.last %}{{ m.content }}"
        "{% endif %}<end>\n{% endfor %}{% if add_generation_prompt %}<begin>assistant|{% endif %}");
    const ExampleMaker maker(chat.folder.path());
    const Json row = {{"messages",
                       {{{"role", "user"}, {"content", "q1"}},
                        {{"role", "assistant"}, {"content", "a1"}},
                        {{"role", "user"}, {"content", "q2"}},
                        {{"role", "assistant"}, {"content", "a2"}}}}};
    EXPECT_EQ(texts_of(maker, maker.make(conversations(row)[0], "row")).first, "a2<end>");
}

TEST(ExampleMaker, RefusesTemplatesWithoutAnEnd) {
    const SmallChat chat;
    write_file(chat.folder.path() / "chat_template.jinja",
               "{% for m in messages %}{{ m.content }}{% endfor %}");
    const ExampleMaker maker(chat.folder.path());
    EXPECT_THROW(maker.make(conversations(Json::parse(chat_row("q", "a")))[0], "row"), InputError);
}

Json pair_row() {
    return {{"entry", "Model"},
            {"code", "class Model: pass"},
            {"card", "x: f32[4]"},
            {"solutions",
             {{{"plan", "First plan."}, {"code", "first()\n"}}, {{"plan", "Second."}, {"code", "second()"}}}},
            {"repairs",
             {{{"broken", "wrong()"},
               {"feedback", {{"person", "p"}, {"model", "the mask is missing"}}},
               {"fixed", 1}}}}};
}

TEST(Conversations, PairsGiveOneForEachSolutionAndRepair) {
    PairSettings settings{.prompt = PairSettings::Prompt::both};
    const std::vector<Conversation> all = conversations(pair_row(), settings);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].messages[2]["content"], "First plan.\n\n```python\nfirst()\n```");
    EXPECT_EQ(all[1].messages[2]["content"], "Second.\n\n```python\nsecond()\n```");
    EXPECT_EQ(all[0].learned, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(all[2].learned, (std::vector<bool>{false, false, false, false, true}));
    EXPECT_THAT(all[2].messages[2]["content"].get<std::string>(), HasSubstr("wrong()"));
    EXPECT_THAT(all[2].messages[3]["content"].get<std::string>(), HasSubstr("the mask is missing"));
    EXPECT_EQ(all[2].messages[4]["content"], all[1].messages[2]["content"]);
    settings.repairs = false;
    EXPECT_EQ(conversations(pair_row(), settings).size(), 2u);
}

TEST(Conversations, BriefPromptsAreTheTaskAlone) {
    const PairSettings settings{.prompt = PairSettings::Prompt::both, .form = text::PromptForm::brief};
    const Conversation first = conversations(pair_row(), settings)[0];
    ASSERT_EQ(first.messages.size(), 2u);
    EXPECT_THAT(first.messages[0]["content"].get<std::string>(),
                ::testing::StartsWith("```python\nclass Model: pass"));
    EXPECT_EQ(first.learned, (std::vector<bool>{false, true}));
}

TEST(Conversations, PromptsShowCodeOrCardOrBoth) {
    const auto shows = [&](PairSettings::Prompt prompt, Random& random) {
        const std::string user =
            conversations_of(pair_row().dump(), "row", {.prompt = prompt}, random)[0].messages[1]["content"];
        return std::pair{user.find("class Model: pass") != std::string::npos,
                         user.find("x: f32[4]") != std::string::npos};
    };
    Random random(1, 2);
    EXPECT_EQ(shows(PairSettings::Prompt::code, random), std::pair(true, false));
    EXPECT_EQ(shows(PairSettings::Prompt::card, random), std::pair(false, true));
    EXPECT_EQ(shows(PairSettings::Prompt::both, random), std::pair(true, true));
    std::vector<std::pair<bool, bool>> mixed;
    for (int i = 0; i < 30; ++i) mixed.push_back(shows(PairSettings::Prompt::mixed, random));
    EXPECT_THAT(mixed, ::testing::IsSupersetOf(std::vector{std::pair(true, false), std::pair(false, true),
                                                           std::pair(true, true)}));
}

TEST(Conversations, ErrorsNameTheRowAndTheField) {
    const auto error_of = [](const std::string& row) -> std::string {
        Random random(1, 3);
        try {
            conversations_of(row, "rows.jsonl:7", {}, random);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(error_of("{"), HasSubstr("rows.jsonl:7: is not valid JSON"));
    EXPECT_THAT(error_of("[]"), HasSubstr("must be a JSON object"));
    EXPECT_THAT(error_of("{}"), HasSubstr("needs messages"));
    EXPECT_THAT(error_of(R"({"messages": [{"role": "user"}]})"), HasSubstr("needs content"));
    EXPECT_THAT(error_of(R"({"messages": [{"role": "user", "content": "x"}]})"),
                HasSubstr("could be learned"));
    Json row = pair_row();
    row["solutions"][0].erase("code");
    EXPECT_THAT(error_of(row.dump()), HasSubstr("rows.jsonl:7: solutions: needs code"));
    row = pair_row();
    row["repairs"][0]["fixed"] = 2;
    EXPECT_THAT(error_of(row.dump()), HasSubstr("fixed"));
}

TEST(Packing, KeepsTheBudgetAndEveryDocument) {
    Random random(1, 4);
    std::vector<int64_t> lengths;
    int64_t total = 0;
    for (int i = 0; i < 500; ++i) {
        lengths.push_back(random.between(1, 400));
        total += lengths.back();
    }
    const auto batches = pack(lengths, 1000);
    std::vector<int> seen(lengths.size());
    for (const auto& batch : batches) {
        int64_t sum = 0;
        for (const size_t document : batch) {
            sum += lengths[document];
            ++seen[document];
        }
        EXPECT_LE(sum, 1000);
    }
    EXPECT_EQ(seen, std::vector<int>(lengths.size(), 1));
    EXPECT_LE(static_cast<double>(batches.size()), 11.0 / 9 * static_cast<double>((total + 999) / 1000) + 1);
    EXPECT_TRUE(pack({}, 10).empty());
}

}  // namespace
}  // namespace tritonsmith::train
