#include "run/worker/aten/schema_args.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "run/plan_builder_testing.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

using testing::integers;
using testing::sequence;
using testing::symbol;

std::vector<c10::IValue> convert(const std::string& name, const std::string& overload, plan::List args,
                                 std::vector<std::pair<std::string, plan::Value>> kwargs = {}) {
    plan::AtenStep step;
    step.op = name + "." + overload;
    step.args = std::move(args);
    step.kwargs = std::move(kwargs);
    auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload.c_str());
    return to_ivalues(op.schema(), step, [](const plan::Tensor& tensor) { return at::ones(tensor.shape); });
}

plan::Value tensor(std::vector<int64_t> shape) {
    return {plan::Tensor{0, plan::DType::f32, shape, {}, 0}};
}

TEST(SchemaArguments, FillsDefaults) {
    auto values = convert("aten::add", "Tensor", {tensor({2}), tensor({3})});
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(values[0].toTensor().numel(), 2);
    EXPECT_EQ(values[2].toScalar().toLong(), 1);
}

TEST(SchemaArguments, TakesScalarsOfEachKind) {
    EXPECT_EQ(convert("aten::add", "Scalar", {tensor({2}), {2.5}})[1].toScalar().toDouble(), 2.5);
    EXPECT_EQ(convert("aten::add", "Scalar", {tensor({2}), {int64_t{7}}})[1].toScalar().toLong(), 7);
    EXPECT_TRUE(convert("aten::add", "Scalar", {tensor({2}), {true}})[1].toScalar().toBool());
    auto complex = convert("aten::add", "Scalar", {tensor({2}), {std::complex<double>(1, 2)}})[1].toScalar();
    EXPECT_EQ(complex.toComplexDouble(), c10::complex<double>(1, 2));
}

TEST(SchemaArguments, WrapsNumbersWhereTensorsAreWanted) {
    at::Tensor two = convert("aten::div", "Tensor", {tensor({2}), {int64_t{2}}})[1].toTensor();
    EXPECT_TRUE(two.unsafeGetTensorImpl()->is_wrapped_number());
    EXPECT_EQ(at::ones({2}, at::kHalf).div(two).scalar_type(), at::kHalf);
}

TEST(SchemaArguments, TakesListsNamesAndFactoryOptions) {
    auto values =
        convert("aten::empty", "memory_format", {integers({2, 3})},
                {{"dtype", symbol(plan::Symbol::Kind::dtype, "bf16")},
                 {"device", symbol(plan::Symbol::Kind::device, "cuda")},
                 {"pin_memory", {true}},
                 {"memory_format", symbol(plan::Symbol::Kind::memory_format, "contiguous_format")}});
    EXPECT_EQ(values[0].toIntVector(), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(values[1].toScalarType(), at::kBFloat16);
    EXPECT_TRUE(values[2].isNone());
    EXPECT_TRUE(values[3].toDevice().is_cpu());
    EXPECT_FALSE(values[4].toBool());
    EXPECT_EQ(values[5].toMemoryFormat(), at::MemoryFormat::Contiguous);
}

TEST(SchemaArguments, TakesTensorListsAndOptionalOnes) {
    auto cat = convert("aten::cat", "", {sequence({tensor({1}), tensor({2})}), {int64_t{0}}});
    EXPECT_EQ(cat[0].toTensorVector().size(), 2u);
    auto index = convert("aten::index", "Tensor", {tensor({4}), sequence({{}, tensor({2})})});
    EXPECT_FALSE(index[1].toList().get(0).isTensor() && index[1].toList().get(0).toTensor().defined());
    EXPECT_EQ(index[1].toList().get(1).toTensor().numel(), 2);
    auto sum = convert("aten::sum", "dim_IntList", {tensor({2, 2}), integers({0, 1})});
    EXPECT_EQ(sum[1].toIntVector().size(), 2u);
    EXPECT_TRUE(convert("aten::sum", "dim_IntList", {tensor({2}), {}})[1].isNone());
    auto pool = convert("aten::avg_pool2d", "", {tensor({1, 4, 4}), {int64_t{2}}});
    EXPECT_EQ(pool[1].toIntVector(), (std::vector<int64_t>{2, 2})) << "one integer stands for int[2]";
}

void expect_refused(const std::string& what, const std::function<void()>& call) {
    try {
        call();
        ADD_FAILURE() << what << " was taken";
    } catch (const StepError& error) {
        EXPECT_EQ(error.reason, "plan_invalid") << what;
    }
}

TEST(SchemaArguments, RefusesWhatDoesNotFit) {
    expect_refused("too many", [] { convert("aten::relu", "", {tensor({1}), {int64_t{1}}}); });
    expect_refused("too few", [] { convert("aten::add", "Tensor", {tensor({1})}); });
    expect_refused("unknown name", [] { convert("aten::relu", "", {tensor({1})}, {{"out", tensor({1})}}); });
    expect_refused("given twice", [] { convert("aten::relu", "", {tensor({1})}, {{"self", tensor({1})}}); });
    expect_refused("no tensor", [] { convert("aten::relu", "", {{std::string("x")}}); });
    expect_refused("string for integer", [] {
        convert("aten::cumsum", "", {tensor({1}), {std::string("x")}});
    });
    expect_refused("nested list", [] {
        convert("aten::sum", "dim_IntList", {tensor({1}), sequence({integers({1})})});
    });
    expect_refused("unknown dtype", [] {
        convert("aten::empty", "memory_format", {integers({1})},
                {{"dtype", symbol(plan::Symbol::Kind::dtype, "f7")}});
    });
    expect_refused("sparse layout", [] {
        convert("aten::empty", "memory_format", {integers({1})},
                {{"layout", symbol(plan::Symbol::Kind::layout, "sparse_coo")}});
    });
}

}  // namespace
}  // namespace tritonsmith::run
