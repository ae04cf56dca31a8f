#pragma once

#include "run/worker/exec/executor.h"

namespace tritonsmith::run {

/// docs/judge.md, Input sets: what inputs say twice is drawn apart, where the variant asks for it. Each such
/// input, and each part of one that holds the same draw several times, is made as the task makes it from
/// other draws. To be called behind the setup. @param options of the executor whose memory it is
void draw_apart(const plan::Plan& plan, const ExecutorOptions& options, int64_t memory_limit, Memory& memory);

}  // namespace tritonsmith::run
