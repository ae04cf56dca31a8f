#include "engine/executor/top_logprobs.h"

#include <ATen/Functions.h>

#include <algorithm>

#include "model/model.h"

namespace tritonsmith::engine {

void add_top_logprobs(const at::Tensor& logits, int count, std::vector<Draw>& draws) {
    count = std::min<int>(count, static_cast<int>(logits.size(1)));
    if (count <= 0 || draws.empty()) return;
    const at::Tensor tokens = std::get<1>(logits.topk(count, 1)).view({count});
    const at::Tensor logprobs =
        model::log_probabilities(logits.expand({count, logits.size(1)}).contiguous(), tokens).to(at::kCPU);
    const at::Tensor on_cpu = tokens.to(at::kCPU);
    std::vector<TokenLogprob> top;
    for (int64_t i = 0; i < count; ++i)
        top.push_back(
            {static_cast<Token>(on_cpu.const_data_ptr<int64_t>()[i]), logprobs.const_data_ptr<float>()[i]});
    for (Draw& draw : draws) draw.top = top;
}

}  // namespace tritonsmith::engine
