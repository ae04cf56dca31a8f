#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/sampling.h"
#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::testing {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Rows {
    std::vector<std::vector<float>> logits;
    std::vector<DrawRow> draws;
};

/// Every kind of cut on rows that are flat, peaked, full of ties, masked, or without any number.
Rows rows_to_draw(int vocabulary, DType dtype, int seeds) {
    std::vector<std::vector<float>> kinds;
    kinds.push_back(random_values(vocabulary, dtype, 21, 3));
    kinds.push_back(random_values(vocabulary, dtype, 22, 0.01f));
    kinds.push_back(random_values(vocabulary, dtype, 23, 30));
    kinds.push_back(std::vector<float>(vocabulary, 2.5f));
    kinds.push_back(random_values(vocabulary, dtype, 24));
    for (float& x : kinds.back()) x = std::round(x);
    kinds.push_back(random_values(vocabulary, dtype, 25, 2));
    for (int i = 0; i < vocabulary; ++i)
        if (i % 7 != 3) kinds.back()[i] = -infinity;
    kinds.push_back(std::vector<float>(vocabulary, -infinity));
    kinds.push_back(random_values(vocabulary, dtype, 26, 2));
    kinds.back()[vocabulary / 2] = std::nanf("");
    Rows rows;
    uint32_t position = 0;
    for (const auto& kind : kinds)
        for (int seed = 0; seed < seeds; ++seed)
            for (const DrawRow& row :
                 {draw_row(1, 0, 1, 0, seed, 1, position), draw_row(0.6, 20, 0.95, 0, seed, 2, position),
                  draw_row(1.7, 0, 0.9, 0, seed, 3, position), draw_row(1, 5, 1, 0.1, seed, 4, position),
                  draw_row(0, 0, 1, 0, seed, 5, position), draw_row(0.8, 0, 1, 0.05, seed, 6, position),
                  draw_row(1, 3, 0.5, 0, seed, 7, position), draw_row(1e-6, 0, 0.3, 0, seed, 8, position)}) {
                rows.logits.push_back(kind);
                rows.draws.push_back(row);
                ++position;
            }
    return rows;
}

}  // namespace

void check_sample_tokens(Machine& machine) {
    struct Case {
        DType dtype;
        int vocabulary, stride, seeds;
    };
    std::vector<Case> cases = {{DType::bf16, 300, 304, 1}, {DType::fp32, 5001, 5003, 1}};
    if (machine.is_fast())
        cases = {{DType::fp32, 1000, 1003, 10},  {DType::bf16, 50257, 50257, 3},
                 {DType::fp16, 32000, 32000, 3}, {DType::fp32, 151936, 151936, 3},
                 {DType::fp32, 1, 1, 2},         {DType::fp32, 262144, 262144, 1}};
    for (const Case& c : cases) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + " logits of " + std::to_string(c.vocabulary));
        const Rows rows = rows_to_draw(c.vocabulary, c.dtype, c.seeds);
        std::vector<float> logits(rows.draws.size() * c.stride, infinity);  // between rows: must not be read
        for (size_t row = 0; row < rows.draws.size(); ++row)
            std::copy(rows.logits[row].begin(), rows.logits[row].end(), logits.begin() + row * c.stride);
        SampleTokens a;
        a.logits = Floats::put(machine, logits, c.dtype).memory, a.logits_stride = c.stride;
        a.draws = machine.put(rows.draws);
        a.rows = static_cast<int>(rows.draws.size()), a.vocabulary = c.vocabulary, a.dtype = c.dtype;
        a.tokens = static_cast<int64_t*>(machine.allocate(a.rows * 8));
        a.logprobs = static_cast<float*>(machine.allocate(a.rows * 4));
        machine.sample_tokens(a);
        const auto tokens = machine.get<int64_t>(a.tokens, a.rows);
        const auto logprobs = machine.get<float>(a.logprobs, a.rows);
        for (int row = 0; row < a.rows; ++row) {
            const Drawn want = draw_token(rows.logits[row].data(), c.vocabulary, rows.draws[row]);
            ASSERT_EQ(tokens[row], want.token) << "row " << row;
            if (want.token < 0)
                ASSERT_TRUE(std::isnan(logprobs[row])) << "row " << row;
            else
                ASSERT_NEAR(logprobs[row], want.logprob, 1e-6 * (1 + std::abs(want.logprob)))
                    << "row " << row;
        }
    }
}

void check_log_probabilities(Machine& machine) {
    for (DType dtype : {DType::fp32, DType::bf16, DType::fp16})
        for (int vocabulary : {1000, 1003, machine.is_fast() ? 151936 : 4096}) {
            SCOPED_TRACE(std::string(name_of(dtype)) + " logits of " + std::to_string(vocabulary));
            const int rows = 6, stride = vocabulary + 8;
            auto logits = random_values(rows * stride, dtype, 31, 4);
            for (int i = 0; i < vocabulary; ++i)
                if (i != 7) logits[2 * stride + i] = -infinity;
            const std::vector<int64_t> targets = {0, vocabulary - 1, 7, vocabulary, -1, 5};
            LogProbabilities a;
            a.logits = Floats::put(machine, logits, dtype).memory, a.logits_stride = stride;
            a.targets = machine.put(targets);
            a.logprobs = machine.put(std::vector<float>(rows)),
            a.logsumexp = machine.put(std::vector<float>(rows));
            a.rows = rows, a.vocabulary = vocabulary, a.dtype = dtype;
            machine.log_probabilities(a);
            const auto logprobs = machine.get<float>(a.logprobs, rows),
                       sums = machine.get<float>(a.logsumexp, rows);
            for (int row = 0; row < rows; ++row) {
                const float* line = logits.data() + row * stride;
                double sum = 0;
                const double greatest = *std::max_element(line, line + vocabulary);
                for (int i = 0; i < vocabulary; ++i) sum += std::exp(line[i] - greatest);
                EXPECT_NEAR(sums[row], greatest + std::log(sum), 3e-6 * (1 + std::abs(greatest)))
                    << "row " << row;
                if (targets[row] >= 0 && targets[row] < vocabulary)
                    EXPECT_NEAR(logprobs[row], line[targets[row]] - greatest - std::log(sum),
                                4e-6 * (1 + std::abs(greatest)))
                        << "row " << row;
                else
                    EXPECT_TRUE(std::isnan(logprobs[row])) << "row " << row;
            }
        }
}

}  // namespace tritonsmith::kernels::testing
