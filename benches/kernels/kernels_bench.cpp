#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>

#include "cuda/context.h"
#include "cuda/device_info.h"
#include "kernels/kernels.h"
#include "kernels/sampling.h"
#include "kernels/testing/machine.h"

/// Times of the kernels on shapes of models, in CUDA graphs, and their share of the memory's bandwidth:
///
///   build/release/bin/kernels_bench [decode] [rows] [logits] [copy]
namespace tritonsmith::kernels {
namespace {

class Memory {
  public:
    ~Memory() {
        for (CUdeviceptr memory : memory_) cuda::driver().cuMemFree(memory);
    }
    /// Filled with one byte; 0x3c makes bf16 values of 0.01.
    void* filled(size_t bytes, unsigned char byte = 0x3c) {
        CUdeviceptr memory = 0;
        TRITONSMITH_CU(cuMemAlloc, &memory, bytes);
        memory_.push_back(memory);
        TRITONSMITH_CU(cuMemsetD8Async, memory, byte, bytes, nullptr);
        TRITONSMITH_CU(cuCtxSynchronize);
        return reinterpret_cast<void*>(memory);
    }
    template <typename T>
    T* put(const std::vector<T>& values) {
        void* memory = filled(values.size() * sizeof(T));
        TRITONSMITH_CU(cuMemcpyHtoD, reinterpret_cast<CUdeviceptr>(memory), values.data(),
                       values.size() * sizeof(T));
        return static_cast<T*>(memory);
    }

