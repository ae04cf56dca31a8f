#pragma once

#include <filesystem>
#include <vector>

#include "train/data/batch.h"
#include "train/data/batch_stream.h"

namespace tritonsmith::train {

/// The first examples of some files, each once, as at most `most` batches: always the same ones for the same
/// files and settings, so that runs can be compared.
/// @param settings of which sources, windows and seed do not matter @throws InputError for a damaged row, or
/// files without an example that is short enough
std::vector<Batch> evaluation_set(const std::vector<std::filesystem::path>& files, int64_t most,
                                  const StreamSettings& settings, const ExampleMaker& maker);

}  // namespace tritonsmith::train
