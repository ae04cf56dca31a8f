#include "train/network/arithmetic.h"

#include <gtest/gtest.h>

namespace tritonsmith::train {
namespace {

model::Config small_shape() {
    model::Config config;
    config.vocabulary = 100;
    config.hidden = 16;
    config.intermediate = 32;
    config.layers = 3;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 8;
    return config;
}

TEST(Arithmetic, IsSixOperationsForEachMatrixElementAndToken) {
    model::Config config = small_shape();
    config.tied_embeddings = true;
    const int64_t norms = 16 * (2 * 3 + 1), matrices = config.parameters() - norms - 1600;
    // One token sees itself: two products of 32 elements in each layer.
    EXPECT_EQ(arithmetic_of(config, {1}, 0), 6.0 * static_cast<double>(matrices + 3 * 2 * 32));
    EXPECT_EQ(arithmetic_of(config, {1}, 1) - arithmetic_of(config, {1}, 0), 6.0 * 1600);
}

TEST(Arithmetic, OfAttentionGrowsWithTheSquareOfADocument) {
    const model::Config config = small_shape();
    const double alone = arithmetic_of(config, {100, 100}, 0), together = arithmetic_of(config, {200}, 0);
    EXPECT_EQ(together - alone, 6.0 * 3 * 2 * 32 * (200 * 201 / 2 - 2 * 100 * 101 / 2));
}

}  // namespace
}  // namespace tritonsmith::train
