#include "text/prompt/prompt.h"

namespace tritonsmith::text {
namespace {

// Everything said here is something that the judge rejects for (docs/reasons.md): a model cannot know it
// otherwise.
constexpr const char* kSystem =
    "You are an expert in GPU programming with Triton. You replace PyTorch modules by equivalent ones whose "
    "work is done by "
    "Triton kernels that are correct and fast. Your answer holds one Python program in one ```python block, "
    "and nothing "
    "after it.";

constexpr const char* kInstructionSystem =
    "You are an expert in GPU programming with Triton. Your answer holds one Python program in one ```python "
    "block, "
    "and nothing after it.";

constexpr const char* kRules = R"(Rules:
- Define `class ModelNew(nn.Module)` with the constructor arguments and the `forward` arguments of the reference, and
  outputs of the same shapes and dtypes. Import what you use; no tests, no main, no `get_inputs`.
- Parameters and buffers keep the names, shapes and order that the reference's have: its weights are copied into yours.
- The program must be right for other sizes and other input values than the ones shown: take sizes from the tensors, mask
  the edges of every tile, and hide no special cases.
- Every element that is loaded or stored lies inside its tensor, and no two programs write the same element without an
  atomic operation.
- Results are compared with a float64 evaluation of the reference: accumulate in float32, and for float32 inputs use
  `tl.dot(..., input_precision="ieee")`. Inputs are left as they are.
)";

constexpr const char* kRobust =
    "- All arithmetic happens in `@triton.jit` kernels that `forward` launches. Of PyTorch only allocation "
    "(`torch.empty`, "
    "`torch.empty_like`), views, `contiguous` and casts (but from floats to integers) are allowed there: no "
    "operators, no "
    "`torch.nn.functional`, no `torch.compile`, no fallback.\n";

constexpr const char* kRelaxed =
    "- At least one `@triton.jit` kernel does real work; PyTorch operators are allowed beside it.\n";

constexpr const char* kExampleTask = R"(import torch
import torch.nn as nn


class Model(nn.Module):
    """Scales each feature, adds a residual, and keeps what is positive."""

    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x, residual):
        return torch.relu(x * self.scale + residual)


BATCH = 2048
FEATURES = 3000


def get_inputs():
    return [torch.randn(BATCH, FEATURES), torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return [FEATURES]
)";

constexpr const char* kExampleKernel = R"(import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_add_relu(x_ptr, residual_ptr, scale_ptr, out_ptr, features, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = col < features
    x = tl.load(x_ptr + row * features + col, mask=inside, other=0.0)
    residual = tl.load(residual_ptr + row * features + col, mask=inside, other=0.0)
    scale = tl.load(scale_ptr + col, mask=inside, other=0.0)
    result = tl.maximum(x * scale + residual, 0.0)
    tl.store(out_ptr + row * features + col, result, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x, residual):
        x = x.contiguous()
        residual = residual.contiguous()
        out = torch.empty_like(x)
        rows, features = x.shape
        grid = (rows, triton.cdiv(features, 1024))
        scale_add_relu[grid](x, residual, self.scale, out, features, BLOCK=1024, num_warps=4)
        return out
)";

std::string fenced(const std::string& program) {
    return "```python\n" + program + (program.ends_with('\n') ? "" : "\n") + "```\n";
}

}  // namespace

const char* example_task() {
    return kExampleTask;
}
const char* example_kernel() {
    return kExampleKernel;
}

std::vector<Message> kernel_prompt(const KernelRequest& request) {
    if (request.form == PromptForm::brief)
        return {{"user", (request.source.empty() ? "" : fenced(request.source)) +
                             (request.card.empty() ? "" : "```\n" + request.card + "```\n")}};
    std::string reference = "\nNow the reference that you replace";
    if (!request.source.empty()) reference += ":\n\n" + fenced(request.source);
    if (!request.card.empty())
        reference += std::string(request.source.empty() ? ", by what it computes" : "\nWhat it computes") +
                     ", with the shapes of its inputs:\n\n```\n" + request.card + "```\n";
    std::string user =
        "Replace the class `" + request.entry +
        "` below by Triton kernels for an NVIDIA GPU of architecture " + request.target + ".\n\n" + kRules +
        (request.relaxed ? kRelaxed : kRobust) + "\nAn example. For the reference\n\n" +
        fenced(kExampleTask) + "\na right answer is\n\n" + fenced(kExampleKernel) + reference +
        "\nThink about which work each program does and how memory is read, then write the program.";
    return {{"system", kSystem}, {"user", std::move(user)}};
}

std::vector<Message> instruction_prompt(const std::string& instruction) {
    return {{"system", kInstructionSystem},
            {"user", instruction + "\n\nWrite the whole program: its imports, the Triton kernels, and the "
                                   "functions that launch them, with the "
                                   "names and arguments given above. No tests."}};
}

Message correction_prompt(const std::string& feedback) {
    return {"user", "That program was rejected:\n" + feedback +
                        "\n\nFind the cause, then give the whole corrected program in one ```python block."};
}

}  // namespace tritonsmith::text