  private:
    std::vector<CUdeviceptr> memory_;
};

class Timer {
  public:
    Timer() : context_(0), peak_(cuda::devices().at(0).bytes_per_second) {
        TRITONSMITH_CU(cuStreamCreate, &stream_, CU_STREAM_NON_BLOCKING);
        TRITONSMITH_CU(cuEventCreate, &begin_, CU_EVENT_DEFAULT);
        TRITONSMITH_CU(cuEventCreate, &end_, CU_EVENT_DEFAULT);
    }
    ~Timer() {
        cuda::driver().cuEventDestroy(begin_);
        cuda::driver().cuEventDestroy(end_);
        cuda::driver().cuStreamDestroy(stream_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    void report(const std::string& what, double bytes, const std::function<void(void*)>& call) {
        const double microseconds = time(call), rate = bytes / microseconds * 1e6;
        std::printf("  %-66s %9.2f us %7.0f GB/s %5.1f %%\n", what.c_str(), microseconds, rate / 1e9,
                    rate / peak_ * 100);
        std::fflush(stdout);
    }

  private:
    /// Microseconds of one call, the best of some graphs of ten.
    double time(const std::function<void(void*)>& call) {
        constexpr int calls = 10, graphs = 7;
        call(stream_);  // a kernel is loaded when it is first launched, which must not be captured
        TRITONSMITH_CU(cuStreamSynchronize, stream_);
        TRITONSMITH_CU(cuStreamBeginCapture, stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
        for (int i = 0; i < calls; ++i) call(stream_);
        CUgraph graph = nullptr;
        TRITONSMITH_CU(cuStreamEndCapture, stream_, &graph);
        CUgraphExec executable = nullptr;
        TRITONSMITH_CU(cuGraphInstantiate, &executable, graph, 0);
        float best = INFINITY;
        for (int i = 0; i < graphs; ++i) {
            TRITONSMITH_CU(cuEventRecord, begin_, stream_);
            TRITONSMITH_CU(cuGraphLaunch, executable, stream_);
            TRITONSMITH_CU(cuEventRecord, end_, stream_);
            TRITONSMITH_CU(cuEventSynchronize, end_);
            float milliseconds = 0;
            cuda::check(cuda::driver().elapsed_time(&milliseconds, begin_, end_), "cuEventElapsedTime");
            if (i > 0) best = std::min(best, milliseconds);
        }
        TRITONSMITH_CU(cuGraphExecDestroy, executable);
        TRITONSMITH_CU(cuGraphDestroy, graph);
        return best * 1000.0 / calls;
    }

    const cuda::PrimaryContext context_;
    const double peak_;
    CUstream stream_ = nullptr;
    CUevent begin_ = nullptr, end_ = nullptr;
};

struct Shape {
    int heads, kv_heads, head_dim, block_size, split_size;  ///< split_size -1: decode_split_size()'s
    std::vector<int32_t> lengths;
    int shared_by = 1, shared_tokens = 0;  ///< adjacent rows that share leading tokens, and how many
    bool read_once = false;                ///< and the kernel reads these once
    bool scaled = false;                   ///< a cache in e4m3
};

DecodeAttention make_decode(Memory& memory, const Shape& s) {
    const int batch = static_cast<int>(s.lengths.size());
    const int longest = *std::max_element(s.lengths.begin(), s.lengths.end());
    DecodeAttention a;
    a.batch = batch;
    a.heads = s.heads, a.kv_heads = s.kv_heads, a.head_dim = s.head_dim, a.block_size = s.block_size;
    a.table_stride = (longest + s.block_size - 1) / s.block_size;
    a.max_length = longest;
    std::vector<int32_t> order(batch * a.table_stride), table(order.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    for (int row = 0; row < batch; ++row)
        for (int64_t block = 0; block < a.table_stride; ++block) {
            const bool shared = (block + 1) * s.block_size <= s.shared_tokens;
            table[row * a.table_stride + block] =
                order[(shared ? row / s.shared_by * s.shared_by : row) * a.table_stride + block];
        }
    a.block_table = memory.put(table);
    a.lengths = memory.put(s.lengths);
    a.cache_block_stride = static_cast<int64_t>(s.block_size) * s.kv_heads * s.head_dim;
    const size_t cache_bytes = order.size() * a.cache_block_stride * (s.scaled ? 1 : 2);
    a.k_cache = memory.filled(cache_bytes);
    a.v_cache = memory.filled(cache_bytes);
    if (s.scaled) {
        const size_t scale_bytes = order.size() * s.kv_heads * s.block_size * sizeof(float);
        a.k_scales = static_cast<const float*>(memory.filled(scale_bytes));
        a.v_scales = static_cast<const float*>(memory.filled(scale_bytes));
    }
    a.q_stride = (s.heads + 2 * s.kv_heads) * s.head_dim;
    a.out_stride = s.heads * s.head_dim;
    a.q = memory.filled(batch * a.q_stride * 2);
    a.out = memory.filled(batch * a.out_stride * 2);
    cuda::DeviceInfo device = cuda::devices().at(0);
    a.split_size = s.split_size >= 0 ? s.split_size
                                     : decode_split_size(batch, s.kv_heads, longest, device.multiprocessors);
    if (s.read_once) {
        std::vector<SharedPrefix> prefixes;
        const int most = std::min(s.shared_by, 16 / (s.heads / s.kv_heads));
        for (int row = 0; row < batch; ++row)
            prefixes.push_back({row / most * most, most, s.shared_tokens / a.split_size});
        a.shared = memory.put(prefixes);
    }
    a.scale = 1 / std::sqrt(static_cast<float>(s.head_dim));
    a.workspace_bytes = decode_attention_workspace(a);
    a.workspace = memory.filled(a.workspace_bytes + 16);
    return a;
}

std::string text_of(const Shape& s, const DecodeAttention& a) {
    const int64_t tokens = std::accumulate(s.lengths.begin(), s.lengths.end(), int64_t{0});
    return std::to_string(s.lengths.size()) + " x " + std::to_string(tokens / s.lengths.size()) +
           " tokens, " + std::to_string(s.heads) + "/" + std::to_string(s.kv_heads) + " heads of " +
           std::to_string(s.head_dim) + ", blocks " + std::to_string(s.block_size) + ", split " +
           std::to_string(a.split_size) +
           (s.shared_by > 1 ? s.read_once ? ", shared, read once" : ", shared" : "") +
           (s.scaled ? ", fp8" : "");
}

void time_decode_attention(Timer& timer) {
    std::printf("decode attention (bytes of keys and values once)\n");
    const auto many = [](int count, int length) { return std::vector<int32_t>(count, length); };
    std::vector<int32_t> varied;
    for (int i = 0; i < 256; ++i) varied.push_back(64 + i * 97 % 256 * 1152 / 256);
    std::vector<Shape> shapes;
    for (int heads : {16, 32})
        for (int split : {0, 128, 256, 512}) shapes.push_back({heads, 8, 128, 16, split, many(256, 640)});
    for (int block_size : {64, 256}) shapes.push_back({16, 8, 128, block_size, 0, many(256, 640)});
    for (int split : {0, 256}) shapes.push_back({32, 8, 128, 16, split, varied});
    shapes.push_back({14, 2, 64, 16, -1, many(256, 640)});
    shapes.push_back({64, 8, 128, 16, 0, many(128, 2048)});
    shapes.push_back({64, 4, 128, 16, -1, many(128, 2048)});
    for (int split : {-1, 256, 512}) {
        shapes.push_back({32, 8, 128, 16, split, many(64, 640)});
        shapes.push_back({32, 8, 128, 16, split, many(8, 8192)});
        shapes.push_back({32, 8, 128, 16, split, many(1, 32768)});
        shapes.push_back({16, 8, 128, 16, split, many(1, 640)});
    }
    for (int heads : {16, 32}) {
        shapes.push_back({heads, 8, 128, 16, 0, many(256, 640), 16, 512});
        for (int split : {128, 256, 512})
            shapes.push_back({heads, 8, 128, 16, split, many(256, 640), 16, 512, true});
    }
    for (int heads : {16, 32})
        for (int block_size : {16, 64})
            for (int split : {0, 256, 512}) {
                shapes.push_back({heads, 8, 128, block_size, split, many(256, 640)});
                shapes.back().scaled = true;
            }
    for (const Shape& s : shapes) {
        Memory memory;
        const DecodeAttention a = make_decode(memory, s);
        const double tokens = std::accumulate(s.lengths.begin(), s.lengths.end(), 0.0);
        const double of_head = s.scaled ? 2 * (s.head_dim + 4) : 4 * s.head_dim;  // key and value
        timer.report(text_of(s, a), tokens * s.kv_heads * of_head,
                     [&](void* stream) { decode_attention(a, stream); });
    }
}

void time_rows(Timer& timer) {
    std::printf("rows (bytes read and written once; small ones lie in the L2 cache)\n");
    struct Size {
        int rows, dim, width, heads;
    };
    for (const Size& s :
         {Size{256, 1024, 3072, 16}, Size{256, 4096, 12288, 32}, Size{8192, 4096, 12288, 32}}) {
        Memory memory;
        const std::string size = std::to_string(s.rows) + " x ";
        const double bytes = 2.0 * s.rows * s.dim;
        RmsNorm norm;
        norm.out = memory.filled(static_cast<size_t>(bytes)),
        norm.x = memory.filled(static_cast<size_t>(bytes));
        norm.weight = memory.filled(s.dim * 2);
        norm.out_stride = norm.x_stride = norm.dim = s.dim, norm.rows = s.rows;
        timer.report("rms_norm " + size + std::to_string(s.dim), 2 * bytes,
                     [&](void* stream) { rms_norm(norm, stream); });
        AddRmsNorm add;
        add.out = norm.out, add.x = norm.x, add.weight = norm.weight;
        add.residual = memory.filled(static_cast<size_t>(bytes));
        add.rows = s.rows, add.dim = s.dim;
        timer.report("add_rms_norm " + size + std::to_string(s.dim), 4 * bytes,
                     [&](void* stream) { add_rms_norm(add, stream); });
        SiluMul silu;
        silu.gate_up = memory.filled(4ull * s.rows * s.width),
        silu.out = memory.filled(2ull * s.rows * s.width);
        silu.rows = s.rows, silu.width = s.width, silu.out_stride = s.width,
        silu.gate_up_stride = 2 * s.width;
        timer.report("silu_mul " + size + std::to_string(s.width), 6.0 * s.rows * s.width,
                     [&](void* stream) { silu_mul(silu, stream); });
        QuantiseRows quantise;
        quantise.x = silu.out, quantise.x_stride = quantise.dim = s.width, quantise.rows = s.rows;
        quantise.out = memory.filled(1ull * s.rows * s.width),
        quantise.scales = static_cast<float*>(memory.filled(4ull * s.rows));
        timer.report("quantise_rows " + size + std::to_string(s.width), 3.0 * s.rows * s.width,
                     [&](void* stream) { quantise_rows(quantise, stream); });
        RotateAndStore rotate;
        const int width = (s.heads + 16) * 128;
        rotate.qkv = memory.filled(2ull * s.rows * width), rotate.qkv_stride = width;
        rotate.q_weight = rotate.k_weight = memory.filled(256);
        rotate.cosines = rotate.sines = static_cast<float*>(memory.filled(1000 * 64 * 4));
        std::vector<int64_t> numbers(s.rows);
        std::iota(numbers.begin(), numbers.end(), 0);
        rotate.positions = rotate.slots = memory.put(numbers);
        rotate.block_size = 16, rotate.cache_block_stride = 16 * 8 * 128;
        rotate.k_cache = memory.filled(2ull * (s.rows + 16) * 1024),
        rotate.v_cache = memory.filled(2ull * (s.rows + 16) * 1024);
        rotate.tokens = s.rows, rotate.heads = s.heads, rotate.kv_heads = 8, rotate.head_dim = 128;
        rotate.table_positions = 1000;
        timer.report("rotate_and_store " + size + std::to_string(width),
                     2.0 * s.rows * (2 * s.heads + 16 + 8 + 16) * 128,
                     [&](void* stream) { rotate_and_store(rotate, stream); });
        GatherCache gather;
        gather.k_cache = rotate.k_cache, gather.v_cache = rotate.v_cache;
        gather.k = memory.filled(2ull * s.rows * 1024), gather.v = memory.filled(2ull * s.rows * 1024);
        std::vector<int32_t> table(s.rows / 16), cu_seqlens;
        std::iota(table.begin(), table.end(), 0);
        for (int i = 0; i <= s.rows; i += 64) cu_seqlens.push_back(i);
        gather.block_table = memory.put(table), gather.table_stride = 4,
        gather.cu_seqlens = memory.put(cu_seqlens);
        gather.sequences = s.rows / 64, gather.tokens = s.rows,
        gather.cache_block_stride = rotate.cache_block_stride;
        gather.kv_heads = 8, gather.head_dim = 128, gather.block_size = 16;
        timer.report("gather_cache " + size + "1024", 8.0 * s.rows * 1024,
                     [&](void* stream) { gather_cache(gather, stream); });
        rotate.k_scales = static_cast<float*>(memory.filled(4ull * (s.rows + 16) * 8));
        rotate.v_scales = static_cast<float*>(memory.filled(4ull * (s.rows + 16) * 8));
        timer.report("rotate_and_store " + size + std::to_string(width) + ", fp8",
                     s.rows * (2.0 * (2 * s.heads + 32) * 128 + 16 * (128 + 4)),
                     [&](void* stream) { rotate_and_store(rotate, stream); });
    }
}

void time_logits(Timer& timer) {
    std::printf("logits (their bytes once)\n");
    const int vocabulary = 151936, rows = 256;
    Memory memory;
    const auto line = testing::random_values(vocabulary, DType::fp32, 1, 2.5);
    std::vector<float> logits;
    for (int row = 0; row < rows; ++row) logits.insert(logits.end(), line.begin(), line.end());
    const float* fp32 = memory.put(logits);
    const void* bf16 = memory.put(testing::encoded(logits, DType::bf16));
    struct Kind {
        const char* what;
        double temperature;
        int top_k;
        double top_p, min_p;
    };
    for (const Kind& kind :
         {Kind{"", 1, 0, 1, 0}, Kind{", temperature 0.7", 0.7, 0, 1, 0}, Kind{", greedy", 0, 0, 1, 0},
          Kind{", top-p", 1, 0, 0.95, 0}, Kind{", top-k", 1, 20, 1, 0},
          Kind{", temperature, top-k, top-p", 0.6, 20, 0.95, 0}})
        for (int count : {rows, 1})
            for (DType dtype : {DType::fp32, DType::bf16}) {
                if (dtype == DType::bf16 && count == 1) continue;
                std::vector<DrawRow> draws;
                for (int row = 0; row < count; ++row)
                    draws.push_back(
                        draw_row(kind.temperature, kind.top_k, kind.top_p, kind.min_p, 1, row, 0));
                SampleTokens a;
                a.logits = dtype == DType::fp32 ? fp32 : bf16, a.logits_stride = vocabulary;
                a.draws = memory.put(draws);
                a.tokens = static_cast<int64_t*>(memory.filled(count * 8));
                a.logprobs = static_cast<float*>(memory.filled(count * 4));
                a.rows = count, a.vocabulary = vocabulary, a.dtype = dtype;
                timer.report("sample_tokens " + std::to_string(count) + " x 151936 " +
                                 testing::name_of(dtype) + kind.what,
                             static_cast<double>(count) * vocabulary * (dtype == DType::fp32 ? 4 : 2),
                             [&](void* stream) { sample_tokens(a, stream); });
            }
    LogProbabilities a;
    a.logits = fp32, a.logits_stride = vocabulary;
    a.targets = memory.put(std::vector<int64_t>(rows, 17));
    a.logprobs = static_cast<float*>(memory.filled(rows * 4));
    a.rows = rows, a.vocabulary = vocabulary;
    timer.report("log_probabilities 256 x 151936 fp32", 4.0 * rows * vocabulary,
                 [&](void* stream) { log_probabilities(a, stream); });
}

void time_copy(Timer& timer) {
    Memory memory;
    const size_t bytes = size_t{1} << 30;
    void* from = memory.filled(bytes);
    void* to = memory.filled(bytes);
    std::printf("for comparison\n");
    timer.report("cuMemcpyDtoD of 1 GiB (bytes read and written)", 2.0 * bytes, [&](void* stream) {
        TRITONSMITH_CU(cuMemcpyDtoDAsync, reinterpret_cast<CUdeviceptr>(to),
                       reinterpret_cast<CUdeviceptr>(from), bytes, static_cast<CUstream>(stream));
    });
}

int run(const std::vector<std::string>& chosen) {
    std::string why;
    if (!cuda::find_driver(&why) || !find_library(&why)) {
        std::fprintf(stderr, "kernels_bench: %s\n", why.c_str());
        return 3;
    }
    Timer timer;
    const std::pair<const char*, void (*)(Timer&)> all[] = {
        {"decode", time_decode_attention}, {"rows", time_rows}, {"logits", time_logits}, {"copy", time_copy}};
    for (const auto& [name, measure] : all)
        if (chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end()) measure(timer);
    return 0;
}

}  // namespace
}  // namespace tritonsmith::kernels

int main(int argc, char** argv) {
    try {
        return tritonsmith::kernels::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernels_bench: %s\n", error.what());
        return 3;
    }
}
