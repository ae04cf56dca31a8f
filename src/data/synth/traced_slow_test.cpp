#include <gtest/gtest.h>

#include "data/synth/sampler.h"
#include "data/synth/task_writer.h"
#include "graph/card/card.h"
#include "trace/tracer.h"

/// What is sampled is what PyTorch does: tracing a task's text and lifting it gives the graph that was
/// sampled with it.
namespace tritonsmith::data {
namespace {

trace::Request request_for(const TaskFile& file) {
    trace::Request request;
    request.kind = "reference";
    request.source = file.source;
    request.entry = file.entry;
    request.device = "cuda";
    request.target = "sm_90";
    request.filename = "task.py";
    return request;
}

TEST(SampledTask, TracingItsTextGivesItsCard) {
    trace::Tracer tracer({TRITONSMITH_PYTHON, std::string(TRITONSMITH_BINARY_DIR) + "/package"});
    const char* count = std::getenv("TRITONSMITH_SAMPLED_TASKS");
    const uint64_t tasks = count ? std::strtoull(count, nullptr, 10) : 60;
    for (uint64_t number = 0; number < tasks; ++number) {
        Random random(11, number);
        Sketch sketch = Sampler(random, number % 2 == 0 ? 12 : 2).sample();
        const Style style = Style::draw(random);
        if (sketch.outputs.empty()) continue;
        const TaskFile file = write_task(sketch, style, random);
        const trace::Outcome outcome = tracer.trace(request_for(file));
        const auto* finding = std::get_if<Finding>(&outcome);
        EXPECT_FALSE(finding) << number << ": " << finding->message << "\n" << file.source;
        if (finding) continue;
        const graph::Card traced = graph::describe(file.source, file.entry, std::get<plan::Plan>(outcome));
        const auto lifted = graph::lift(sketch.eager.plans[0], file.signatures.names);
        ASSERT_TRUE(std::holds_alternative<graph::Graph>(lifted)) << file.source;
        EXPECT_EQ(traced.text, graph::card_text(file.signatures, file.entry, sketch.eager.plans[0],
                                                std::get<graph::Graph>(lifted)))
            << number << "\n"
            << file.source;
    }
}

}  // namespace
}  // namespace tritonsmith::data
