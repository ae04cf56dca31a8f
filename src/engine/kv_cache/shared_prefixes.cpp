#include "engine/kv_cache/shared_prefixes.h"

#include <algorithm>
#include <numeric>

namespace tritonsmith::engine {
namespace {

// Costs of a step's attention, in tokens whose keys and values come from memory. From kernels_bench's times
// on an H200 (256 x 640 tokens, of which 512 are shared by 16; 16 and 32 heads over 8 of 128).
/// A token that another row has just read: it comes from the L2 cache.
constexpr double kTokenReadAgain = 0.37;
/// A part's start, end and merging, for each query head of a key head. With sharing, the kernel has twice as
/// many query slots.
constexpr double kPart = 8, kPartWhereShared = 15;
/// Bytes that could be read while the parts are merged, and the least gain that is worth recording another
/// graph.
constexpr double kMergeBytes = 8e6, kLeastGainBytes = 6e6;

/// Few, since each may need a graph of its own for each batch size.
constexpr int kSplitSizes[] = {128, 256, 384, 512, 768, 1024, 1536, 2048, 4096};
constexpr int64_t kMostWorkspace = int64_t{256} << 20;

class Costs {
  public:
    explicit Costs(const DecodeStep& step)
        : step_(step),
          group_(step.heads / step.kv_heads),
          token_bytes_(4.0 * step.kv_heads * step.head_dim) {}

    /// Of rows that are read alone, beside their tokens.
    double alone() const {
        if (step_.split_size == 0) return 0;
        return kPart * group_ * parts(step_.split_size) + kMergeBytes / token_bytes_;
    }
    double shared(int split_size, int64_t tokens_saved) const {
        return kPartWhereShared * group_ * parts(split_size) + kMergeBytes / token_bytes_ -
               kTokenReadAgain * static_cast<double>(tokens_saved);
    }
    double least_gain() const { return step_.fixed_split ? 0 : kLeastGainBytes / token_bytes_; }

  private:
    double parts(int split_size) const {
        int64_t count = 0;
        for (int length : step_.lengths) count += (length + split_size - 1) / split_size;
        return static_cast<double>(count);
    }

    const DecodeStep& step_;
    const int group_;
    const double token_bytes_;
};

int64_t tokens_saved(const std::vector<kernels::SharedPrefix>& prefixes, int split_size) {
    int64_t tokens = 0;
    for (size_t row = 0; row < prefixes.size(); ++row)
        if (prefixes[row].first_row != static_cast<int>(row))
            tokens += static_cast<int64_t>(prefixes[row].parts) * split_size;
    return tokens;
}

/// Whether parts of this size, one thread block each, keep all multiprocessors busy to the end, and their
/// workspace fits.
bool possible(const DecodeStep& step, int split_size, int64_t tokens_read) {
    kernels::DecodeAttention shape;
    shape.batch = static_cast<int>(step.lengths.size());
    shape.heads = step.heads;
    shape.head_dim = step.head_dim;
    shape.max_length = step.max_length;
    shape.split_size = split_size;
    return static_cast<int64_t>(split_size) * step.multiprocessors <= tokens_read * step.kv_heads &&
           kernels::decode_attention_workspace(shape) <= kMostWorkspace;
}

}  // namespace

std::vector<int> tokens_shared_with_previous(const DecodeStep& step) {
    std::vector<int> shared(step.lengths.size(), 0);
    for (size_t row = 1; row < shared.size(); ++row) {
        const int most = std::min(step.lengths[row - 1], step.lengths[row]) - 1;
        const int* before = step.table.data() + static_cast<int64_t>(row - 1) * step.table_stride;
        const int* here = before + step.table_stride;
        int tokens = 0;
        for (int block = 0; tokens < most && before[block] == here[block]; ++block) tokens += step.block_size;
        shared[row] = std::max(0, std::min(tokens, most));
    }
    return shared;
}

/// All samples of one prompt share the same blocks, so the first two determine the number of parts.
std::vector<kernels::SharedPrefix> shared_prefixes(std::span<const int> shared_tokens, int split_size,
                                                   int most_rows) {
    std::vector<kernels::SharedPrefix> out;
    const int rows = static_cast<int>(shared_tokens.size());
    const auto shared_parts = [&](int row) { return shared_tokens[static_cast<size_t>(row)] / split_size; };
    for (int first = 0; first < rows;) {
        int end = first + 1;
        const int parts = end < rows && most_rows > 1 ? shared_parts(end) : 0;
        while (parts > 0 && end < rows && end - first < most_rows && shared_parts(end) >= parts) ++end;
        out.resize(static_cast<size_t>(end), {first, end - first, parts});
        first = end;
    }
    return out;
}

Sharing find_sharing(const DecodeStep& step) {
    Sharing best{step.split_size, {}};
    const int most_rows = 16 / (step.heads / step.kv_heads);
    if (most_rows < 2) return best;
    const std::vector<int> shared = tokens_shared_with_previous(step);
    const int longest = shared.empty() ? 0 : *std::max_element(shared.begin(), shared.end());
    const int64_t tokens = std::accumulate(step.lengths.begin(), step.lengths.end(), int64_t{0});
    const Costs costs(step);
    double least = costs.alone() - costs.least_gain();
    const auto consider = [&](int split_size) {
        if (split_size > longest) return;
        std::vector<kernels::SharedPrefix> prefixes = shared_prefixes(shared, split_size, most_rows);
        const int64_t saved = tokens_saved(prefixes, split_size);
        const double cost = costs.shared(split_size, saved);
        if (cost >= least || (!step.fixed_split && !possible(step, split_size, tokens - saved))) return;
        least = cost;
        best = {split_size, std::move(prefixes)};
    };
    if (step.fixed_split)
        consider(step.split_size);
    else
        for (int split_size : kSplitSizes) consider(split_size);
    return best;
}

}  // namespace tritonsmith::engine
