#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/testing/checks.h"

namespace tritonsmith::kernels::testing {
namespace {

/// What an element should be, and the sum of the magnitudes that it was added up from.
struct Expected {
    double value = 0, size = 0;

    Expected& operator+=(double term) {
        value += term;
        size += std::abs(term);
        return *this;
    }
};

/// What rounding once to a dtype may change: half a unit in the last place, of subnormal numbers too.
double rounding_error(double value, DType dtype) {
    const double least = dtype == DType::fp16 ? 0x1p-24 : 0x1p-133;  // fp32's are less than bf16's
    return std::max(std::abs(value) * 1.01 * rounding_of(dtype), least / 2);
}

/// Rounded once to a dtype, after float32 arithmetic on terms of that size.
void expect_derivatives(const std::vector<float>& got, const std::vector<Expected>& want, DType dtype,
                        const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    for (size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], want[i].value, rounding_error(want[i].value, dtype) + want[i].size * 1e-5)
            << what << ", element " << i;
}

/// Sums of parts [parts, columns], in double.
std::vector<float> sum_of_parts(Machine& machine, const void* memory, int parts, int columns) {
    const auto all = machine.get<float>(memory, static_cast<size_t>(parts) * columns);
    std::vector<float> sums;
    for (int i = 0; i < columns; ++i) {
        double sum = 0;
        for (int part = 0; part < parts; ++part) sum += all[static_cast<size_t>(part) * columns + i];
        sums.push_back(static_cast<float>(sum));
    }
    return sums;
}

/// The derivative of the norm of x[0..dim), of gradients g; adds to the weight's.
std::vector<Expected> norm_derivative(const float* x, const double* g, const std::vector<float>& weight,
                                      double epsilon, Expected* by_weight) {
    const size_t dim = weight.size();
    double squares = 0, products = 0;
    for (size_t i = 0; i < dim; ++i) {
        squares += static_cast<double>(x[i]) * x[i];
        products += g[i] * weight[i] * x[i];
    }
    const double factor = 1 / std::sqrt(squares / static_cast<double>(dim) + epsilon),
                 slope = products / static_cast<double>(dim) * factor * factor * factor;
    std::vector<Expected> out(dim);
    for (size_t i = 0; i < dim; ++i) {
        out[i] += g[i] * weight[i] * factor;
        out[i] += -x[i] * slope;
        by_weight[i] += g[i] * x[i] * factor;
    }
    return out;
}

std::vector<int> row_dims(Machine& machine) {
    return machine.is_fast() ? std::vector{64, 1000, 1001, 4096, 12288, 32768} : std::vector{64, 1000, 1001};
}

constexpr DType all_dtypes[] = {DType::bf16, DType::fp16, DType::fp32};

}  // namespace

void check_rms_norm_backward(Machine& machine) {
    const int rows = 5, parts = 2;
    for (const DType dtype : all_dtypes)
        for (const int dim : row_dims(machine))
            for (const bool has_added : {false, true}) {
                SCOPED_TRACE(std::string(name_of(dtype)) + " rows of " + std::to_string(dim));
                const auto x = random_values(rows * dim, dtype, 1, 3),
                           gradient = random_values(rows * dim, dtype, 2),
                           added = random_values(rows * dim, dtype, 3), weight = random_values(dim, dtype, 4);
                const Floats out = Floats::put(machine, std::vector<float>(rows * dim), dtype);
                RmsNormBackward a;
                a.out = out.memory;
                a.gradient = Floats::put(machine, gradient, dtype).memory;
                a.x = Floats::put(machine, x, dtype).memory;
                a.weight = Floats::put(machine, weight, dtype).memory;
                if (has_added) a.added = Floats::put(machine, added, dtype).memory;
                a.weight_gradients = machine.put(std::vector<float>(parts * dim, NAN));
                a.rows = rows, a.dim = dim, a.parts = parts, a.dtype = dtype;
                machine.rms_norm_backward(a);

                std::vector<Expected> want, by_weight(static_cast<size_t>(dim));
                for (int row = 0; row < rows; ++row) {
                    const std::vector<double> g(gradient.begin() + row * dim,
                                                gradient.begin() + (row + 1) * dim);
                    auto line =
                        norm_derivative(x.data() + row * dim, g.data(), weight, a.epsilon, by_weight.data());
                    for (int i = 0; i < dim; ++i)
                        if (has_added) line[static_cast<size_t>(i)] += added[row * dim + i];
                    want.insert(want.end(), line.begin(), line.end());
                }
                expect_derivatives(out.get(machine), want, dtype, "rms_norm_backward");
                expect_derivatives(sum_of_parts(machine, a.weight_gradients, parts, dim), by_weight,
                                   DType::fp32, "the weight's gradient");
            }
}

