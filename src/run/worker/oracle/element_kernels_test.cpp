#include <ATen/TensorOperators.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "kernels/abi.h"
#include "run/worker/oracle/element_calls.h"
#include "run/worker/oracle/expected.h"

/// A device's kernels (emulated) give what torch's operators give.
namespace tritonsmith::run {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity(),
                 kNotANumber = std::numeric_limits<double>::quiet_NaN();

void check(int status) {
    if (status) throw std::runtime_error(tritonsmith_kernels_error_text());
}
struct EmulatedCalls {
    void count_alike(const kernels::CountAlike& a) const { check(tritonsmith_count_alike(&a, nullptr)); }
    void element_limits(const kernels::ElementLimits& a) const {
        check(tritonsmith_element_limits(&a, nullptr));
    }
    void compare_elements(const kernels::CompareElements& a) const {
        check(tritonsmith_compare_elements(&a, nullptr));
    }
};

struct Case {
    const char* name;
    at::ScalarType dtype = at::kFloat;
    bool absolute = true, others = true, wide = false, uneven = false, decides = false, compact = false;
};

class ElementKernelsOf : public ::testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        at::manual_seed(7);
        options.longest_reduction = 96;
        options.wide = GetParam().wide;
        options.uneven = GetParam().uneven;
        options.decides = GetParam().decides;
        options.compact = GetParam().compact;
        const int64_t n = 700;
        // Of all sizes, with zeros, what is not finite, and elements that are wholly different.
        oracle = at::randn({n}, at::kDouble) * at::pow(10.0, at::randn({n}, at::kDouble) * 3);
        oracle.narrow(0, 10, 40).zero_();
        oracle[0] = kInfinite, oracle[1] = -kInfinite, oracle[2] = kNotANumber, oracle[3] = 1e-320;
        native = (oracle * (1 + at::randn({n}, at::kDouble) * 1e-7)).to(GetParam().dtype);
        native[100] = 3.0, native[101] = kNotANumber;
        if (GetParam().absolute) {
            absolute = oracle.abs() * (1 + at::rand({n}, at::kDouble) * 50);
            absolute[50] = kInfinite;
        }
        if (GetParam().others) {
            other.add(oracle, oracle * (1 + at::randn({n}, at::kDouble) * 1e-6));
            other.largest[60] = kInfinite;
        }
    }
    ExpectedOutput expected(const ElementKernels* kernels) const {
        return expect("output/0", oracle, native, absolute, other, options, {at::kCPU, kernels}, 300);
    }

    const ElementCalls<EmulatedCalls> kernels{{}};
    BoundOptions options;
    at::Tensor oracle, native, absolute;
    OtherRoundings other;
};

TEST_P(ElementKernelsOf, BoundsAreThoseOfTheOperators) {
    const ExpectedOutput want = expected(nullptr), got = expected(&kernels);
    EXPECT_EQ(got.limit.scalar_type(), want.limit.scalar_type());
    EXPECT_TRUE(got.limit.equal(want.limit));
    EXPECT_EQ(got.undecided, want.undecided);
    EXPECT_EQ(got.forgiven, want.forgiven);
    EXPECT_EQ(got.forgiven_error, want.forgiven_error);
    EXPECT_EQ(got.meaningless, want.meaningless);
    EXPECT_EQ(got.rms, want.rms);
    EXPECT_EQ(got.reference_error, want.reference_error);
}

TEST_P(ElementKernelsOf, ComparisonsAreThoseOfTheOperators) {
    const ExpectedOutput bound = expected(nullptr);
    const auto compared = [&](const at::Tensor& found, const ElementKernels* by) {
        return comparison_json(bound, compare(bound, found, {at::kCPU, by}, 300));
    };
    at::Tensor right = oracle.to(GetParam().dtype);
    EXPECT_EQ(compared(right, &kernels), compared(right, nullptr));
    EXPECT_TRUE(compared(right, &kernels).at("mismatch").is_null()) << compared(right, &kernels);
    for (const double wrong : {kNotANumber, kInfinite, 17.0, -1.0})
        for (const int64_t at : {0, 2, 20, 200, 699}) {
            at::Tensor found = right.clone();
            found[at] = wrong;
            EXPECT_EQ(compared(found, &kernels), compared(found, nullptr)) << wrong << " at " << at;
        }
}

INSTANTIATE_TEST_SUITE_P(Cases, ElementKernelsOf,
                         ::testing::Values(Case{"float32"}, Case{"bfloat16", at::kBFloat16},
                                           Case{"float64", at::kDouble},
                                           Case{.name = "alone", .absolute = false, .others = false},
                                           Case{.name = "wide", .wide = true, .uneven = true},
                                           Case{.name = "decides", .others = true, .decides = true},
                                           Case{.name = "compact", .compact = true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tritonsmith::run
