#include "text/prompt/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/files.h"

namespace tritonsmith::text {
namespace {

using testing::HasSubstr;

TEST(Prompt, HoldsTheTaskTheRulesAndTheExample) {
    KernelRequest request;
    request.source = "class Net: pass  # the task";
    request.entry = "Net";
    request.target = "sm_100";
    const std::vector<Message> prompt = kernel_prompt(request);
    ASSERT_EQ(prompt.size(), 2U);
    EXPECT_EQ(prompt[0].role, "system");
    EXPECT_EQ(prompt[1].role, "user");
    for (const char* part : {"class `Net`", "sm_100", "```python\nclass Net: pass  # the task\n```",
                             "no operators", example_task(), example_kernel()})
        EXPECT_THAT(prompt[1].content, HasSubstr(part));
    request.relaxed = true;
    EXPECT_THAT(kernel_prompt(request)[1].content,
                testing::AllOf(HasSubstr("allowed beside it"), Not(HasSubstr("no operators"))));
}

TEST(Prompt, ACardStandsBesideTheCodeOrForIt) {
    KernelRequest request;
    request.source = "class Net: pass  # the task";
    request.card = "forward(x)\n  x: f32[2]\n";
    EXPECT_THAT(kernel_prompt(request)[1].content,
                testing::AllOf(HasSubstr("# the task"), HasSubstr("```\nforward(x)\n  x: f32[2]\n```")));
    request.source.clear();
    EXPECT_THAT(kernel_prompt(request)[1].content,
                testing::AllOf(Not(HasSubstr("# the task")), HasSubstr("f32[2]")));
}

TEST(Prompt, InBriefIsTheTaskAlone) {
    KernelRequest request{.source = "class Net: pass", .card = "forward(x)\n", .form = PromptForm::brief};
    const std::vector<Message> prompt = kernel_prompt(request);
    ASSERT_EQ(prompt.size(), 1U);
    EXPECT_EQ(prompt[0].role, "user");
    EXPECT_EQ(prompt[0].content, "```python\nclass Net: pass\n```\n```\nforward(x)\n```\n");
    request.source.clear();
    EXPECT_EQ(kernel_prompt(request)[0].content, "```\nforward(x)\n```\n");
}

TEST(Prompt, TheModelsFolderSaysItsForm) {
    const TemporaryFolder folder;
    EXPECT_EQ(prompt_form_of(folder.path()), PromptForm::full);
    write_file(folder.path() / "tritonsmith.json", R"({"prompt": "brief"})");
    EXPECT_EQ(prompt_form_of(folder.path()), PromptForm::brief);
    for (const char* damaged : {R"({"prompt": "short"})", "{}", "[]", "{"}) {
        write_file(folder.path() / "tritonsmith.json", damaged);
        EXPECT_THROW(prompt_form_of(folder.path()), InputError) << damaged;
    }
}

TEST(Prompt, TheModelsFolderMaySayItsTemperature) {
    const TemporaryFolder folder;
    EXPECT_EQ(temperature_of(folder.path()), std::nullopt);
    write_file(folder.path() / "tritonsmith.json", R"({"prompt": "brief"})");
    EXPECT_EQ(temperature_of(folder.path()), std::nullopt);
    write_file(folder.path() / "tritonsmith.json", R"({"prompt": "brief", "temperature": 0.4})");
    EXPECT_EQ(temperature_of(folder.path()), 0.4);
    for (const char* damaged :
         {R"({"temperature": "low"})", R"({"temperature": -1})", R"({"temperature": 2.5})"}) {
        write_file(folder.path() / "tritonsmith.json", damaged);
        EXPECT_THROW(temperature_of(folder.path()), InputError) << damaged;
    }
}

TEST(Prompt, ReportsWhatWasWrong) {
    EXPECT_THAT(correction_prompt("[out_of_bounds] line 3").content, HasSubstr("[out_of_bounds] line 3"));
}

}  // namespace
}  // namespace tritonsmith::text
