#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "train/checkpoint/checkpoint.h"

namespace tritonsmith::train {

/// The folder of a run, before anything is written into it: it is new, empty, or holds this run.
/// @param settings all fields with their values  @param free those that may differ from what the run began
/// with ("/run/steps") @return the checkpoint to go on from
/// @throws InputError for the folder of something else, or of a run that began with other settings
std::optional<std::filesystem::path> checkpoint_to_resume(const std::filesystem::path& folder,
                                                          const Json& settings, bool resume,
                                                          const std::vector<std::string_view>& free,
                                                          const Checkpoints& checkpoints);

/// Steps that the last checkpoint in a run's folder has behind it; 0 where there is none.
int64_t steps_done(const std::filesystem::path& folder);

/// @throws InputError where the run in this folder began with other settings, or its run.json is damaged
void check_same_run(const std::filesystem::path& folder, const Json& settings,
                    const std::vector<std::string_view>& free);

}  // namespace tritonsmith::train
