#include "text/prompt/chat_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/process/files.h"

namespace tritonsmith::text {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<Message> question{{"system", "Be brief."}, {"user", "Why?"}};

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ChatTemplate, RendersMessages) {
    const auto chat = ChatTemplate::parse(
        "{% for m in messages %}<{{ m.role }}>{{ m['content'] }}{{ eos_token }}\n{% endfor %}{% if "
        "add_generation_prompt %}<assistant>{% endif %}",
        {{"eos_token", "<end>"}});
    EXPECT_EQ(chat.render(question), "<system>Be brief.<end>\n<user>Why?<end>\n<assistant>");
    EXPECT_EQ(chat.render(Json::array(), false), "");
}

TEST(ChatTemplate, ObjectsKeepTheirOrder) {
    const auto chat = ChatTemplate::parse("{{ tools[0] | tojson }}");
    const auto more =
        ChatTemplate::OrderedJson::parse(R"({"tools": [{"z": 1, "a": {"y": null, "b": "é"}}]})");
    EXPECT_EQ(chat.render(ChatTemplate::OrderedJson::array(), false, more),
              R"({"z": 1, "a": {"y": null, "b": "é"}})");
}

TEST(ChatTemplate, FoldersHaveItInEitherFile) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of([&] { ChatTemplate::load(folder.path()); }), HasSubstr("no chat template"));
    const auto configure = [&](const Json& json) {
        write_file(folder.path() / "tokenizer_config.json", json.dump());
    };
    configure({{"chat_template", "one {{ bos_token }}"}, {"bos_token", {{"content", "<s>"}}}});
    EXPECT_EQ(ChatTemplate::load(folder.path()).render(question), "one <s>");
    configure({{"chat_template",
                {{{"name", "tool_use"}, {"template", "t"}}, {{"name", "default"}, {"template", "d"}}}}});
    EXPECT_EQ(ChatTemplate::load(folder.path()).render(question), "d");
    configure({{"chat_template", {{{"name", "tool_use"}, {"template", "t"}}}}});
    EXPECT_THAT(error_of([&] { ChatTemplate::load(folder.path()); }), HasSubstr("default"));
    configure({{"bos_token", "<s>"}});
    write_file(folder.path() / "chat_template.jinja", "file {{ bos_token }}\n{{ nothing.here }}");
    EXPECT_THAT(error_of([&] { ChatTemplate::load(folder.path()).render(question); }),
                AllOf(HasSubstr("chat_template.jinja: line 2: "), HasSubstr("'nothing' is undefined")));
    write_file(folder.path() / "chat_template.jinja", "{% if %}");
    EXPECT_THAT(error_of([&] { ChatTemplate::load(folder.path()); }),
                HasSubstr("chat_template.jinja: line 1: "));
}

TEST(ChatTemplate, MessagesMustBeMessages) {
    const auto chat = ChatTemplate::parse("x");
    EXPECT_THAT(error_of([&] { chat.render(Json::object()); }), HasSubstr("messages must be an array"));
    EXPECT_THAT(error_of([&] { chat.render(Json::array({1})); }), HasSubstr("messages[0]"));
    Json deep = "x";
    for (int i = 0; i < 1000; ++i) deep = Json::array({deep});
    EXPECT_THAT(error_of([&] {
                    chat.render(Json::array({{{"content", deep}}}));
                }),
                HasSubstr("nested deeper"));
}

TEST(ChatTemplate, TheTemplatesOwnRefusalIsReported) {
    const auto chat = ChatTemplate::parse("{{ raise_exception('roles must alternate') }}");
    EXPECT_THAT(error_of([&] { chat.render(question); }), HasSubstr("roles must alternate"));
}

/// Macros and namespaces that hold each other: nothing may be left over (seen by the sanitizers).
TEST(ChatTemplate, CirclesAreBroken) {
    const auto chat = ChatTemplate::parse(
        "{% macro m() %}{{ m }}{% endmacro %}{% set ns = namespace() %}{% set ns.self = ns %}{% set ns.m = m "
        "%}{% set ns.l = [ns] %}ok");
    EXPECT_EQ(chat.render(question), "ok");
}

}  // namespace
}  // namespace tritonsmith::text
