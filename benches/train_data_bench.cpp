// How fast rows of `data synth` become batches of training: examples and tokens a second, by threads.
//   TRITONSMITH_PAIRS='runs/pairs/shard-*.jsonl.zst' TRITONSMITH_MODEL=FOLDER train_data_bench
// FOLDER: tokenizer.json, tokenizer_config.json and the chat template of the model that is trained.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>

#include "train/data/batch_stream.h"
#include "train/data/row_stream.h"

namespace {

using namespace tritonsmith::train;

void batches(benchmark::State& state) {
    const char* pairs = std::getenv("TRITONSMITH_PAIRS");
    const char* model = std::getenv("TRITONSMITH_MODEL");
    if (pairs == nullptr || model == nullptr) {
        state.SkipWithError("set TRITONSMITH_PAIRS and TRITONSMITH_MODEL");
        return;
    }
    StreamSettings settings;
    settings.sources = {{.name = "pairs", .files = matching_files(pairs)}};
    settings.budget = 65536;
    settings.longest = 6144;
    settings.shuffle_window = settings.pack_window = 2000;
    settings.threads = static_cast<int>(state.range(0));
    settings.pairs.form = tritonsmith::text::prompt_form_of(model);
    settings.pairs.repairs = false;
    BatchStream stream(settings, std::make_shared<const ExampleMaker>(model));
    int64_t tokens = 0, examples = 0;
    for (auto _ : state) {
        const Batch batch = stream.next();
        tokens += static_cast<int64_t>(batch.tokens.size());
        examples += static_cast<int64_t>(batch.lengths.size());
    }
    state.counters["tokens/s"] = benchmark::Counter(static_cast<double>(tokens), benchmark::Counter::kIsRate);
    state.counters["examples/s"] =
        benchmark::Counter(static_cast<double>(examples), benchmark::Counter::kIsRate);
}
BENCHMARK(batches)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Arg(16)->MeasureProcessCPUTime()->Unit(
    benchmark::kMillisecond);

}  // namespace