void check_rotate_backward(Machine& machine) {
    struct Case {
        DType dtype;
        int heads, kv_heads, head_dim;
        bool norms;
    };
    const int tokens = 7, parts = 3, positions = 20;
    for (const Case& c : {Case{DType::bf16, 4, 2, 128, true}, Case{DType::fp32, 3, 1, 64, true},
                          Case{DType::fp16, 9, 3, 80, false}, Case{DType::bf16, 2, 1, 256, true},
                          Case{DType::fp32, 2, 2, 18, true}}) {
        SCOPED_TRACE(std::string(name_of(c.dtype)) + ", heads of " + std::to_string(c.head_dim));
        const int half = c.head_dim / 2, all = c.heads + 2 * c.kv_heads, width = all * c.head_dim,
                  turned = c.heads + c.kv_heads;
        const auto gradient = random_values(tokens * width, c.dtype, 5),
                   qkv = random_values(tokens * width, c.dtype, 6, 2);
        const auto q_weight = random_values(c.head_dim, c.dtype, 7),
                   k_weight = random_values(c.head_dim, c.dtype, 8);
        std::vector<float> cosines, sines;
        for (int i = 0; i < positions * half; ++i) {
            cosines.push_back(std::cos(0.1f * static_cast<float>(i)));
            sines.push_back(std::sin(0.1f * static_cast<float>(i)));
        }
        const std::vector<int64_t> where = {0, 1, 2, 19, 0, 1, 7};
        const Floats data = Floats::put(machine, gradient, c.dtype);
        RotateBackward a;
        a.gradient = data.memory;
        a.cosines = machine.put(cosines), a.sines = machine.put(sines), a.positions = machine.put(where);
        if (c.norms) {
            a.qkv = Floats::put(machine, qkv, c.dtype).memory;
            a.q_weight = Floats::put(machine, q_weight, c.dtype).memory;
            a.k_weight = Floats::put(machine, k_weight, c.dtype).memory;
            a.weight_gradients = machine.put(std::vector<float>(parts * turned * c.head_dim, NAN));
        }
        a.tokens = tokens, a.heads = c.heads, a.kv_heads = c.kv_heads, a.head_dim = c.head_dim;
        a.parts = parts, a.dtype = c.dtype;
        machine.rotate_backward(a);

        std::vector<Expected> want, by_weight(static_cast<size_t>(turned * c.head_dim));
        for (int token = 0; token < tokens; ++token)
            for (int head = 0; head < all; ++head) {
                const float* g = gradient.data() + token * width + head * c.head_dim;
                std::vector<double> back(g, g + c.head_dim);
                if (head < turned)
                    for (int i = 0; i < half; ++i) {
                        const int64_t at = where[static_cast<size_t>(token)] * half + i;
                        const double cosine = rounded(cosines[at], c.dtype),
                                     sine = rounded(sines[at], c.dtype);
                        back[i] = g[i] * cosine + g[half + i] * sine;
                        back[half + i] = g[half + i] * cosine - g[i] * sine;
                    }
                std::vector<Expected> line;
                if (head < turned && c.norms) {
                    line = norm_derivative(qkv.data() + token * width + head * c.head_dim, back.data(),
                                           head < c.heads ? q_weight : k_weight, a.epsilon,
                                           by_weight.data() + head * c.head_dim);
                } else {
                    for (const double value : back) line.push_back({value, std::abs(value) + 1});
                }
                want.insert(want.end(), line.begin(), line.end());
            }
        expect_derivatives(data.get(machine), want, c.dtype, "rotate_backward");
        if (c.norms) {
            expect_derivatives(sum_of_parts(machine, a.weight_gradients, parts, turned * c.head_dim),
                               by_weight, DType::fp32, "the norms' gradients");
        }
    }
}

void check_silu_mul_backward(Machine& machine) {
    const int rows = 3;
    for (const DType dtype : all_dtypes)
        for (const int width : row_dims(machine)) {
            SCOPED_TRACE(std::string(name_of(dtype)) + " rows of " + std::to_string(width));
            auto gate_up = random_values(rows * 2 * width, dtype, 9, 4);
            gate_up[0] = -1000;  // exp overflows: nothing is left
            gate_up[1] = 60;
            const auto gradient = random_values(rows * width, dtype, 10);
            const Floats out = Floats::put(machine, std::vector<float>(rows * 2 * width), dtype);
            SiluMulBackward a;
            a.out = out.memory;
            a.gradient = Floats::put(machine, gradient, dtype).memory;
            a.gate_up = Floats::put(machine, gate_up, dtype).memory;
            a.rows = rows, a.width = width, a.dtype = dtype;
            machine.silu_mul_backward(a);
            std::vector<Expected> want(static_cast<size_t>(rows * 2 * width));
            for (int row = 0; row < rows; ++row)
                for (int i = 0; i < width; ++i) {
                    const size_t at = static_cast<size_t>(row * 2 * width + i);
                    const double gate = gate_up[at], up = gate_up[at + width],
                                 slope = gradient[row * width + i];
                    const double sigmoid = 1 / (1 + std::exp(-gate));
                    want[at] += slope * up * sigmoid;
                    want[at] += slope * up * sigmoid * gate * (1 - sigmoid);
                    want[at + width] += slope * gate * sigmoid;
                }
            expect_derivatives(out.get(machine), want, dtype, "silu_mul_backward");
        }
}

