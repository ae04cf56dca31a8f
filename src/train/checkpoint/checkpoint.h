#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "train/network/adapters.h"
#include "train/network/layer_memory.h"
#include "train/optimizer/optimizer.h"
#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// What is trained.
struct TrainedModel {
    const model::Model& model;
    const Adapters* adapters;  ///< those that are trained, or null
    LayerMemory& memory;       ///< of the model's layers
    /// Which samples while the other is trained, for training that has two; null: none.
    const model::Model* sampler = nullptr;
};

/// What a run needs besides weights and the optimizer's tensors to go on as if it had never stopped.
struct TrainerState {
    int64_t step = 0;  ///< steps that are done
    Json data;         ///< BatchStream's place behind the last batch
    Json more;         ///< of the kind of training: best evaluation, tokens so far
};

/// A folder of checkpoints, each a model's folder in Hugging Face's layout with trainer/ in it:
///
///     step-00000100/config.json, *.safetensors, tokenizer.json ...
///     step-00000100/trainer/optimizer-0-of-1.safetensors, state.json       (stored_states.h)
///     step-00000100/adapter/adapter_model.safetensors, adapter_config.json
///     step-00000100/sampler/config.json, *.safetensors
///     last -> step-00000100, best -> step-00000050
///
/// adapter/ is there where adapters are trained; the model's weights hold them too. sampler/ is there where
/// another model samples than the one that is trained.
/// A checkpoint is there whole or not at all: it is written under another name and renamed. Of several
/// processes each writes its share of the optimizer's states, rank 0 the rest; all see one file system.
class Checkpoints {
  public:
    /// @param keep newest ones; the best is kept besides. 0: all  @param communicator must outlive it
    Checkpoints(std::filesystem::path folder, int keep, Communicator& communicator)
        : folder_(std::move(folder)), keep_(keep), communicator_(communicator) {}

    /// @param tokenizer a model's folder, whose tokenizer and chat template are copied; empty: none
    /// @param best whether this is the best so far @throws MachineError
    void save(const TrainedModel& trained, const Optimizer& optimizer, const TrainerState& state,
              const std::filesystem::path& tokenizer, bool best) const;
    /// The last one; nothing where there is none. @throws InputError for a link to nothing
    std::optional<std::filesystem::path> last() const;

  private:
    std::filesystem::path write_part(const TrainedModel& trained, const TrainerState& state,
                                     const std::filesystem::path& tokenizer) const;
    void link(const char* name, const std::filesystem::path& target) const;
    void remove_old() const;

    std::filesystem::path folder_;
    int keep_;
    Communicator& communicator_;
};

/// Copies a checkpoint's tensors into the states of this process's share, whatever the division and the
/// number of processes that wrote them. @throws InputError for those of other parameters or settings
TrainerState restore(const std::filesystem::path& checkpoint, const Optimizer& optimizer);

}  // namespace tritonsmith::train
