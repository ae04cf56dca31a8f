// Our paged decode attention beside FlashInfer's (https://github.com/flashinfer-ai/flashinfer), on the same
// caches: the results must agree, then both are timed in CUDA graphs. FlashInfer's plans are made outside of
// the timed span; its "decode" computes on CUDA cores, its "prefill" with one query a sequence on tensor
// cores (what serving engines choose for larger groups).
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/scheduler.cuh>
#include <flashinfer/attention/variants.cuh>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace {

using Element = __nv_bfloat16;
using Variant = flashinfer::DefaultAttention<false, false, false, false>;
using DecodeParams = flashinfer::BatchDecodeParams<Element, Element, Element, int32_t>;
using PrefillParams = flashinfer::BatchPrefillPagedParams<Element, Element, Element, int32_t>;
constexpr auto no_positions = flashinfer::PosEncodingMode::kNone;
constexpr int head_dim = 128;

void check(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s failed: %s (%d): %s\n", call, cudaGetErrorName(error), static_cast<int>(error),
                 cudaGetErrorString(error));
    std::exit(3);
}
#define CHECK(call) check(call, #call)

/// Device memory that lives as long as the shape that it belongs to.
class Arena {
  public:
    ~Arena() {
        for (void* memory : memory_) cudaFree(memory);
    }
    void* allocate(size_t bytes) {
        void* memory = nullptr;
        CHECK(cudaMalloc(&memory, bytes + 16));
        memory_.push_back(memory);
        return memory;
    }
    template <typename T>
    T* put(const std::vector<T>& values) {
        void* memory = allocate(values.size() * sizeof(T));
        CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        return static_cast<T*>(memory);
    }

  private:
    std::vector<void*> memory_;
};

struct Shape {
    int batch, length, heads, kv_heads, block_size, split_size;
};

/// Normal values on the device. A million are drawn and repeated: a prime number, so that no two tokens are
/// the same.
Element* random_elements(Arena& arena, size_t count, uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> normal(0, 1);
    std::vector<Element> pattern(std::min<size_t>(count, 1000003));
    for (Element& value : pattern) value = __float2bfloat16(normal(generator));
    auto* values = static_cast<Element*>(arena.allocate(count * sizeof(Element)));
    CHECK(cudaMemcpy(values, pattern.data(), pattern.size() * sizeof(Element), cudaMemcpyHostToDevice));
    for (size_t filled = pattern.size(); filled < count; filled *= 2)
        CHECK(cudaMemcpy(values + filled, values, std::min(filled, count - filled) * sizeof(Element),
                         cudaMemcpyDeviceToDevice));
    return values;
}

/// Microseconds of a call, the best of some graphs of ten.
double time(cudaStream_t stream, const std::function<void()>& call) {
    constexpr int calls = 10, graphs = 7;
    call();  // what is set up once must not be captured
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; ++i) call();
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    float best = INFINITY;
    for (int i = 0; i < graphs; ++i) {
        CHECK(cudaEventRecord(begin, stream));
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (i > 0) best = std::min(best, milliseconds);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    return best * 1000.0 / calls;
}

/// What FlashInfer plans into: device memory, and a page-locked copy of the part of whole numbers.
struct Workspace {
    static constexpr size_t float_bytes = size_t{256} << 20, int_bytes = size_t{16} << 20;
    void *floats, *ints, *locked = nullptr;

    explicit Workspace(Arena& arena) : floats(arena.allocate(float_bytes)), ints(arena.allocate(int_bytes)) {
        CHECK(cudaMallocHost(&locked, int_bytes));
    }
    ~Workspace() { cudaFreeHost(locked); }
    template <typename T>
    T* at(int64_t offset) {
        return flashinfer::GetPtrFromBaseOffset<T>(ints, offset);
    }
    template <typename T>
    T* float_at(int64_t offset) {
        return flashinfer::GetPtrFromBaseOffset<T>(floats, offset);
    }
};

template <int group>
flashinfer::DecodePlanInfo plan_decode(Workspace& space, std::vector<int32_t>& indptr, const Shape& s,
                                       cudaStream_t stream) {
    flashinfer::DecodePlanInfo plan;
    CHECK((flashinfer::DecodePlan<head_dim, no_positions, Variant, DecodeParams>(
        space.floats, Workspace::float_bytes, space.ints, space.locked, Workspace::int_bytes, plan,
        indptr.data(), s.batch, s.heads, s.block_size, false, stream,
        flashinfer::BatchDecodeWithPagedKVCacheWorkEstimationDispatched<group, head_dim, no_positions,
                                                                        Variant, DecodeParams>)));
    CHECK(cudaStreamSynchronize(stream));
    return plan;
}

