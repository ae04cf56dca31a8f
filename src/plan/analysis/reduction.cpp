#include "plan/analysis/reduction.h"

#include <algorithm>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/saturate.h"

namespace tritonsmith::plan {
namespace {

using Names = std::set<std::string_view>;

const Tensor* tensor_at(const AtenStep& step, size_t index) {
    return index < step.args.size() ? std::get_if<Tensor>(&step.args[index].v) : nullptr;
}

int64_t size_at(const Tensor* tensor, int64_t dimension) {
    if (!tensor || tensor->shape.empty()) return 1;
    auto rank = static_cast<int64_t>(tensor->shape.size());
    if (dimension < 0) dimension += rank;
    return dimension >= 0 && dimension < rank ? tensor->shape[static_cast<size_t>(dimension)] : 1;
}

int64_t integer_at(const AtenStep& step, size_t index, int64_t otherwise) {
    const auto* value = index < step.args.size() ? std::get_if<int64_t>(&step.args[index].v) : nullptr;
    return value ? *value : otherwise;
}

int64_t product(const AtenStep& step, size_t index) {
    const auto* list = index < step.args.size() ? std::get_if<Sequence>(&step.args[index].v) : nullptr;
    int64_t out = 1;
    if (list)
        for (const Value& item : list->items)
            if (const auto* size = std::get_if<int64_t>(&item.v))
                out = saturating_multiply(out, std::max<int64_t>(*size, 1));
    return out;
}

/// Elements of the first argument for each of the first result.
int64_t ratio(const AtenStep& step) {
    std::vector<Tensor> in = tensors_in(step.args), out = tensors_in(step.result);
    if (in.empty() || out.empty()) return 1;
    int64_t results = std::max<int64_t>(element_count(out[0]), 1);
    return std::max<int64_t>(element_count(in[0]) / results, 1);
}

int64_t convolution(const Tensor* weight, bool transposed) {
    if (!weight || weight->shape.empty()) return 1;
    // [out, in/groups, k…], transposed [in, out/groups, k…]: the largest sum over a group's inputs and the
    // window.
    int64_t other = transposed && weight->shape.size() > 1 ? weight->shape[1] : weight->shape[0];
    return element_count(*weight) / std::max<int64_t>(other, 1);
}

/// Elements that share a channel (dimension 1).
int64_t ratio_to_channels(const Tensor* input) {
    return input ? std::max<int64_t>(element_count(*input) / std::max<int64_t>(size_at(input, 1), 1), 1) : 1;
}

}  // namespace

int64_t reduction_length(const AtenStep& step) {
    std::string_view base = OpName(step.op).base;
    if (base == "mm" || base == "dot" || base == "vdot" || base == "mv" || base == "bmm" ||
        base == "matmul" || base == "linear")
        return size_at(tensor_at(step, 0), -1);
    if (base == "addmm" || base == "addmv" || base == "baddbmm" || base == "addmm_" || base == "baddbmm_" ||
        base == "_addmm_activation")
        return size_at(tensor_at(step, 1), -1);
    if (base == "addbmm")
        return saturating_multiply(size_at(tensor_at(step, 1), -1), size_at(tensor_at(step, 1), 0));
    if (base == "convolution" || base == "_convolution" || base == "convolution_overrideable") {
        const auto* transposed = step.args.size() > 6 ? std::get_if<bool>(&step.args[6].v) : nullptr;
        return convolution(tensor_at(step, 1), transposed && *transposed);
    }
    if (base.find("convolution") != std::string_view::npos || base.find("conv") == 0 ||
        base == "_conv_depthwise2d")
        return convolution(tensor_at(step, 1), base.find("transpose") != std::string_view::npos);
    if (base == "_softmax" || base == "_log_softmax" || base == "softmax" || base == "log_softmax" ||
        base == "cumsum" || base == "cumprod" || base == "logcumsumexp" || base == "_safe_softmax" ||
        base == "cumsum_")
        return size_at(tensor_at(step, 0), integer_at(step, 1, -1));
    if (base == "native_layer_norm" || base == "layer_norm" || base == "_fused_rms_norm")
        return product(step, 1);
    if (base == "native_group_norm") {  // input, weight, bias, N, C, HxW, group
        int64_t groups = std::max<int64_t>(integer_at(step, 6, 1), 1);
        int64_t channels = std::max<int64_t>(integer_at(step, 4, 1), 1),
                pixels = std::max<int64_t>(integer_at(step, 5, 1), 1);
        return std::max<int64_t>(saturating_multiply(channels, pixels) / groups, 1);
    }
    if (base.find("batch_norm") != std::string_view::npos) return ratio_to_channels(tensor_at(step, 0));
    if (base.find("scaled_dot_product") != std::string_view::npos)
        return std::max(size_at(tensor_at(step, 1), -2), size_at(tensor_at(step, 0), -1));
    if (base == "lstm" || base == "gru" || base == "rnn_tanh" || base == "rnn_relu" || base == "_cudnn_rnn" ||
        base == "mkldnn_rnn_layer") {
        // Each step of the sequence sums over input and state, and the state carries errors on.
        std::vector<Tensor> arguments = tensors_in(step.args);
        int64_t widest = 1;
        for (size_t i = 1; i < arguments.size(); ++i) widest = std::max(widest, size_at(&arguments[i], -1));
        const Tensor* sequence = tensor_at(step, 0);
        return saturating_multiply(widest, std::max(size_at(sequence, 0), size_at(sequence, 1)));
    }
    if (base == "_cdist_forward" || base == "_euclidean_dist" || base == "cdist")
        return size_at(tensor_at(step, 0), -1);
    // Every sample contributes one class, whatever their number. (log_probabilities, target, …)
    if (base == "nll_loss_forward" || base == "nll_loss2d_forward")
        return tensor_at(step, 1) ? element_count(*tensor_at(step, 1)) : 1;
    static const Names reduces{"sum",
                               "mean",
                               "prod",
                               "var",
                               "std",
                               "var_mean",
                               "std_mean",
                               "norm",
                               "linalg_vector_norm",
                               "logsumexp",
                               "nansum",
                               "mse_loss",
                               "l1_loss",
                               "smooth_l1_loss",
                               "huber_loss",

                               "binary_cross_entropy",
                               "binary_cross_entropy_with_logits",
                               "kl_div",
                               "trace",
                               "_adaptive_avg_pool2d",
                               "_adaptive_avg_pool3d",
                               "adaptive_avg_pool1d",
                               "dist",
                               "frobenius_norm",
                               "_ctc_loss",
                               "_cudnn_ctc_loss",
                               "_embedding_bag"};
    if (base.starts_with("avg_pool")) return std::max(product(step, 1), ratio(step));
    if (reduces.contains(base)) return ratio(step);
    if (base.starts_with("index_add") || base.starts_with("scatter_add") ||
        base.starts_with("scatter_reduce") || base == "index_put_" || base == "index_put") {
        const Tensor* added = tensor_at(step, base.starts_with("index_put") ? 2 : 3);
        return added ? std::max<int64_t>(element_count(*added) / std::max<int64_t>(size_at(added, -1), 1), 1)
                     : 1;
    }
    if (base.starts_with("_fft")) return element_count(tensor_at(step, 0) ? *tensor_at(step, 0) : Tensor{});
    if (base.starts_with("linalg_") || base.starts_with("_linalg_")) return size_at(tensor_at(step, 0), -1);
    return 1;
}

bool sums_products(const AtenStep& step) {
    static const Names names{"mm",    "addmm",  "bmm",       "baddbmm",   "addbmm",     "matmul", "linear",
                             "dot",   "vdot",   "mv",        "addmv",     "sum",        "nansum", "cumsum",
                             "trace", "einsum", "tensordot", "index_add", "scatter_add"};
    std::string_view base = OpName(step.op).base;
    if (base.find("convolution") != std::string_view::npos || base.starts_with("_conv_depthwise") ||
        base.starts_with("conv_depthwise"))
        return true;
    if (in_place(step.op)) base.remove_suffix(1);
    return names.contains(base) || averages(step);
}

bool averages(const AtenStep& step) {
    const std::string_view base = OpName(step.op).base;
    return base == "mean" || base.starts_with("avg_pool") || base.find("adaptive_avg_pool") == 0 ||
           base.find("_adaptive_avg_pool") == 0;
}

int64_t longest_reduction(const Plan& reference) {
    int64_t longest = 1;
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (aten && executed.step->phase == Phase::forward)
            longest = std::max(longest, reduction_length(*aten));
    }
    return longest;
}

}  // namespace tritonsmith::plan