void check_logits_gradient(Machine& machine) {
    const int rows = 3;
    for (const DType dtype : all_dtypes)
        for (const int vocabulary : {7, 1000, 4096})
            for (const bool by_normalisers : {false, true}) {
                SCOPED_TRACE(std::string(name_of(dtype)) + " of " + std::to_string(vocabulary));
                const auto logits = random_values(rows * vocabulary, DType::fp32, 11, 3);
                const std::vector<int64_t> targets = {0, vocabulary - 1, 5};
                const std::vector<float> t = {-0.25f, 0.5f, 0.0f}, n = {0.01f, -0.02f, 0.5f};
                std::vector<float> normalisers;
                std::vector<Expected> want(static_cast<size_t>(rows * vocabulary));
                for (int row = 0; row < rows; ++row) {
                    double sum = 0;
                    for (int i = 0; i < vocabulary; ++i)
                        sum += std::exp(static_cast<double>(logits[row * vocabulary + i]));
                    normalisers.push_back(static_cast<float>(std::log(sum)));
                    for (int i = 0; i < vocabulary; ++i) {
                        Expected& one = want[static_cast<size_t>(row * vocabulary + i)];
                        one +=
                            std::exp(static_cast<double>(logits[row * vocabulary + i]) - normalisers.back()) *
                            ((by_normalisers ? n[row] : 0) - t[row]);
                        if (i == targets[row]) one += t[row];
                    }
                }
                const Floats out = Floats::put(machine, std::vector<float>(rows * vocabulary), dtype);
                LogitsGradient a;
                a.out = out.memory;
                a.logits = machine.put(logits), a.normalisers = machine.put(normalisers);
                a.targets = machine.put(targets), a.t = machine.put(t);
                if (by_normalisers) a.n = machine.put(n);
                a.rows = rows, a.vocabulary = vocabulary, a.dtype = dtype;
                machine.logits_gradient(a);
                const auto got = out.get(machine);
                expect_derivatives(got, want, dtype, "logits_gradient");
            }
}

void check_adamw(Machine& machine) {
    for (const int count : {1000, 1001})
        for (const DType value_dtype : {DType::fp32, DType::bf16})
            for (const DType state_dtype : {DType::fp32, DType::bf16})
                for (const bool has_master : {false, true}) {
                    SCOPED_TRACE(std::string(name_of(value_dtype)) + " with states in " +
                                 name_of(state_dtype));
                    const auto value = random_values(count, value_dtype, 12),
                               gradient = random_values(count, DType::bf16, 13),
                               first = random_values(count, state_dtype, 14, 0.1f);
                    auto second = random_values(count, state_dtype, 15, 0.1f);
                    for (float& one : second) one = std::abs(one);
                    const Floats values = Floats::put(machine, value, value_dtype),
                                 firsts = Floats::put(machine, first, state_dtype),
                                 seconds = Floats::put(machine, second, state_dtype);
                    AdamW a;
                    a.value = values.memory, a.first = firsts.memory, a.second = seconds.memory;
                    a.gradient = Floats::put(machine, gradient, DType::bf16).memory;
                    if (has_master) a.master = machine.put(value);
                    a.count = count, a.first_element = 77;
                    a.gradient_scale = 0.5f, a.decay = 0.99f, a.rate = 0.01f, a.second_root = 0.3f;
                    a.value_stream = 1, a.first_stream = 2, a.second_stream = 3;
                    a.value_dtype = value_dtype, a.gradient_dtype = DType::bf16, a.state_dtype = state_dtype;
                    machine.adamw(a);
                    const auto got = values.get(machine), got_first = firsts.get(machine),
                               got_second = seconds.get(machine);
                    // Rounding up or down at random: within a whole unit of the last place; to nearest:
                    // within half.
                    const double state_unit = 2.02 * rounding_of(state_dtype) + 1e-6,
                                 value_unit = (has_master ? 1.01 : 2.02) * rounding_of(value_dtype) + 1e-6;
                    double drift = 0;
                    for (int i = 0; i < count; ++i) {
                        const double g = gradient[i] * 0.5, m = first[i] + 0.1 * (g - first[i]),
                                     v = second[i] * 0.95 + 0.05 * g * g,
                                     x = value[i] * 0.99 - 0.01 * m / (std::sqrt(v) / 0.3 + 1e-8);
                        ASSERT_NEAR(got_first[i], m, (std::abs(m) + 0.1) * state_unit) << i;
                        ASSERT_NEAR(got_second[i], v, v * state_unit) << i;
                        ASSERT_NEAR(got[i], x, (std::abs(x) + 0.05) * value_unit) << i;
                        drift += (got[i] - x) / (std::abs(x) + 0.05);
                    }
                    // Each error is at most a unit, and as often up as down: 5 deviations of their mean.
                    EXPECT_LE(std::abs(drift) / count, 5 * value_unit / std::sqrt(count));
                    if (has_master) {
                        EXPECT_EQ(Floats::put(machine, machine.get<float>(a.master, count), value_dtype)
                                      .get(machine),
                                  got);
                    }
                }
}

}  // namespace tritonsmith::kernels::testing
