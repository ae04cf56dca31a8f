#include "engine/executor/cuda/executor.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <algorithm>

#include "base/error.h"
#include "engine/executor/cuda/attention.h"
#include "engine/executor/cuda/decode_graphs.h"
#include "engine/executor/cuda/step_inputs.h"
#include "engine/executor/top_logprobs.h"
#include "engine/kv_cache/shared_prefixes.h"
#include "kernels/kernels.h"
#include "model/weights/weight_dtype.h"

namespace tritonsmith::engine {
namespace {

constexpr int kExactSplit = 512;  ///< tokens; the order of sums depends on the sequence's length alone

/// Activations of the largest step, logits, and the workspaces of libraries.
int64_t working_bytes(const model::Model& model, const CudaExecutorOptions& options) {
    const model::Config& c = model.config();
    const int64_t per_token =
        4LL * c.hidden + 2 * model.heads().row() + 2LL * c.heads * c.head_dim + 3LL * c.intermediate;
    const int64_t logits = 10LL * c.vocabulary * options.max_batch;
    return 2 * per_token * options.chunk_tokens + logits + (int64_t{3} << 29);
}

int64_t cache_bytes(const model::Model& model, const CudaExecutorOptions& options) {
    if (options.cache_bytes > 0) return options.cache_bytes;
    size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) != cudaSuccess)
        throw MachineError("cudaMemGetInfo fails: the GPU cannot be used");
    return std::max<int64_t>(
        0, static_cast<int64_t>(static_cast<double>(free) * 0.97) - working_bytes(model, options));
}

int batch_bucket(int rows) {
    if (rows <= 8) return rows <= 1 ? 1 : rows <= 2 ? 2 : rows <= 4 ? 4 : 8;
    const int step = rows <= 64 ? 8 : rows <= 256 ? 16 : 64;
    return (rows + step - 1) / step * step;
}

int length_bucket(int length, int capacity) {
    int bucket = 512;
    while (bucket < length) bucket *= 2;
    return std::min(bucket, capacity);
}

