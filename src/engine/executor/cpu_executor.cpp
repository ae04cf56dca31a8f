#include "engine/executor/cpu_executor.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

#include "engine/executor/cpu_attention.h"
#include "engine/executor/top_logprobs.h"
#include "engine/kv_cache/paged_cache.h"
#include "kernels/sampling.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::engine {
namespace {

class CpuExecutor : public Executor {
  public:
    CpuExecutor(const model::Model& model, int blocks, int block_size)
        : model_(model), cache_(PagedCache::make(model, blocks, block_size)) {
        for (int64_t i = 0; i < cache_.keys.size(0); ++i)
            layers_.push_back({cache_.keys.select(0, i), cache_.values.select(0, i), {}});
    }

    int blocks() const override { return cache_.blocks(); }
    int block_size() const override { return cache_.block_size; }
    void copy_block(int from, int to) override {
        const at::NoGradGuard no_grad;
        cache_.copy_block(from, to);
    }

    std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) override {
        const at::NoGradGuard no_grad;
        std::vector<int64_t> tokens, positions, rows;
        for (const Segment& segment : segments) {
            for (size_t i = 0; i < segment.tokens.size(); ++i) {
                tokens.push_back(segment.tokens[i]);
                positions.push_back(segment.start + static_cast<int64_t>(i));
            }
            if (!segment.draws.empty()) rows.push_back(static_cast<int64_t>(tokens.size()) - 1);
        }
        CpuPagedAttention attention(layers_, model_.heads(), segments);
        const at::Tensor hidden =
            model_.forward(at::tensor(tokens, at::kLong), at::tensor(positions, at::kLong), attention);
        std::vector<std::vector<Draw>> out(segments.size());
        if (rows.empty()) return out;
        const bool all = rows.size() == tokens.size();  // for instance if all are answers
        const at::Tensor logits =
            model_.logits(all ? hidden : hidden.index_select(0, at::tensor(rows, at::kLong)));
        draw(segments, logits, out, model_.options().exact);
        return out;
    }

  private:
    struct Work {
        int64_t row;
        const kernels::DrawRow* how;
        Draw* out;
    };

    static void draw(const std::vector<Segment>& segments, const at::Tensor& logits,
                     std::vector<std::vector<Draw>>& out, bool exact) {
        std::vector<Work> work;
        int64_t row = 0;
        for (size_t s = 0; s < segments.size(); ++s) {
            out[s].resize(segments[s].draws.size());
            for (size_t i = 0; i < out[s].size(); ++i)
                work.push_back({row, &segments[s].draws[i], &out[s][i]});
            if (!segments[s].draws.empty()) ++row;
        }
        const int64_t vocabulary = logits.size(1);
        const float* from = logits.const_data_ptr<float>();
        model::parallel_for(static_cast<int64_t>(work.size()), 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const Work& one = work[static_cast<size_t>(i)];
                const kernels::Drawn drawn =
                    kernels::draw_token(from + one.row * vocabulary, static_cast<int>(vocabulary), *one.how);
                one.out->chosen = {static_cast<Token>(drawn.token), drawn.logprob};
            }
        });
        if (exact) score_draws(logits, work);
        row = 0;
        for (size_t s = 0; s < segments.size(); ++s) {
            if (segments[s].draws.empty()) continue;
            if (segments[s].top_logprobs > 0)
                add_top_logprobs(logits.narrow(0, row, 1), segments[s].top_logprobs, out[s]);
            ++row;
        }
    }

    /// Log-probabilities of the drawn tokens as scoring and training compute them: those of draw_token() are
    /// of its rounded weights.
    static void score_draws(const at::Tensor& logits, const std::vector<Work>& work) {
        std::vector<int64_t> rows, tokens;
        std::vector<Draw*> draws;
        for (const Work& one : work) {
            if (one.out->chosen.token < 0) continue;
            rows.push_back(one.row);
            tokens.push_back(one.out->chosen.token);
            draws.push_back(one.out);
        }
        if (draws.empty()) return;
        const at::Tensor scores = model::log_probabilities(
            logits.index_select(0, at::tensor(rows, at::kLong)), at::tensor(tokens, at::kLong));
        for (size_t i = 0; i < draws.size(); ++i)
            draws[i]->chosen.logprob = scores.const_data_ptr<float>()[i];
    }

    const model::Model& model_;
    PagedCache cache_;
    std::vector<model::PagedCache> layers_;  ///< of it
};

}  // namespace

std::unique_ptr<Executor> cpu_executor(const model::Model& model, int blocks, int block_size) {
    return std::make_unique<CpuExecutor>(model, blocks, block_size);
}

}  // namespace tritonsmith::engine
