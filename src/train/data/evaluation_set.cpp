#include "train/data/evaluation_set.h"

#include <algorithm>

#include "train/data/row_stream.h"

namespace tritonsmith::train {

std::vector<Batch> evaluation_set(const std::vector<std::filesystem::path>& files, int64_t most,
                                  const StreamSettings& settings, const ExampleMaker& maker) {
    RowStream stream(files, 0);
    std::vector<Example> examples;
    int64_t tokens = 0;
    uint64_t number = 0;
    while (tokens < most * settings.budget) {
        const std::optional<Row> row = stream.next();
        if (!row) break;
        Random random(0, number++);
        for (const Conversation& conversation :
             conversations_of(row->text, row->where, settings.pairs, random)) {
            Example example = maker.make(conversation, row->where);
            if (static_cast<int64_t>(example.tokens.size()) > settings.longest) continue;
            tokens += static_cast<int64_t>(example.tokens.size());
            examples.push_back(std::move(example));
        }
    }
    if (examples.empty())
        throw InputError(files.front().string() +
                         ": no example to evaluate that is short enough (data.longest)");
    std::vector<Batch> batches;
    for (const std::vector<size_t>& chosen : pack_examples(examples, settings.budget)) {
        if (static_cast<int64_t>(batches.size()) == most) break;
        batches.push_back(batch_of(examples, chosen));
    }
    return batches;
}

}  // namespace tritonsmith::train
