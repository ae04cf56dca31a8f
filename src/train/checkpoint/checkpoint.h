#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "train/optimizer/optimizer.h"

namespace tritonsmith::train {

/// What a run needs besides weights and the optimizer's tensors to go on as if it had never stopped.
struct TrainerState {
    int64_t step = 0;  ///< steps that are done
    Json data;         ///< BatchStream's place behind the last batch
    Json more;         ///< of the kind of training: best evaluation, tokens so far
};

/// A folder of checkpoints, each a model's folder in Hugging Face's layout with trainer/ in it:
///
///     step-00000100/config.json, *.safetensors, tokenizer.json ...
///     step-00000100/trainer/optimizer.safetensors, state.json
///     last -> step-00000100, best -> step-00000050
///
/// A checkpoint is there whole or not at all: it is written under another name and renamed.
class Checkpoints {
  public:
    /// @param keep newest ones; the best is kept besides. 0: all
    Checkpoints(std::filesystem::path folder, int keep) : folder_(std::move(folder)), keep_(keep) {}

    /// @param tokenizer a model's folder, whose tokenizer and chat template are copied; empty: none
    /// @param best whether this is the best so far @throws MachineError
    void save(const model::Model& model, const Optimizer& optimizer, const TrainerState& state,
              const std::filesystem::path& tokenizer, bool best) const;
    /// The last one; nothing where there is none. @throws InputError for a link to nothing
    std::optional<std::filesystem::path> last() const;

  private:
    void link(const char* name, const std::filesystem::path& target) const;
    void remove_old() const;

    std::filesystem::path folder_;
    int keep_;
};

/// Copies a checkpoint's tensors into the optimizer's states. @throws InputError for those of other parameters
/// or settings
TrainerState restore(const std::filesystem::path& checkpoint, const Optimizer& optimizer);

}  // namespace tritonsmith::train
