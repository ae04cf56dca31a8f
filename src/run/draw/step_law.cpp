#include <cmath>
#include <optional>
#include <string_view>

#include "plan/ir/arguments.h"
#include "run/draw/draw.h"

namespace tritonsmith::run {
namespace {

std::optional<StepLaw> continuous(Law law, std::optional<double> a, std::optional<double> b, double default_a,
                                  double default_b) {
    return StepLaw{{law, a.value_or(default_a), b.value_or(default_b), 0, 1},
                   law == Law::uniform || law == Law::normal || law == Law::log_normal ||
                       law == Law::exponential || law == Law::cauchy};
}

std::optional<StepLaw> integers(std::optional<int64_t> low, std::optional<int64_t> high) {
    if (!low || !high || *high <= *low) return std::nullopt;
    return StepLaw{{Law::integer, 0, 1, *low, static_cast<uint64_t>(*high) - static_cast<uint64_t>(*low)},
                   false};
}

/// random_() without bounds: every value of an integer type from 0 up, and the exact integers of a floating
/// one.
std::optional<StepLaw> whole_range(plan::DType dtype) {
    using plan::DType;
    switch (dtype) {
        case DType::f64:
            return integers(0, (int64_t{1} << 53) + 1);
        case DType::f32:
            return integers(0, (int64_t{1} << 24) + 1);
        case DType::f16:
            return integers(0, (int64_t{1} << 11) + 1);
        case DType::bf16:
            return integers(0, (int64_t{1} << 8) + 1);
        case DType::i64:
            return integers(0, INT64_MAX);
        case DType::i32:
            return integers(0, int64_t{1} << 31);
        case DType::i16:
            return integers(0, int64_t{1} << 15);
        case DType::i8:
            return integers(0, int64_t{1} << 7);
        case DType::u8:
            return integers(0, int64_t{1} << 8);
        case DType::b1:
            return integers(0, 2);
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<StepLaw> step_law(const plan::AtenStep& step) {
    auto real = [&](size_t position, const char* name) {
        return plan::as_number(plan::find_argument(step, position, name));
    };
    auto whole = [&](size_t position, const char* name) -> std::optional<int64_t> {
        const auto* found = plan::argument<int64_t>(step, position, name);
        return found ? std::optional(*found) : std::nullopt;
    };
    std::string_view op = step.op;
    auto is = [&](std::string_view name) {
        return op == name || (op.starts_with(name) && op.substr(name.size()) == ".generator");
    };
    if (is("aten::rand") || is("aten::rand_like")) return continuous(Law::uniform, {}, {}, 0, 1);
    if (is("aten::randn") || is("aten::randn_like")) return continuous(Law::normal, {}, {}, 0, 1);
    if (op == "aten::uniform_" || op == "aten::uniform")
        return continuous(Law::uniform, real(1, "from"), real(2, "to"), 0, 1);
    if (op == "aten::normal_" || op == "aten::normal_functional")
        return continuous(Law::normal, real(1, "mean"), real(2, "std"), 0, 1);
    if (op == "aten::normal.float_float")
        return continuous(Law::normal, real(0, "mean"), real(1, "std"), 0, 1);
    if (op == "aten::log_normal_") return continuous(Law::log_normal, real(1, "mean"), real(2, "std"), 1, 2);
    if (op == "aten::exponential_" || op == "aten::exponential")
        return continuous(Law::exponential, real(1, "lambd"), {}, 1, 1);
    if (op == "aten::cauchy_") return continuous(Law::cauchy, real(1, "median"), real(2, "sigma"), 0, 1);
    if (op == "aten::geometric_") return continuous(Law::geometric, real(1, "p"), {}, 0.5, 1);
    if (op == "aten::bernoulli_.float" || op == "aten::bernoulli.p")
        return continuous(Law::bernoulli, real(1, "p"), {}, 0.5, 1);
    if (is("aten::randint")) return integers(0, whole(0, "high"));
    if (op == "aten::randint.low" || op == "aten::randint.low_generator")
        return integers(whole(0, "low"), whole(1, "high"));
    if (is("aten::randint_like")) return integers(0, whole(1, "high"));
    if (op == "aten::randint_like.low_dtype" || op == "aten::randint_like.low_generator_dtype")
        return integers(whole(1, "low"), whole(2, "high"));
    if (op == "aten::random_.from") return integers(whole(1, "from"), whole(2, "to"));
    if (op == "aten::random_.to") return integers(0, whole(1, "to"));
    if (op == "aten::random_") {
        const auto* tensor = std::get_if<plan::Tensor>(&step.result.v);
        return tensor ? whole_range(tensor->dtype) : std::nullopt;
    }
    if (is("aten::randperm")) {
        std::optional<int64_t> n = whole(0, "n");
        if (!n || *n < 1) return std::nullopt;
        return StepLaw{{Law::permutation, 0, 1, 0, static_cast<uint64_t>(*n)}, false};
    }
    return std::nullopt;
}

std::optional<size_t> probabilities_argument(const plan::AtenStep& step) {
    if (step.op == "aten::bernoulli") return 0;
    if (step.op == "aten::bernoulli.Tensor" || step.op == "aten::bernoulli_.Tensor") return 1;
    return std::nullopt;
}

bool draws_integers(const plan::AtenStep& step) {
    if (probabilities_argument(step)) return true;
    const std::optional<StepLaw> law = step_law(step);
    return law && (law->distribution.law == Law::integer || law->distribution.law == Law::bernoulli);
}

}  // namespace tritonsmith::run
