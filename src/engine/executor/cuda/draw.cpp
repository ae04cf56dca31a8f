#include "engine/executor/cuda/draw.h"

#include <ATen/Functions.h>

#include "kernels/kernels.h"
#include "model/cuda/operators.h"

namespace tritonsmith::engine {

DrawnTokens draw_tokens(const at::Tensor& logits, const kernels::DrawRow* draws) {
    const int64_t rows = logits.size(0);
    DrawnTokens out{at::empty({rows}, logits.options().dtype(at::kLong)),
                    at::empty({rows}, logits.options())};
    kernels::SampleTokens sample;
    sample.logits = logits.const_data_ptr();
    sample.logits_stride = logits.stride(0);
    sample.draws = draws;
    sample.tokens = out.tokens.mutable_data_ptr<int64_t>();
    sample.logprobs = out.logprobs.mutable_data_ptr<float>();
    sample.rows = static_cast<int>(rows);
    sample.vocabulary = static_cast<int>(logits.size(1));
    sample.dtype = kernels::DType::fp32;
    kernels::sample_tokens(sample, model::current_stream(logits.device()));
    return out;
}

}  // namespace tritonsmith::engine
