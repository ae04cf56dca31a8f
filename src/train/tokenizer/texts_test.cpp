#include "train/tokenizer/texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/files.h"
#include "text/prompt/chat_template.h"
#include "train/data/testing.h"

namespace tritonsmith::train {
namespace {

TEST(TokenizerTexts, AreMessagesOfRowsAndWholeFilesByTheirShares) {
    const TemporaryFolder folder;
    write_file(folder.path() / "a.jsonl",
               chat_row("question", "answer") + "\n" + chat_row("more", "text") + "\n");
    write_file(folder.path() / "b.py", "def f():\n    return 1\n");
    const std::string in = folder.path().string();
    const Json configuration = {
        {"tokenizer", {{"folder", in + "/out"}}},
        {"data", {{"sources", {{{"files", in + "/a.jsonl"}}, {{"files", in + "/b.py"}}}}}}};
    TokenizerSettings settings = read_tokenizer_settings(configuration, "run.toml");
    std::vector<std::string> texts;
    const auto keep = [&](const std::string& text) { texts.push_back(text); };
    EXPECT_EQ(for_each_text(settings, keep), 8 + 6 + 4 + 4 + 22);
    EXPECT_THAT(texts,
                ::testing::ElementsAre("question", "answer", "more", "text", "def f():\n    return 1\n"));
    settings.bytes = 20;  // ten for each: the first row, and a file is taken whole
    texts.clear();
    for_each_text(settings, keep);
    EXPECT_THAT(texts, ::testing::ElementsAre("question", "answer", "def f():\n    return 1\n"));
}

TEST(TokenizerTexts, TheChatTemplateEndsAnswersWithTheEndToken) {
    const TemporaryFolder folder;
    TokenizerSettings settings;
    settings.folder = folder.path();
    settings.context = 4096;
    write_tokenizer_files(settings);
    const text::ChatTemplate chat = text::ChatTemplate::load(folder.path());
    EXPECT_EQ(chat.render(std::vector<text::Message>{{"user", "q"}}),
              "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n");
    EXPECT_EQ(special_tokens()[2], "<|im_end|>");  // generation_config.json has its number
}

}  // namespace
}  // namespace tritonsmith::train
