#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "kernels/testing/checks.h"
#include "numerics/alike.h"
#include "numerics/element_bound.h"

namespace tritonsmith::kernels::testing {
namespace {

using numerics::Alike;

/// A reference's elements of all sizes, some of them not finite.
struct Reference {
    std::vector<double> oracle, native, absolute;
    std::vector<float> others;
    numerics::Bound bound;

    explicit Reference(size_t count) {
        std::mt19937_64 random(5);
        std::normal_distribution<double> normal;
        for (size_t i = 0; i < count; ++i) {
            const double value = i % 50 == 7 ? 0 : normal(random) * std::pow(10.0, 2 * normal(random));
            oracle.push_back(i == 3 ? INFINITY : i == 4 ? NAN : value);
            native.push_back(oracle[i] * (1 + 1e-6 * normal(random)));
            absolute.push_back(std::abs(value) * (1 + std::abs(normal(random))));
            others.push_back(static_cast<float>(std::abs(value * 1e-6 * normal(random))));
        }
        bound.root = 12;
        bound.tolerance = 1e-4;
        bound.rms = 7;
    }
    ReferenceElements put(Machine& machine) const {
        ReferenceElements out;
        out.oracle = machine.put(oracle), out.native = machine.put(native);
        out.absolute = machine.put(absolute), out.others = machine.put(others);
        out.count = static_cast<int64_t>(oracle.size());
        out.bound = {bound.stored.spacing,
                     bound.stored.subnormal,
                     bound.stored.least,
                     bound.sums,
                     bound.root,
                     bound.tolerance,
                     bound.rms,
                     0,
                     0};
        return out;
    }
    double value(size_t i) const { return std::isfinite(oracle[i]) ? std::abs(oracle[i]) : 0; }
    double scale(size_t i) const { return std::max(value(i), absolute[i]); }
    double error(size_t i) const {
        const double seen = std::abs(native[i] - oracle[i]);
        return std::isfinite(seen) ? seen : 0;
    }
    double own(size_t i) const {
        const double other = others[i];
        return std::max({0.0, error(i) - numerics::one_rounding(value(i), bound),
                         other - numerics::last_move<numerics::Numbers>(value(i), other, bound)});
    }
};

double greatest(Machine& machine, const uint64_t* memory) {
    return std::bit_cast<double>(machine.get<uint64_t>(memory, 1)[0]);
}

}  // namespace

void check_count_alike(Machine& machine) {
    const size_t count = machine.is_fast() ? 100003 : 1003;
    const Reference reference(count);
    const size_t cells = size_t{Alike::kClasses} * Alike::kErrors;
    CountAlike a;
    a.elements = reference.put(machine);
    a.counts = machine.put(std::vector<uint64_t>(cells));
    a.greatest_own = machine.put(std::vector<uint64_t>(1));
    machine.count_alike(a);
    const Alike alike(reference.bound.rms);
    std::vector<uint64_t> want(cells);
    double error = 0;
    for (size_t i = 0; i < count; ++i) {
        error = std::max(error, reference.error(i));
        if (std::isfinite(reference.oracle[i]))
            ++want[static_cast<size_t>(alike.class_of(reference.value(i), reference.scale(i)) *
                                           Alike::kErrors +
                                       alike.class_of_error(reference.own(i)))];
    }
    const auto got = machine.get<uint64_t>(a.counts, cells);
    size_t moved = 0;
    for (size_t i = 0; i < cells; ++i) moved += got[i] != want[i];
    EXPECT_LE(moved, machine.is_fast() ? 40 : 0) << "at the edge of a class a device's fused products decide";
    EXPECT_DOUBLE_EQ(greatest(machine, a.greatest_own), error);
}

void check_element_limits(Machine& machine) {
    using numerics::Numbers;
    const size_t count = machine.is_fast() ? 100003 : 1003;
    const Reference reference(count);
    const Alike alike(reference.bound.rms);
    std::vector<double> by_class;
    for (int i = 0; i < Alike::kClasses; ++i) by_class.push_back(1e-7 * (i % 7));
    for (const int32_t bytes : {8, 4, 2}) {
        SCOPED_TRACE(bytes);
        ElementLimits a;
        a.elements = reference.put(machine);
        a.alike = machine.put(by_class);
        a.limits = machine.put(std::vector<char>(count * static_cast<size_t>(bytes)));
        a.limit_bytes = bytes;
        a.slack = 1e-8, a.factor = 1.5;
        a.totals = machine.put(std::vector<uint64_t>(3));
        a.greatest_undecided = machine.put(std::vector<uint64_t>(1));
        machine.element_limits(a);
        std::vector<double> got;
        if (bytes == 8) got = machine.get<double>(a.limits, count);
        if (bytes == 4)
            for (const float limit : machine.get<float>(a.limits, count)) got.push_back(limit);
        if (bytes == 2)
            for (const float limit : decoded(machine.get<unsigned char>(a.limits, count * 2), DType::bf16))
                got.push_back(limit);
        uint64_t undecided = 0, finite = 0;
        double largest = 0;
        for (size_t i = 0; i < count; ++i) {
            const double value = reference.value(i), own = reference.own(i);
            const double regular = numerics::regular_limit<Numbers>(
                value, reference.scale(i),
                by_class[static_cast<size_t>(alike.class_of(value, reference.scale(i)))], reference.bound);
            const double want =
                (numerics::element_limit<Numbers>(value, regular, own, reference.bound) + value * 1e-8) * 1.5;
            ASSERT_NEAR(got[i], want, want * (bytes == 2 ? 0x1p-8 : bytes == 4 ? 0x1p-23 : 1e-12)) << i;
            finite += std::isfinite(reference.oracle[i]);
            if (own <= regular) continue;
            ++undecided;
            largest = std::max(largest, own);
        }
        const auto totals = machine.get<uint64_t>(a.totals, 3);
        EXPECT_EQ(totals[0], undecided);
        EXPECT_EQ(totals[1], finite);
        EXPECT_DOUBLE_EQ(greatest(machine, a.greatest_undecided), largest);
    }
}

void check_compare_elements(Machine& machine) {
    const size_t count = machine.is_fast() ? 100003 : 1003;
    std::vector<double> want, found, limits;
    for (size_t i = 0; i < count; ++i) {
        want.push_back(std::sin(static_cast<double>(i)));
        found.push_back(want[i] + 1e-3 * std::cos(static_cast<double>(i)));
        limits.push_back(2e-3);
    }
    want[5] = found[5] = INFINITY;
    want[6] = found[6] = NAN;
    const auto compare = [&](uint64_t beyond, double error, double share) {
        CompareElements a;
        a.expected.values = machine.put(want), a.found.values = machine.put(found);
        a.limits.values = machine.put(limits);
        a.count = static_cast<int64_t>(count);
        a.beyond = machine.put(std::vector<uint64_t>(1));
        a.greatest = machine.put(std::vector<uint64_t>(2));
        machine.compare_elements(a);
        EXPECT_EQ(machine.get<uint64_t>(a.beyond, 1)[0], beyond);
        EXPECT_NEAR(greatest(machine, a.greatest), error, error * 1e-12);
        EXPECT_NEAR(greatest(machine, a.greatest + 1), share, share * 1e-12);
    };
    for (const auto& [type, dtype] :
         {std::pair(TypedElements::f32, DType::fp32), std::pair(TypedElements::f16, DType::fp16),
          std::pair(TypedElements::bf16, DType::bf16)}) {
        SCOPED_TRACE(static_cast<int>(type));
        const auto put = [&, dtype = dtype](const std::vector<double>& values) {
            return machine.put(encoded({values.begin() + 7, values.end()}, dtype));
        };
        CompareElements a;
        a.expected = {put(want), type}, a.found = {put(want), type}, a.limits = {put(limits), type};
        a.count = static_cast<int64_t>(count) - 7;
        a.beyond = machine.put(std::vector<uint64_t>(1));
        a.greatest = machine.put(std::vector<uint64_t>(2));
        machine.compare_elements(a);
        EXPECT_EQ(machine.get<uint64_t>(a.beyond, 1)[0], 0U);
        EXPECT_EQ(greatest(machine, a.greatest), 0);
        std::vector<double> wrong = want;
        wrong[count - 3] += 1;
        a.found.values = put(wrong);
        machine.compare_elements(a);
        EXPECT_EQ(machine.get<uint64_t>(a.beyond, 1)[0], 1U);
        EXPECT_NEAR(greatest(machine, a.greatest), 1, 1e-2);
    }
    double error = 0;
    for (size_t i = 7; i < count; ++i) error = std::max(error, std::abs(found[i] - want[i]));
    error = std::max(error, std::abs(found[0] - want[0]));
    compare(0, error, error / 2e-3);
    found[count - 1] = want[count - 1] + 1;
    compare(1, 1, 1 / 2e-3);
    found[5] = -INFINITY, found[6] = 0, found[10] = NAN;
    CompareElements a;
    a.expected.values = machine.put(want), a.found.values = machine.put(found);
    a.limits.values = machine.put(limits);
    a.count = static_cast<int64_t>(count);
    a.beyond = machine.put(std::vector<uint64_t>(1));
    a.greatest = machine.put(std::vector<uint64_t>(2));
    machine.compare_elements(a);
    EXPECT_EQ(machine.get<uint64_t>(a.beyond, 1)[0], 4U);
    EXPECT_EQ(greatest(machine, a.greatest + 1), INFINITY);
}

}  // namespace tritonsmith::kernels::testing
