#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "model/model.h"

namespace tritonsmith::grpo {

/// The policy that samples while the trainer changes its own: a copy of its weights. They change only when
/// told to, while nothing is sampled.
class SamplingPolicy {
  public:
    /// @param trained must outlive it @param checkpoint that the run goes on from: holds the policy that the
    /// next step's answers are from @throws InputError for a checkpoint without one
    SamplingPolicy(const model::Model& trained, const std::optional<std::filesystem::path>& checkpoint);

    const model::Model& model() const { return model_; }
    /// Becomes the one that is trained.
    void renew();

    /// It is the one that is trained while this lives, and then again what it was.
    class Renewed {
      public:
        explicit Renewed(SamplingPolicy& policy);
        ~Renewed();
        Renewed(const Renewed&) = delete;
        Renewed& operator=(const Renewed&) = delete;

      private:
        SamplingPolicy& policy_;
        std::vector<at::Tensor> before_;  ///< in the host's memory
    };

  private:
    const model::Model& trained_;
    model::Model model_;
};

}  // namespace tritonsmith::grpo