double difference(const void* a, const void* b, size_t count) {
    std::vector<Element> first(count), second(count);
    CHECK(cudaMemcpy(first.data(), a, count * 2, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(second.data(), b, count * 2, cudaMemcpyDeviceToHost));
    double greatest = 0;
    for (size_t i = 0; i < count; ++i) {
        double apart = std::abs(__bfloat162float(first[i]) - __bfloat162float(second[i]));
        greatest = apart <= greatest ? greatest : apart;  // what is no number is kept
    }
    return greatest;
}

template <int group>
bool run(const Shape& s, double peak, cudaStream_t stream) {
    Arena arena;
    const int blocks_each = (s.length + s.block_size - 1) / s.block_size, blocks = s.batch * blocks_each;
    const size_t cache = static_cast<size_t>(blocks) * s.block_size * s.kv_heads * head_dim;
    const size_t count = static_cast<size_t>(s.batch) * s.heads * head_dim;
    auto* k_cache = random_elements(arena, cache, 1);
    auto* v_cache = random_elements(arena, cache, 2);
    auto* q = random_elements(arena, count, 3);
    std::vector<int32_t> table(blocks), indptr(s.batch + 1), last(s.batch, (s.length - 1) % s.block_size + 1),
        queries(s.batch + 1);
    std::iota(table.begin(), table.end(), 0);
    std::shuffle(table.begin(), table.end(), std::mt19937_64(4));
    for (int i = 0; i <= s.batch; ++i) indptr[i] = i * blocks_each, queries[i] = i;
    auto* device_table = arena.put(table);
    void *ours = arena.allocate(count * 2), *theirs = arena.allocate(count * 2),
         *tensor_cores = arena.allocate(count * 2);

    tritonsmith::kernels::DecodeAttention a;
    a.out = ours, a.q = q, a.k_cache = k_cache, a.v_cache = v_cache;
    a.out_stride = a.q_stride = s.heads * head_dim;
    a.cache_block_stride = static_cast<int64_t>(s.block_size) * s.kv_heads * head_dim;
    a.block_table = device_table, a.table_stride = blocks_each;
    a.lengths = arena.put(std::vector<int32_t>(s.batch, s.length));
    a.batch = s.batch, a.heads = s.heads, a.kv_heads = s.kv_heads, a.head_dim = head_dim,
    a.block_size = s.block_size;
    a.max_length = s.length, a.split_size = s.split_size;
    a.scale = 1 / std::sqrt(static_cast<float>(head_dim));
    a.workspace_bytes = decode_attention_workspace(a);
    a.workspace = arena.allocate(a.workspace_bytes);

    flashinfer::paged_kv_t<Element, int32_t> paged(s.kv_heads, s.block_size, head_dim, s.batch,
                                                   flashinfer::QKVLayout::kNHD, k_cache, v_cache,
                                                   device_table, arena.put(indptr), arena.put(last));
    Workspace decode_space(arena), prefill_space(arena);
    const auto decode_plan = plan_decode<group>(decode_space, indptr, s, stream);
    DecodeParams decode(q, nullptr, paged, static_cast<Element*>(theirs), nullptr, nullptr, s.heads,
                        s.heads * head_dim, head_dim, -1, 0, a.scale, 1, 10000);
    decode.request_indices = decode_space.at<int32_t>(decode_plan.request_indices_offset);
    decode.kv_tile_indices = decode_space.at<int32_t>(decode_plan.kv_tile_indices_offset);
    decode.o_indptr = decode_space.at<int32_t>(decode_plan.o_indptr_offset);
    decode.kv_chunk_size_ptr = decode_space.at<int32_t>(decode_plan.kv_chunk_size_ptr_offset);
    decode.padded_batch_size = decode_plan.padded_batch_size;
    auto* decode_values =
        decode_plan.split_kv ? decode_space.float_at<Element>(decode_plan.v_offset) : nullptr;
    auto* decode_sums = decode_plan.split_kv ? decode_space.float_at<float>(decode_plan.s_offset) : nullptr;

    flashinfer::PrefillPlanInfo plan;
    CHECK(flashinfer::PrefillPlan<int32_t>(prefill_space.floats, Workspace::float_bytes, prefill_space.ints,
                                           prefill_space.locked, Workspace::int_bytes, plan, queries.data(),
                                           indptr.data(), s.batch, s.batch, s.heads, s.kv_heads, head_dim,
                                           head_dim, s.block_size, false, 2, -1, -1, false, 0, -1, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (plan.cta_tile_q != 16) {
        std::fprintf(stderr, "FlashInfer planned tiles of %lld queries; this program has those of 16\n",
                     static_cast<long long>(plan.cta_tile_q));
        return false;
    }
    PrefillParams prefill(q, paged, nullptr, arena.put(queries), nullptr, nullptr,
                          static_cast<Element*>(tensor_cores), nullptr, nullptr, s.heads, s.heads * head_dim,
                          head_dim, -1, 0, a.scale, 1, 10000);
    prefill.request_indices = prefill_space.at<int32_t>(plan.request_indices_offset);
    prefill.qo_tile_indices = prefill_space.at<int32_t>(plan.qo_tile_indices_offset);
    prefill.kv_tile_indices = prefill_space.at<int32_t>(plan.kv_tile_indices_offset);
    prefill.o_indptr = prefill_space.at<int32_t>(plan.o_indptr_offset);
    prefill.kv_chunk_size_ptr = prefill_space.at<int32_t>(plan.kv_chunk_size_ptr_offset);
    prefill.padded_batch_size = plan.padded_batch_size;
    prefill.max_total_num_rows = plan.total_num_rows;
    if (plan.split_kv) prefill.merge_indptr = prefill_space.at<int32_t>(plan.merge_indptr_offset);
    auto* prefill_values = plan.split_kv ? prefill_space.float_at<Element>(plan.v_offset) : nullptr;
    auto* prefill_sums = plan.split_kv ? prefill_space.float_at<float>(plan.s_offset) : nullptr;

    const double our_time = time(stream, [&] { tritonsmith::kernels::decode_attention(a, stream); });
    const double their_time = time(stream, [&] {
        CHECK((flashinfer::BatchDecodeWithPagedKVCacheDispatched<head_dim, no_positions, Variant>(
            decode, decode_values, decode_sums, false, stream)));
    });
    const double tensor_time = time(stream, [&] {
        CHECK(
            (flashinfer::BatchPrefillWithPagedKVCacheDispatched<true, 16, head_dim, head_dim, no_positions,
                                                                false, flashinfer::MaskMode::kNone, Variant>(
                prefill, prefill_values, prefill_sums, false, stream)));
    });
    const double apart = difference(ours, theirs, count),
                 tensor_apart = difference(ours, tensor_cores, count);
    const double bytes = 4.0 * s.batch * s.length * s.kv_heads * head_dim;
    const auto percent = [&](double microseconds) { return bytes / microseconds * 1e6 / peak * 100; };
    std::printf(
        "%4d x %5d tokens, %2d/%d heads, blocks %3d, split %4d | ours %8.1f us %5.1f %% | FlashInfer decode "
        "%8.1f us "
        "%5.1f %%, tensor cores %8.1f us %5.1f %% | apart %.4f, %.4f\n",
        s.batch, s.length, s.heads, s.kv_heads, s.block_size, s.split_size, our_time, percent(our_time),
        their_time, percent(their_time), tensor_time, percent(tensor_time), apart, tensor_apart);
    std::fflush(stdout);
    return apart < 0.02 && tensor_apart < 0.02;
}

bool run(const Shape& s, double peak, cudaStream_t stream) {
    switch (s.heads / s.kv_heads) {
        case 1:
            return run<1>(s, peak, stream);
        case 2:
            return run<2>(s, peak, stream);
        case 4:
            return run<4>(s, peak, stream);
        case 8:
            return run<8>(s, peak, stream);
    }
    return false;
}

}  // namespace

int main() {
    int clock_khz = 0, bus_bits = 0, multiprocessors = 0;
    CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0));
    CHECK(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const double peak = 2.0 * clock_khz * 1000 * bus_bits / 8;
    std::string why;
    if (!tritonsmith::kernels::find_library(&why)) {
        std::fprintf(stderr, "%s\n", why.c_str());
        return 3;
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::printf("bf16, heads of %d; percent of %.0f GB/s\n", head_dim, peak / 1e9);
    bool agree = true;
    const auto chosen = [&](int batch, int kv_heads, int length) {
        return tritonsmith::kernels::decode_split_size(batch, kv_heads, length, multiprocessors);
    };
    for (int heads : {16, 32})
        for (int split : {0, 256, 512}) agree &= run({256, 640, heads, 8, 16, split}, peak, stream);
    for (int heads : {8, 64}) agree &= run({256, 640, heads, 8, 16, 0}, peak, stream);
    for (int block_size : {32, 64}) agree &= run({256, 640, 32, 8, block_size, 0}, peak, stream);
    agree &= run({64, 640, 32, 8, 16, chosen(64, 8, 640)}, peak, stream);
    agree &= run({8, 8192, 32, 8, 16, chosen(8, 8, 8192)}, peak, stream);
    agree &= run({1, 32768, 32, 8, 16, chosen(1, 8, 32768)}, peak, stream);
    agree &= run({1, 640, 16, 8, 16, chosen(1, 8, 640)}, peak, stream);
    agree &= run({128, 4096, 64, 8, 16, chosen(128, 8, 4096)}, peak, stream);
    if (!agree) std::printf("THE RESULTS DIFFER\n");
    return agree ? 0 : 1;
}
