#include "train/network/arithmetic.h"

namespace tritonsmith::train {

double arithmetic_of(const model::Config& config, const std::vector<int64_t>& lengths, int64_t targets,
                     bool frozen) {
    const double hidden = config.hidden, queries = static_cast<double>(config.heads) * config.head_dim,
                 keys = static_cast<double>(config.kv_heads) * config.head_dim;
    const double matrices =
        (2 * queries + 2 * keys) * hidden + 3.0 * config.intermediate * hidden;  // of one layer
    double tokens = 0, visible = 0;  // pairs of a query and a key that it sees
    for (const int64_t length : lengths) {
        const auto n = static_cast<double>(length);
        tokens += n;
        visible += n * (n + 1) / 2;
    }
    // Each product has two derivatives of its own size, unless one factor stays; two operations each.
    const double passes = frozen ? 4 : 6;
    const double products = config.layers * matrices * tokens +
                            static_cast<double>(config.vocabulary) * hidden * static_cast<double>(targets);
    return passes * products + 6 * config.layers * 2 * queries * visible;
}

}  // namespace tritonsmith::train
