#include <gtest/gtest.h>

#include <cmath>

#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::testing {
namespace {

/// Equal but for what a last place can do: another order of float32 sums may turn single roundings,
/// `roundings` of which follow each other.
void expect_near(const std::vector<float>& got, const std::vector<float>& want, DType dtype, int roundings,
                 const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    size_t different = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        different += got[i] != want[i];
        ASSERT_NEAR(got[i], want[i],
                    std::abs(want[i]) * (2.02 * roundings * rounding_of(dtype) + 1e-5) + 1e-30)
            << what << ", element " << i;
    }
    if (dtype != DType::fp32) {
        EXPECT_LE(different, got.size() / 50 + 1) << what << ": too many elements differ in the last place";
    }
}

std::vector<float> normed(const float* x, const std::vector<float>& weight, float epsilon, DType dtype) {
    double squares = 0;
    for (size_t i = 0; i < weight.size(); ++i) squares += static_cast<double>(x[i]) * x[i];
    const double factor = 1 / std::sqrt(squares / static_cast<double>(weight.size()) + epsilon);
    std::vector<float> out;
    for (size_t i = 0; i < weight.size(); ++i)
        out.push_back(rounded(weight[i] * rounded(static_cast<float>(x[i] * factor), dtype), dtype));
    return out;
}

struct RowsCase {
    DType dtype;
    int dim;
};
std::vector<RowsCase> rows_cases(Machine& machine) {
    std::vector<RowsCase> cases;
    for (DType dtype : {DType::bf16, DType::fp16, DType::fp32})
        for (int dim : {64, 1000, 1001, 2048}) cases.push_back({dtype, dim});
    if (machine.is_fast())
        for (int dim : {1024, 4096, 5120, 12288, 32768}) cases.push_back({DType::bf16, dim});
    return cases;
}

std::string text_of(const RowsCase& c) {
    return std::string(name_of(c.dtype)) + " rows of " + std::to_string(c.dim);
}

}  // namespace

void check_rms_norm(Machine& machine) {
    const int rows = 3;
    for (const RowsCase& c : rows_cases(machine)) {
        SCOPED_TRACE(text_of(c));
        const int x_stride = c.dim + 24, out_stride = c.dim + 8;
        const auto x = random_values(rows * x_stride, c.dtype, 1, 3);
        const auto weight = random_values(c.dim, c.dtype, 2);
        const Floats out = Floats::put(machine, std::vector<float>(rows * out_stride, 7), c.dtype);
        RmsNorm a;
        a.out = out.memory;
        a.x = Floats::put(machine, x, c.dtype).memory;
        a.weight = Floats::put(machine, weight, c.dtype).memory;
        a.out_stride = out_stride, a.x_stride = x_stride;
        a.rows = rows, a.dim = c.dim, a.dtype = c.dtype;
        machine.rms_norm(a);
        std::vector<float> want(rows * out_stride, 7);
        for (int row = 0; row < rows; ++row) {
            const auto line = normed(x.data() + row * x_stride, weight, a.epsilon, c.dtype);
            std::copy(line.begin(), line.end(), want.begin() + row * out_stride);
        }
        expect_near(out.get(machine), want, c.dtype, 2, "rms_norm");
    }
}

void check_add_rms_norm(Machine& machine) {
    const int rows = 3;
    for (const RowsCase& c : rows_cases(machine)) {
        SCOPED_TRACE(text_of(c));
        auto residual = random_values(rows * c.dim, c.dtype, 3, 5);
        const auto x = random_values(rows * c.dim, c.dtype, 4);
        const auto weight = random_values(c.dim, c.dtype, 5);
        const Floats sums = Floats::put(machine, residual, c.dtype), x_out = Floats::put(machine, x, c.dtype);
        AddRmsNorm a;
        a.out = x_out.memory;  // in place
        a.residual = sums.memory;
        a.x = x_out.memory;
        a.weight = Floats::put(machine, weight, c.dtype).memory;
        a.rows = rows, a.dim = c.dim, a.epsilon = 1e-5f, a.dtype = c.dtype;
        machine.add_rms_norm(a);
        std::vector<float> want;
        for (int row = 0; row < rows; ++row) {
            for (int i = 0; i < c.dim; ++i) {
                float& sum = residual[row * c.dim + i];
                sum = rounded(sum + x[row * c.dim + i], c.dtype);
            }
            const auto line = normed(residual.data() + row * c.dim, weight, a.epsilon, c.dtype);
            want.insert(want.end(), line.begin(), line.end());
        }
        EXPECT_EQ(sums.get(machine), residual);
        expect_near(x_out.get(machine), want, c.dtype, 2, "add_rms_norm");
    }
}

void check_silu_mul(Machine& machine) {
    const int rows = 3;
    for (const RowsCase& c : rows_cases(machine)) {
        SCOPED_TRACE(text_of(c));
        const int in_stride = 2 * c.dim + 16;
        auto gate_up = random_values(rows * in_stride, c.dtype, 6, 4);
        gate_up[0] = -1000;  // exp overflows: nothing is left
        gate_up[1] = 60;
        const Floats out = Floats::put(machine, std::vector<float>(rows * c.dim), c.dtype);
        SiluMul a;
        a.out = out.memory;
        a.gate_up = Floats::put(machine, gate_up, c.dtype).memory;
        a.out_stride = c.dim, a.gate_up_stride = in_stride;
        a.rows = rows, a.width = c.dim, a.dtype = c.dtype;
        machine.silu_mul(a);
        std::vector<float> want;
        for (int row = 0; row < rows; ++row)
            for (int i = 0; i < c.dim; ++i) {
                const float gate = gate_up[row * in_stride + i], up = gate_up[row * in_stride + c.dim + i];
                const double silu = gate / (1 + std::exp(-static_cast<double>(gate)));
                want.push_back(rounded(rounded(static_cast<float>(silu), c.dtype) * up, c.dtype));
            }
        expect_near(out.get(machine), want, c.dtype, 2, "silu_mul");
    }
}

