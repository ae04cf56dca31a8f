#include "bench/suites/family.h"

#include <set>
#include <vector>

namespace tritonsmith::bench {
namespace {

struct Family {
    const char* name;
    std::vector<std::string_view> words;  ///< whole names, or beginnings where they end in '*'
};

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"attention", {"scaled_dot_product_attention", "MultiheadAttention", "TransformerEncoderLayer"}},
        {"recurrent", {"LSTM*", "GRU*", "RNN*"}},
        {"convolution",
         {"Conv1d", "Conv2d", "Conv3d", "ConvTranspose*", "conv1d", "conv2d", "conv3d", "conv_transpose*"}},
        {"matmul",
         {"matmul", "mm", "bmm", "addmm", "einsum", "Linear", "linear", "Bilinear", "tril_matmul",
          "baddbmm"}},
        {"norm",
         {"BatchNorm*", "LayerNorm", "GroupNorm", "InstanceNorm*", "RMSNorm", "batch_norm", "layer_norm",
          "group_norm", "rms_norm", "norm", "normalize"}},
        {"pooling", {"MaxPool*", "AvgPool*", "Adaptive*", "max_pool*", "avg_pool*", "adaptive_*"}},
        {"softmax", {"softmax", "log_softmax", "Softmax", "LogSoftmax", "logsumexp"}},
        {"scan", {"cumsum", "cumprod", "cummax", "cummin"}},
        {"loss",
         {"cross_entropy", "mse_loss", "kl_div", "smooth_l1_loss", "huber_loss", "triplet_margin_loss",
          "CosineSimilarity", "cosine_similarity", "CrossEntropyLoss", "MSELoss", "TripletMarginLoss",
          "hinge_embedding_loss"}},
        {"reduction",
         {"sum", "mean", "amax", "amin", "max", "min", "argmax", "argmin", "prod", "var", "std"}},
        {"activation",
         {"relu",     "ReLU",        "gelu",      "GELU", "sigmoid",   "Sigmoid",    "tanh",     "Tanh",
          "silu",     "SiLU",        "elu",       "selu", "celu",      "leaky_relu", "softplus", "softsign",
          "hardtanh", "hardsigmoid", "hardswish", "mish", "LeakyReLU", "clamp",      "exp"}},
    };
    return all;
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Names that a call follows. Words of docstrings have none behind them.
std::set<std::string_view> called_names(std::string_view source) {
    std::set<std::string_view> out;
    for (size_t i = 0; i < source.size();) {
        size_t end = i;
        while (end < source.size() && is_word(source[end])) ++end;
        if (end > i && end < source.size() && source[end] == '(') out.insert(source.substr(i, end - i));
        i = end + 1;
    }
    return out;
}

bool matches(std::string_view name, std::string_view word) {
    if (word.ends_with('*')) return name.starts_with(word.substr(0, word.size() - 1));
    return name == word;
}

}  // namespace

std::string family_of(std::string_view source) {
    const std::set<std::string_view> names = called_names(source);
    for (const Family& family : families()) {
        if (std::string_view(family.name) == "matmul" && source.find(" @ ") != std::string_view::npos)
            return family.name;
        for (std::string_view word : family.words)
            for (std::string_view name : names)
                if (matches(name, word)) return family.name;
    }
    return "other";
}

}  // namespace tritonsmith::bench