class CudaExecutor : public Executor {
  public:
    CudaExecutor(const model::Model& model, const CudaExecutorOptions& options)
        : model_(model),
          options_(options),
          device_(model.options().device),
          guard_(device_),
          stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device_.index())) {
        std::string why;
        if (!kernels::find_library(&why))
            throw MachineError("the engine's CUDA kernels cannot be used: " + why);
        if (model.activations() != at::kBFloat16 && model.activations() != at::kHalf)
            throw InputError(
                "on a GPU the engine samples in bfloat16 or float16: choose one of them with --dtype");
        cudaDeviceProp properties{};
        cudaGetDeviceProperties(&properties, device_.index());
        multiprocessors_ = properties.multiProcessorCount;
        if (model.options().dtype == at::kFloat8_e4m3fn)
            model::check_fp8("--dtype fp8", properties.name, properties.major, properties.minor);
        if (options.cache_dtype == CacheDtype::fp8)
            model::check_fp8("--cache-dtype fp8", properties.name, properties.major, properties.minor);
        const int blocks = plan_blocks(model, cache_bytes(model, options), options.block_size,
                                       options.max_batch, 1024, options.cache_dtype);
        cache_ = PagedCache::make(model, blocks, options.block_size, options.cache_dtype);
        capacity_ =
            (std::min(blocks * options.block_size, model.config().positions) + options.block_size - 1) /
            options.block_size * options.block_size;
        const int64_t table = 4LL * capacity_ / options.block_size;
        const int64_t rows = std::max(batch_bucket(options.max_batch), 1);
        decode_inputs_ = std::make_unique<StepInputs>(rows * (table + 128) + 8192, device_);
        // Short prompts need many tables, requests for many samples many draws: enough for any sensible step.
        prefill_inputs_ =
            std::make_unique<StepInputs>(options.chunk_tokens * 96LL + (int64_t{64} << 20), device_);
    }

    int blocks() const override { return cache_.blocks(); }
    int block_size() const override { return cache_.block_size; }

    void copy_block(int from, int to) override {
        const at::NoGradGuard no_grad;
        const c10::cuda::CUDAStreamGuard on(stream_);
        cache_.copy_block(from, to);
    }

    std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) override {
        try {
            const at::NoGradGuard no_grad;
            const c10::cuda::CUDAStreamGuard on(stream_);
            return run_on_stream(segments);
        } catch (const c10::Error& error) {
            throw MachineError(error.what_without_backtrace());
        }
    }

  private:
    /// Draws of some segments, still on the device.
    struct Pending {
        std::vector<size_t> segments;
        DrawnTokens drawn;  ///< of all their draws, in order; more rows may follow
        at::Tensor logits;  ///< [segments, vocabulary] where top log-probabilities are asked for
    };

    std::vector<std::vector<Draw>> run_on_stream(const std::vector<Segment>& segments) {
        std::vector<size_t> answers, prompts;
        for (size_t i = 0; i < segments.size(); ++i) {
            const Segment& one = segments[i];
            (one.answer ? answers : prompts).push_back(i);
        }
        std::vector<std::vector<Draw>> out(segments.size());
        std::vector<Pending> pending;
        if (!answers.empty()) pending.push_back(decode(segments, answers));
        if (!prompts.empty()) pending.push_back(prefill(segments, prompts));
        for (const Pending& one : pending) collect(segments, one, out);
        return out;
    }

    Pending decode(const std::vector<Segment>& segments, const std::vector<size_t>& chosen) {
        int longest = 0;
        bool top = false;
        for (size_t i : chosen) {
            longest = std::max(longest, segments[i].start + 1);
            top |= segments[i].top_logprobs > 0;
        }
        const int rows = batch_bucket(static_cast<int>(chosen.size()));
        const int length = length_bucket(longest, capacity_);
        const int stride = (length + cache_.block_size - 1) / cache_.block_size;
        std::vector<int64_t> tokens(static_cast<size_t>(rows)), positions(tokens.size()),
            slots(tokens.size(), -1);
        std::vector<int> lengths(tokens.size()), table(tokens.size() * static_cast<size_t>(stride));
        std::vector<kernels::DrawRow> draws(tokens.size());
        for (size_t r = 0; r < chosen.size(); ++r) {
            const Segment& one = segments[chosen[r]];
            tokens[r] = one.tokens[0];
            positions[r] = one.start;
            slots[r] = slot(one, one.start);
            lengths[r] = one.start + 1;
            draws[r] = one.draws[0];
            std::copy_n(one.blocks->begin(), one.start / cache_.block_size + 1,
                        table.begin() + static_cast<std::ptrdiff_t>(r) * stride);
        }
        StepInputs& in = *decode_inputs_;
        in.clear();
        const at::Tensor token = in.add<int64_t>(tokens, at::kLong),
                         position = in.add<int64_t>(positions, at::kLong);
        const PagedPlaces places{in.add<int64_t>(slots, at::kLong), in.add<int>(table), stride, rows};
        DecodeAttention::Plan plan;
        plan.lengths = in.add<int>(lengths);
        plan.max_length = stride * cache_.block_size;
        const kernels::DrawRow* draw = in.add<kernels::DrawRow>(draws);
        const Sharing sharing = sharing_of(table, stride, lengths);
        plan.split_size = sharing.split_size;
        if (!sharing.prefixes.empty()) plan.shared = in.add<kernels::SharedPrefix>(sharing.prefixes);
        in.upload();
        Pending pending;
        pending.segments = chosen;
        auto compute = [&] {
            DecodeAttention attention(cache_, model_.heads(), places, plan);
            const at::Tensor logits = model_.logits(model_.forward(token, position, attention));
            if (top) pending.logits = logits;
            return draw_tokens(logits, draw);
        };
        const DecodeGraphs::Key key{rows, plan.max_length, plan.split_size, plan.shared != nullptr};
        pending.drawn = options_.graphs && !top ? graphs_.run(key, compute) : compute();
        return pending;
    }

    /// @param table [rows, stride]  @param lengths [rows]
    Sharing sharing_of(const std::vector<int>& table, int stride, const std::vector<int>& lengths) const {
        DecodeStep step;
        step.table = table;
        step.table_stride = stride;
        step.block_size = cache_.block_size;
        step.lengths = lengths;
        step.heads = static_cast<int>(model_.heads().queries);
        step.kv_heads = static_cast<int>(model_.heads().keys);
        step.head_dim = static_cast<int>(model_.heads().width);
        step.max_length = stride * cache_.block_size;
        step.multiprocessors = multiprocessors_;
        step.fixed_split = model_.options().exact;
        step.split_size = step.fixed_split
                              ? kExactSplit
                              : kernels::decode_split_size(static_cast<int>(lengths.size()), step.kv_heads,
                                                           step.max_length, multiprocessors_);
        const bool can_share = options_.share_prefixes && options_.cache_dtype != CacheDtype::fp8;
        return can_share ? find_sharing(step) : Sharing{step.split_size, {}};
    }

    Pending prefill(const std::vector<Segment>& segments, const std::vector<size_t>& chosen) {
        std::vector<int64_t> tokens, positions, slots, last, copies;
        std::vector<int> queries{0}, keys{0}, table;
        std::vector<kernels::DrawRow> draws;
        PrefillAttention::Lengths lengths;
        size_t stride = 0;
        for (size_t i : chosen)
            stride = std::max(stride, (static_cast<size_t>(segments[i].start) + segments[i].tokens.size() -
                                       1) / static_cast<size_t>(cache_.block_size) +
                                          1);
        for (size_t i : chosen) {
            const Segment& one = segments[i];
            const int count = static_cast<int>(one.tokens.size()), end = one.start + count;
            for (int k = 0; k < count; ++k) {
                tokens.push_back(one.tokens[static_cast<size_t>(k)]);
                positions.push_back(one.start + k);
                slots.push_back(slot(one, one.start + k));
            }
            queries.push_back(queries.back() + count);
            keys.push_back(keys.back() + end);
            lengths.longest_query = std::max(lengths.longest_query, count);
            lengths.longest_key = std::max(lengths.longest_key, end);
            lengths.from_cache |= one.start > 0;
            const auto used = static_cast<std::ptrdiff_t>((end - 1) / cache_.block_size + 1);
            table.insert(table.end(), one.blocks->begin(), one.blocks->begin() + used);
            table.resize(table.size() + stride - static_cast<size_t>(used));
            if (one.draws.empty()) continue;
            // All samples of a prompt draw from one row of logits.
            copies.insert(copies.end(), one.draws.size(), static_cast<int64_t>(last.size()));
            draws.insert(draws.end(), one.draws.begin(), one.draws.end());
            last.push_back(static_cast<int64_t>(tokens.size()) - 1);
        }
        StepInputs& in = *prefill_inputs_;
        in.clear();
        const at::Tensor token = in.add<int64_t>(tokens, at::kLong),
                         position = in.add<int64_t>(positions, at::kLong);
        const PagedPlaces places{in.add<int64_t>(slots, at::kLong), in.add<int>(table),
                                 static_cast<int64_t>(stride), static_cast<int>(chosen.size())};
        lengths.queries = in.add<int>(queries, at::kInt);
        lengths.keys = in.add<int>(keys, at::kInt);
        lengths.all_keys = keys.back();
        const at::Tensor rows = in.add<int64_t>(last, at::kLong),
                         repeated = in.add<int64_t>(copies, at::kLong);
        const kernels::DrawRow* draw = in.add<kernels::DrawRow>(draws);
        in.upload();
        Pending pending;
        pending.segments = chosen;
        PrefillAttention attention(cache_, model_.heads(), places, lengths);
        const at::Tensor hidden = model_.forward(token, position, attention);
        if (draws.empty()) return pending;
        const at::Tensor logits = model_.logits(hidden.index_select(0, rows));
        pending.logits = logits;
        pending.drawn =
            draw_tokens(copies.size() == last.size() ? logits : logits.index_select(0, repeated), draw);
        return pending;
    }

    int64_t slot(const Segment& segment, int position) const {
        return static_cast<int64_t>((*segment.blocks)[static_cast<size_t>(position / cache_.block_size)]) *
                   cache_.block_size +
               position % cache_.block_size;
    }

    static void collect(const std::vector<Segment>& segments, const Pending& pending,
                        std::vector<std::vector<Draw>>& out) {
        if (!pending.drawn.tokens.defined()) return;
        const at::Tensor tokens = pending.drawn.tokens.to(at::kCPU),
                         logprobs = pending.drawn.logprobs.to(at::kCPU);
        int64_t row = 0, prompt = 0;
        for (size_t i : pending.segments) {
            std::vector<Draw>& draws = out[i];
            if (segments[i].draws.empty()) continue;
            for (size_t k = 0; k < segments[i].draws.size(); ++k, ++row)
                draws.push_back({{static_cast<Token>(tokens.const_data_ptr<int64_t>()[row]),
                                  logprobs.const_data_ptr<float>()[row]},
                                 {}});
            if (segments[i].top_logprobs > 0)
                add_top_logprobs(pending.logits.narrow(0, prompt, 1), segments[i].top_logprobs, draws);
            ++prompt;
        }
    }

    const model::Model& model_;
    const CudaExecutorOptions options_;
    const at::Device device_;
    const c10::cuda::CUDAGuard guard_;
    const c10::cuda::CUDAStream stream_;
    int multiprocessors_ = 0, capacity_ = 0;
    PagedCache cache_;
    std::unique_ptr<StepInputs> decode_inputs_, prefill_inputs_;
    DecodeGraphs graphs_;
};

}  // namespace

std::unique_ptr<Executor> cuda_executor(const model::Model& model, const CudaExecutorOptions& options) {
    return std::make_unique<CudaExecutor>(model, options);
}

}  // namespace tritonsmith::engine