void check_rotate_and_store(Machine& machine) {
    struct Case {
        DType dtype;
        int heads, kv_heads, head_dim;
        bool norms, stored;
    };
    for (const Case& c : {Case{DType::bf16, 4, 2, 128, true, true}, Case{DType::bf16, 7, 1, 64, false, true},
                          Case{DType::fp16, 4, 4, 64, true, false}, Case{DType::fp32, 3, 1, 128, true, true},
                          Case{DType::bf16, 2, 2, 80, true, true}, Case{DType::bf16, 2, 1, 256, true, true},
                          Case{DType::bf16, 2, 1, 18, false, true}}) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + ", heads of " + std::to_string(c.head_dim));
        const int tokens = 5, positions = 40, block_size = 16, blocks = 4, half = c.head_dim / 2;
        const int width = (c.heads + 2 * c.kv_heads) * c.head_dim, stride = width + 8;
        const int64_t block_stride = block_size * c.kv_heads * c.head_dim + 16;
        auto qkv = random_values(tokens * stride, c.dtype, 7, 2);
        const auto q_weight = random_values(c.head_dim, c.dtype, 8),
                   k_weight = random_values(c.head_dim, c.dtype, 9);
        std::vector<float> cosines, sines;
        for (int position = 0; position < positions; ++position)
            for (int i = 0; i < half; ++i) {
                const double angle = position * std::pow(10000.0, -2.0 * i / c.head_dim);
                cosines.push_back(static_cast<float>(std::cos(angle)));
                sines.push_back(static_cast<float>(std::sin(angle)));
            }
        const std::vector<int64_t> where = {0, 3, 39, 17, 1000};  // the last one is beyond the table
        const std::vector<int64_t> slots = {33, -1, 0, 63, 15};
        const std::vector<float> empty(static_cast<size_t>(blocks * block_stride), 9);
        const Floats data = Floats::put(machine, qkv, c.dtype);
        const Floats k_cache = Floats::put(machine, empty, c.dtype),
                     v_cache = Floats::put(machine, empty, c.dtype);

        RotateAndStore a;
        a.qkv = data.memory, a.qkv_stride = stride;
        if (c.norms) {
            a.q_weight = Floats::put(machine, q_weight, c.dtype).memory;
            a.k_weight = Floats::put(machine, k_weight, c.dtype).memory;
        }
        a.cosines = machine.put(cosines), a.sines = machine.put(sines);
        a.positions = machine.put(where);
        a.slots = c.stored ? machine.put(slots) : nullptr;
        a.k_cache = k_cache.memory, a.v_cache = v_cache.memory, a.cache_block_stride = block_stride;
        a.tokens = tokens, a.heads = c.heads, a.kv_heads = c.kv_heads, a.head_dim = c.head_dim;
        a.block_size = block_size, a.table_positions = positions, a.dtype = c.dtype;
        machine.rotate_and_store(a);

        auto want_k = empty, want_v = empty;
        for (int token = 0; token < tokens; ++token)
            for (int head = 0; head < c.heads + 2 * c.kv_heads; ++head) {
                float* x = qkv.data() + token * stride + head * c.head_dim;
                const bool is_query = head < c.heads, is_value = head >= c.heads + c.kv_heads;
                if (!is_value) {
                    if (c.norms) {
                        const auto line = normed(x, is_query ? q_weight : k_weight, a.epsilon, c.dtype);
                        std::copy(line.begin(), line.end(), x);
                    }
                    for (int i = 0; i < half; ++i) {
                        const int64_t at = std::min<int64_t>(where[token], positions - 1) * half + i;
                        const float cosine = rounded(cosines[at], c.dtype),
                                    sine = rounded(sines[at], c.dtype);
                        const float low = x[i], high = x[half + i];
                        x[i] =
                            rounded(rounded(low * cosine, c.dtype) + rounded(-high * sine, c.dtype), c.dtype);
                        x[half + i] =
                            rounded(rounded(high * cosine, c.dtype) + rounded(low * sine, c.dtype), c.dtype);
                    }
                }
                if (is_query || !c.stored || slots[token] < 0) continue;
                auto& cache = is_value ? want_v : want_k;
                std::copy(x, x + c.head_dim,
                          cache.begin() + slots[token] / block_size * block_stride +
                              (slots[token] % block_size * c.kv_heads + (head - c.heads) % c.kv_heads) *
                                  c.head_dim);
            }
        const auto close = [&](const Floats& got, const std::vector<float>& want, const char* what) {
            const auto values = got.get(machine);
            if (!c.norms) {
                EXPECT_EQ(values, want) << what;
                return;
            }
            size_t different = 0;  // a rounding that turned in the norm goes through the rotation
            for (size_t i = 0; i < values.size(); ++i) {
                ASSERT_NEAR(values[i], want[i], 16 * rounding_of(c.dtype) + 1e-5)
                    << what << ", element " << i;
                different += values[i] != want[i];
            }
            EXPECT_LE(different, c.dtype == DType::fp32 ? values.size() : values.size() / 30 + 1) << what;
        };
        close(data, qkv, "qkv");
        close(k_cache, want_k, "keys");
        close(v_cache, want_v, "values");
    }
}

}  // namespace tritonsmith::kernels::testing
