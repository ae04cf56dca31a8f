#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/page_cache.h"
#include "plan/link.h"
#include "plan/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

struct ResidencyOptions {
    uint64_t seed = 0;
    double seconds = 10;  ///< budget for all launches together; beyond it nothing is known
    int threads = 0;
    std::set<std::string> kernels;   ///< those whose programs wait for others
    std::vector<bool> skip_kernels;  ///< kernels that do not fit the target
};

/// Launches of the full-size plan that never end on a device, because all of the programs that it holds at
/// once wait for others, which cannot start. Launches of more programs than that are interpreted from their
/// first program on, with as many side by side as the device holds, until these wait for ever, or as many
/// have ended. Says nothing about launches that read what earlier ones wrote. Finding: interpret_timeout.
std::optional<Finding> check_residency(const plan::Plan& reference, const plan::Plan& candidate,
                                       const plan::Links& links,
                                       const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                                       const ResidencyOptions& options, PageCache& pages);

}  // namespace tritonsmith::judge
