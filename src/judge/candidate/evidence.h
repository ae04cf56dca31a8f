#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/candidate/launch_forms.h"
#include "judge/sampling/sampled.h"
#include "judge/services/compiled_baseline.h"
#include "judge/task/scaled_task.h"
#include "judge/timing/timing.h"
#include "judge/verdict/verdict.h"
#include "plan/analysis/cost.h"
#include "plan/policy/policy.h"
#include "run/client/client.h"

namespace tritonsmith::judge {

/// What a size other than the task's own could not decide. @param finding nothing: it does not fit there
struct UndecidedSize {
    ScaledSizes scaled;
    std::optional<Finding> finding;
};

/// The largest errors at the small size.
struct SmallErrors {
    double candidate = 0, reference = 0;
    double share_of_bound = 0;
    std::string worst;  ///< the output with the largest share, and its inputs
};

struct KernelResources {
    std::string kernel;
    int registers = 0, spills = 0;
    int64_t shared = 0;
    int num_warps = 0;
};

/// The whole candidate at full size on a device.
struct FullSizeRun {
    std::string device;
    size_t input_sets = 0;
    int runs = 0;
    int64_t elements = 0;  ///< compared
    double worst_ratio = 0, seconds = 0;
    double reference_seconds = 0;
    Json reference_parts = nullptr;
    int expected_spilled = 0;
};

/// The file's own run.
struct AsWrittenRun {
    std::string not_run;  ///< why
    double seconds = 0;
    int64_t unlinked_draws = 0;
    std::optional<bool> compared = std::nullopt;
};

/// The reference under torch.compile.
struct CompileBaseline {
    std::optional<BaselineError> failed;
    std::optional<OpenedBaseline> opened;  ///< by this candidate
    std::optional<std::string> not_timed;  ///< why
};

/// What the stages have shown of a candidate so far. Verdicts are made of it when they are done; nothing is
/// read back out of their JSON.
struct Evidence {
    Checked checked = Checked::none;
    /// What the judged size is, where it is not the task's own.
    std::optional<ScaledSizes> scaled;
    std::vector<std::string> skipped_input_variants, left_out_outputs, oracle_rounding;
    // The trace.
    std::optional<plan::PolicyReport> policy;
    std::map<std::string, std::string> weights_linked_by_order;  ///< those whose names differ
    bool weights_ambiguous = false;  ///< the order of the state dict was taken, not that of draws
    std::vector<Finding> state_notes;
    std::optional<std::vector<KernelResources>> kernels;
    // The small size, and others.
    std::optional<size_t> input_sets;
    bool tf32 = false;  ///< the candidate's products round to it
    std::optional<std::vector<run::Launched>> small_size_launches;
    std::optional<plan::Cost> small_size_reference;  ///< of the reference, from shapes
    std::vector<Finding> warnings;
    std::optional<SmallErrors> error;
    std::vector<UndecidedSize> sizes_that_failed;
    std::optional<OnlyHere> only_at_full_size;
    std::vector<ScaledSizes> further_sizes;  ///< at which it is right as well
    std::optional<bool> shape_specialised;   ///< nothing: other sizes were not asked
    // The task's own size.
    std::optional<SampledEvidence> full_size_sample;
    std::optional<FullSizeRun> full_size_run;
    std::optional<AsWrittenRun> as_written;
    Timing timing;
    std::optional<Finding> baseline_failed;
    CompileBaseline compile_baseline;
    // Plans other than the first.
    std::vector<int> later_calls;
};

/// The part of a verdict's `evidence` that the stages have shown.
Json to_json(const Evidence& evidence);

}  // namespace tritonsmith::judge
