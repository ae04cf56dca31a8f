// The CPU's path of src/model: products against the machine's read bandwidth, and whole decoding steps of
// small models.
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "model/cpu/huge_pages.h"
#include "model/cpu/paged_attention.h"
#include "model/model.h"
#include "read_bandwidth.h"

namespace {

using namespace tritonsmith::model;

at::ScalarType dtype_of(int64_t code) {
    return code == 0 ? at::kFloat : code == 1 ? at::kBFloat16 : at::kChar;
}

/// Bytes a second that all threads together read from a buffer of so many MiB: the bound for a step that
/// reads its weights once.
void read_bandwidth(benchmark::State& state) {
    const at::Tensor words = empty_in_huge_pages({state.range(0) << 17}, at::kLong).fill_(1);
    for (auto _ : state)
        benchmark::DoNotOptimize(tritonsmith::benches::read_all(
            {words.const_data_ptr<int64_t>(), static_cast<size_t>(words.numel())}));
    state.SetBytesProcessed(state.iterations() * words.numel() * 8);
}
BENCHMARK(read_bandwidth)
    ->Arg(25)
    ->Arg(50)
    ->Arg(120)
    ->Arg(1024)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// rows, outputs, inputs, dtype; over several matrices, so that none stays in the second cache.
void product(benchmark::State& state) {
    const int64_t rows = state.range(0), outputs = state.range(1), inputs = state.range(2);
    std::vector<Matrix> matrices;
    for (int i = 0; i < 16; ++i) {
        const at::Tensor values = at::randn({outputs, inputs});
        matrices.push_back(for_products(state.range(3) == 2 ? quantise(values)
                                                            : Matrix{values.to(dtype_of(state.range(3)))}));
    }
    const at::Tensor x = at::randn({rows, inputs});
    size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(cpu_operators().linear(x, matrices[i++ % matrices.size()], {}, at::kFloat));
    state.SetBytesProcessed(state.iterations() * outputs * inputs *
                            static_cast<int64_t>(c10::elementSize(matrices[0].dtype())));
    state.counters["GFLOPS"] =
        benchmark::Counter(2e-9 * static_cast<double>(rows * outputs * inputs * state.iterations()),
                           benchmark::Counter::kIsRate);
}
BENCHMARK(product)
    ->ArgsProduct({{1, 2, 4, 8, 16, 64, 512}, {4096}, {768}, {0, 1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

Config shape(int64_t millions) {
    Config config;
    config.family = "qwen3";
    config.vocabulary = millions == 25 ? 16384 : 32768;
    config.hidden = millions == 25 ? 384 : 512;
    config.intermediate = millions == 25 ? 1280 : 1792;
    config.layers = millions == 25 ? 9 : 11;
    config.heads = millions == 25 ? 6 : 8;
    config.kv_heads = 2;
    config.head_dim = 64;
    config.qk_norm = config.tied_embeddings = true;
    config.positions = 4096;
    return config;
}

class Cached : public Attention {
  public:
    Cached(const Model& model, int64_t rows, int64_t context) : heads_(model.heads()) {
        const int64_t blocks = context / 16 + 1;
        for (int i = 0; i < model.config().layers; ++i) {
            const auto pages = [&] { return at::randn({rows * blocks, 16, heads_.keys, heads_.width}); };
            caches_.push_back({pages(), pages(), {}});
        }
        std::vector<int64_t> slots;
        tables_.resize(static_cast<size_t>(rows));
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t i = 0; i < blocks; ++i) tables_[row].push_back(static_cast<int>(row * blocks + i));
            sequences_.push_back({tables_[row], row, 1, context});
            slots.push_back(row * blocks * 16 + context - 1);
        }
        for (PagedCache& cache : caches_) cache.slots = at::tensor(slots, at::kLong);
    }
    std::optional<PagedCache> cache(int layer) override { return caches_[static_cast<size_t>(layer)]; }
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override {
        attend_paged(heads_, qkv, caches_[static_cast<size_t>(layer)], sequences_, out);
    }

  private:
    Heads heads_;
    std::vector<PagedCache> caches_;
    std::vector<std::vector<int>> tables_;
    std::vector<PagedSequence> sequences_;
};

/// millions of parameters, rows, dtype; a context of 256 tokens. Bytes are those of the weights.
void decode_step(benchmark::State& state) {
    const Model model = Model::random(shape(state.range(0)), {.dtype = dtype_of(state.range(2))}, 1);
    const int64_t rows = state.range(1);
    Cached attention(model, rows, 256);
    const at::Tensor tokens = at::randint(model.config().vocabulary, {rows}, at::kLong),
                     positions = at::full({rows}, 255, at::kLong);
    for (auto _ : state) benchmark::DoNotOptimize(model.logits(model.forward(tokens, positions, attention)));
    const int64_t bytes =
        model.config().parameters() * static_cast<int64_t>(c10::elementSize(dtype_of(state.range(2))));
    state.SetBytesProcessed(state.iterations() * bytes);
    state.counters["tokens/s"] =
        benchmark::Counter(static_cast<double>(rows * state.iterations()), benchmark::Counter::kIsRate);
    state.counters["parameters"] = static_cast<double>(model.config().parameters());
}
BENCHMARK(decode_step)
    ->ArgsProduct({{25, 60}, {1, 2, 4, 8, 16}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
