#include "train/data/batch.h"

#include "train/data/packing.h"

namespace tritonsmith::train {

Batch batch_of(const std::vector<Example>& examples, const std::vector<size_t>& chosen) {
    Batch batch;
    for (const size_t index : chosen) {
        const Example& example = examples[index];
        batch.tokens.insert(batch.tokens.end(), example.tokens.begin(), example.tokens.end());
        batch.learned.insert(batch.learned.end(), example.learned.begin(), example.learned.end());
        batch.lengths.push_back(static_cast<int64_t>(example.tokens.size()));
        for (size_t i = 1; i < example.learned.size(); ++i) batch.targets += example.learned[i];
    }
    return batch;
}

std::vector<std::vector<size_t>> pack_examples(const std::vector<Example>& examples, int64_t budget) {
    std::vector<int64_t> lengths;
    for (const Example& example : examples) lengths.push_back(static_cast<int64_t>(example.tokens.size()));
    return pack(lengths, budget);
}

}  // namespace tritonsmith::train
