#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "judge/compare/compare.h"
#include "plan/ir/json.h"
#include "run/worker/oracle/expected.h"
#include "run/worker/torch_types.h"

/// The bound as the judge applies it to numbers, and as a worker applies it to tensors: one formula, one
/// answer.
namespace tritonsmith::judge {
namespace {

using plan::DType;

struct Case {
    DType dtype = DType::f32;
    int64_t longest = 1;
    bool wide = false, chooses = false, decides = false;
    numerics::Precision precision = numerics::Precision::defaults;
    int perturbed = 2;
    double noise = 0;  ///< of the reference, relative
};

std::vector<double> stored(std::vector<double> values, DType dtype) {
    const at::Tensor rounded = at::tensor(values, at::kDouble).to(run::to_torch(dtype)).to(at::kDouble);
    return {rounded.data_ptr<double>(), rounded.data_ptr<double>() + rounded.numel()};
}

/// Rows of very different scales, zeros, numbers near zero, one that is not finite, elements that flip.
struct Data {
    ReferenceOutput output;
    std::vector<double> found;

    Data(const Case& one, size_t count, uint64_t seed) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        const bool inexact = numerics::inexact(one.dtype);
        std::vector<double> oracle(count), native(count), absolute(count);
        for (size_t i = 0; i < count; ++i) {
            const double row = std::pow(10, static_cast<double>(i * 6 / count) - 5);
            oracle[i] = i % 97 == 0 ? 0 : row * normal(random) * (i % 5 == 0 ? 1e-4 : 1);
            if (!inexact) oracle[i] = std::clamp(std::round(normal(random) * 40), -100.0, 100.0);
            absolute[i] = std::abs(oracle[i]) + row * 10;
            native[i] = oracle[i] * (1 + one.noise * normal(random)) + one.noise * row * normal(random);
            if (!inexact) native[i] = oracle[i] + (i % 211 == 0);
        }
        const bool infinite = inexact && one.dtype != DType::f8e4m3fn;
        if (infinite) oracle[5] = native[5] = INFINITY;
        output.name = "output/0";
        output.oracle = {inexact ? DType::f64 : one.dtype, {static_cast<int64_t>(count)}, oracle};
        output.native = {one.dtype, output.oracle.shape, stored(native, one.dtype)};
        output.absolute = Elements{DType::f64, output.oracle.shape, absolute};
        for (int run = 0; run < one.perturbed; ++run) {
            Elements other = output.oracle;
            for (size_t i = 0; i < count; ++i) {
                if (inexact) other.values[i] *= 1 + one.noise * normal(random);
                if (infinite && i % 1009 == 11) other.values[i] = -INFINITY;
                if (i % 301 == 7) other.values[i] += inexact ? std::abs(other.values[i]) : 1;
            }
            output.perturbed.push_back(std::move(other));
        }
        found = output.native.values;
        for (size_t i = 0; i < count; i += 17)
            found[i] += inexact ? (one.noise + 1e-3) * absolute[i] * normal(random) : (i % 2 ? 1 : 0);
        found = stored(found, one.dtype);
    }
};

at::Tensor tensor(const std::vector<double>& values, DType dtype) {
    return at::tensor(values, at::kDouble).to(run::to_torch(dtype));
}

void expect_alike(const Case& one) {
    SCOPED_TRACE(std::string(plan::dtype_name(one.dtype)) + " K " + std::to_string(one.longest));
    const Data data(one, 5003, 17 + static_cast<uint64_t>(one.longest));
    BoundOptions numbers;
    numbers.longest_reduction = one.longest;
    numbers.wide = one.wide;
    numbers.chooses = one.chooses;
    numbers.decides = one.decides;
    numbers.precision = one.precision;
    const Expected here = make_expected(data.output, numbers);

    run::BoundOptions tensors;
    tensors.longest_reduction = one.longest;
    tensors.wide = one.wide;
    tensors.chooses = one.chooses;
    tensors.decides = one.decides;
    tensors.precision = one.precision;
    const at::Tensor oracle = tensor(data.output.oracle.values, data.output.oracle.dtype);
    run::OtherRoundings others;
    for (const Elements& other : data.output.perturbed) others.add(oracle, tensor(other.values, other.dtype));
    for (const int64_t at_a_time : {run::kPiece, int64_t{1000}}) {
        const run::ExpectedOutput there =
            run::expect("output/0", oracle, tensor(data.output.native.values, one.dtype),
                        tensor(data.output.absolute->values, DType::f64), others, tensors,
                        at::Device(at::kCPU), at_a_time);
        EXPECT_EQ(there.undecided, here.undecided);
        EXPECT_EQ(there.forgiven, here.forgiven);
        ASSERT_EQ(std::isfinite(there.forgiven_error), std::isfinite(here.forgiven_error));
        if (std::isfinite(here.forgiven_error)) {
            EXPECT_NEAR(there.forgiven_error, here.forgiven_error, 1e-6 * here.forgiven_error);
        }
        EXPECT_EQ(there.meaningless, here.meaningless);
        ASSERT_EQ(there.floating(), here.floating());
        if (here.floating()) {
            EXPECT_NEAR(there.rms, here.rms, 1e-12 * here.rms);
            EXPECT_NEAR(there.reference_error, here.reference_error, 1e-12 * here.reference_error);
            const at::Tensor limit = there.limit.to(at::kDouble);
            for (size_t i = 0; i < here.limits.size(); ++i) {
                if (!std::isfinite(here.oracle.values[i])) continue;
                ASSERT_EQ(std::isinf(limit.data_ptr<double>()[i]), std::isinf(here.limits[i])) << i;
                if (std::isinf(here.limits[i])) continue;
                ASSERT_NEAR(limit.data_ptr<double>()[i], here.limits[i], 1e-6 * here.limits[i]) << i;
            }
        }
        const Comparison a = compare(here, {one.dtype, data.output.oracle.shape, data.found});
        const run::OutputComparison b =
            run::compare(there, tensor(data.found, one.dtype), at::Device(at::kCPU), at_a_time);
        EXPECT_EQ(b.out_of_bound, a.mismatch ? a.mismatch->count : 0);
        if (a.mismatch) {
            EXPECT_EQ(b.index, static_cast<int64_t>(a.mismatch->index));
        }
        EXPECT_NEAR(b.worst_error, a.worst_error, 1e-9 * a.worst_error);
        if (std::isfinite(a.worst_ratio)) {
            EXPECT_NEAR(b.worst_ratio, a.worst_ratio, 1e-5 * a.worst_ratio);
        }
        const run::OutputComparison own = run::compare(there, tensor(data.output.native.values, one.dtype),
                                                       at::Device(at::kCPU), at_a_time);
        EXPECT_EQ(own.out_of_bound, 0);
        EXPECT_FALSE(compare(here, data.output.native).mismatch);
    }
}

TEST(Parity, FloatingTypes) {
    for (const DType dtype :
         {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3fn, DType::f8e5m2})
        for (const int64_t longest : {1, 4096}) expect_alike({dtype, longest});
}

TEST(Parity, NoiseOfTheReference) {
    for (const double noise : {1e-7, 1e-3, 0.3})
        for (const int perturbed : {0, 1, 6}) {
            Case one{DType::f32, 64};
            one.noise = noise;
            one.perturbed = perturbed;
            expect_alike(one);
            one.dtype = DType::bf16;
            expect_alike(one);
        }
}

TEST(Parity, WideSetsAndTf32) {
    Case wide{DType::f32, 256, true};
    expect_alike(wide);
    wide.precision = numerics::Precision::tf32;
    expect_alike(wide);
    wide.wide = false;
    expect_alike(wide);
}

TEST(Parity, PlansThatDecide) {
    for (const DType dtype : {DType::f32, DType::bf16})
        for (const double noise : {0.0, 1e-3}) {
            Case one{dtype, 64};
            one.decides = true;
            one.noise = noise;
            expect_alike(one);
        }
}

TEST(Parity, Integers) {
    for (const DType dtype : {DType::i64, DType::i32, DType::i8})
        for (const bool chooses : {false, true})
            for (const int perturbed : {0, 2}) {
                Case one{dtype};
                one.chooses = chooses;
                one.perturbed = perturbed;
                expect_alike(one);
            }
}

}  // namespace
}  // namespace tritonsmith::judge
