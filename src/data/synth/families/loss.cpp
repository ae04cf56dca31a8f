#include "data/synth/families/loss.h"

#include <fmt/format.h>

#include <cmath>

/// Losses of predictions and targets: they end a branch in a single number, or one for each row.
namespace tritonsmith::data {
namespace {

int compared(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 1 || a.s.inputs.size() >= 4 || a.at(v).bound > 100)
        return -1;
    struct Entry {
        const char *op, *function, *module, *argument;
        std::vector<double> numbers;
    };
    static const std::vector<Entry> table = {
        {"aten::mse_loss", "F.mse_loss", "nn.MSELoss", "", {}},
        {"aten::l1_loss", "F.l1_loss", "nn.L1Loss", "", {}},
        {"aten::smooth_l1_loss", "F.smooth_l1_loss", "nn.SmoothL1Loss", "beta", {0.5, 1.0, 2.0, 0.1}},
        {"aten::huber_loss", "F.huber_loss", "nn.HuberLoss", "delta", {0.5, 1.0, 1.5, 2.0}}};
    const Entry& entry = a.r.of(table);
    const int target =
        a.input(a.shape(v), a.s.dtype, a.r.of({"target", "targets", "labels", "y"}), "torch.randn");
    const Tensor x = a.at(v).tensor, y = a.at(target).tensor;
    LossForm form(a);
    const double number = entry.numbers.empty() ? 1 : a.r.of(entry.numbers);
    std::string given = form.reduction_text();
    if (number != 1 || (!entry.numbers.empty() && a.r.chance(0.4)))
        given += fmt::format(", {}={}", entry.argument, form.number(entry.argument, number));
    const std::string text = form.call(entry.function, entry.module, given, "{0}, {1}");
    a.begin();
    if (std::string(entry.op) == "aten::l1_loss") {  // PyTorch computes the absolute difference's mean itself
        const Tensor difference = a.s.eager.call("aten::sub.Tensor", {x, y}, x.shape, x.dtype);
        const Tensor size = a.s.eager.call("aten::abs", {difference}, x.shape, x.dtype);
        return a.add("", text, {v, target}, form.reduced(size), 10, "loss", true);
    }
    std::vector<Arg> args = {x, y};
    if (!form.mean() || number != 1) args.emplace_back(form.code());
    if (number != 1) args.emplace_back(number);
    const Tensor out = a.s.eager.call(entry.op, args, form.none() ? x.shape : Shape{}, x.dtype);
    return a.add("", text, {v, target}, out, 100, "loss", true);
}

int classified(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) != 2 || a.s.inputs.size() >= 4 || a.at(v).bound > 100 ||
        a.shape(v)[1].text.empty())
        return -1;
    const int target = a.input({a.shape(v)[0]}, DType::i64, a.r.of({"target", "labels", "y", "classes"}),
                               "torch.randint", a.shape(v)[1].text);
    const Tensor x = a.at(v).tensor, y = a.at(target).tensor;
    LossForm form(a);
    const bool logs = a.r.chance(0.2);  // log-probabilities of its own
    const std::string text =
        logs ? form.call("F.nll_loss", "nn.NLLLoss", form.reduction_text(), "F.log_softmax({0}, dim=1), {1}")
             : form.call("F.cross_entropy", "nn.CrossEntropyLoss", form.reduction_text(), "{0}, {1}");
    a.begin();
    const Tensor rows = a.s.eager.call("aten::_log_softmax", {x, 1, false}, x.shape, x.dtype);
    const Tensor out =
        a.s.eager.calls("aten::nll_loss_forward", {rows, y, Arg(), form.code(), -100},
                        {{form.none() ? Shape{x.shape[0]} : Shape{}, x.dtype}, {{}, x.dtype}})[0];
    return a.add("", text, {v, target}, out, 20, "loss", true);
}

/// Logits and labels of zero and one, or probabilities in their place.
int binary_entropy(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 1 || a.s.inputs.size() >= 3 || a.at(v).bound > 20)
        return -1;
    const int target = a.input(a.shape(v), a.s.dtype, a.r.of({"target", "labels", "y", "targets"}),
                               a.r.chance(0.6) ? "torch.rand" : "torch.randint", "2");
    const Tensor x = a.at(v).tensor, y = a.at(target).tensor;
    LossForm form(a);
    const std::string text = form.call("F.binary_cross_entropy_with_logits", "nn.BCEWithLogitsLoss",
                                       form.reduction_text(), "{0}, {1}");
    a.begin();
    std::vector<Arg> args = {x, y};
    if (!form.mean()) args.insert(args.end(), {Arg(), Arg(), form.code()});
    return a.add("", text, {v, target},
                 a.s.eager.call("aten::binary_cross_entropy_with_logits", args,
                                form.none() ? x.shape : Shape{}, x.dtype),
                 20, "loss", true);
}

/// max(0, margin - x·y) and its mean.
int hinge(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) > 2 || a.rank(v) < 1 || a.s.inputs.size() >= 4 ||
        a.at(v).bound > 100)
        return -1;
    const char* called = a.r.of({"target", "labels", "sign", "y"});
    const int target = a.r.chance(0.5) ? a.signs(v, called) : a.another(v, called);
    const double margin = a.r.chance(0.4) ? 1 : a.r.of(std::vector<double>{0.5, 2.0, 1.5, 0.2});
    const int product = a.binary(v, target, "mul");
    a.begin();
    const Tensor& x = a.at(product).tensor;
    const bool plain = margin == 1 && a.r.chance(0.6);
    const std::string from = plain ? "1" : a.scalar({"margin", "m"}, margin);
    const int rest =
        a.add("", from + " - {0}", {product},
              a.s.eager.call("aten::rsub.Scalar", {x, plain ? Arg(1) : Arg(margin)}, x.shape, x.dtype), 1e3,
              "margin", false, true);
    a.begin();
    const Tensor& y = a.at(rest).tensor;
    const bool relu = a.r.chance(0.3);
    const int hinges =
        a.add("", relu ? "F.relu({0})" : a.r.of({"torch.clamp({0}, min=0)", "{0}.clamp(min=0)"}), {rest},
              relu ? a.s.eager.call("aten::relu", {y}, y.shape, y.dtype)
                   : a.s.eager.call("aten::clamp", {y, 0}, y.shape, y.dtype),
              1e3, "hinge", true);
    a.begin();
    const Tensor& z = a.at(hinges).tensor;
    const bool sum = a.r.chance(0.2);
    return a.add("", sum ? "{0}.sum()" : a.r.of({"torch.mean({0})", "{0}.mean()"}), {hinges},
                 a.s.eager.call(sum ? "aten::sum" : "aten::mean", {z}, {}, z.dtype), 1e3, "loss", true);
}

int squared_error(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.s.inputs.size() > 2 || a.at(v).bound > 50 || a.rank(v) < 1) return -1;
    const int target = a.another(v, a.r.of({"target", "targets", "y"}));
    const Tensor x = a.at(v).tensor;
    a.begin();
    const Tensor d = a.s.eager.call("aten::sub.Tensor", {x, a.at(target).tensor}, x.shape, x.dtype);
    const Tensor square = a.s.eager.call("aten::pow.Tensor_Scalar", {d, 2}, x.shape, x.dtype);
    return a.add("loss",
                 a.r.of({"torch.mean(({0} - {1}) ** 2)", "(({0} - {1}) ** 2).mean()",
                         "torch.mean(({0} - {1}).pow(2))"}),
                 {v, target}, a.s.eager.call("aten::mean", {square}, {}, x.dtype), 100, "loss", true);
}

/// Of differences, with a number of the constructor's: quantiles, roots, Huber's written out.
int of_differences(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.s.inputs.size() > 2 || a.at(v).bound > 50 || a.rank(v) < 1) return -1;
    const int target = a.another(v, a.r.of({"target", "targets", "y", "y_true"}));
    const Tensor x = a.at(v).tensor;
    auto call = [&](const char* op, std::vector<Arg> args) {
        return a.s.eager.call(op, std::move(args), x.shape, x.dtype);
    };
    a.begin();
    const int d = a.add("loss", "{0} - {1}", {v, target}, call("aten::sub.Tensor", {x, a.at(target).tensor}),
                        a.at(v).bound + 4, a.r.of({"diff", "error", "delta", "residual"}), false, true);
    const Tensor difference = a.at(d).tensor;
    std::string text;
    Tensor each;
    a.begin();
    if (a.r.chance(0.5)) {
        const double q = a.r.of(std::vector<double>{0.1, 0.25, 0.75, 0.9, 0.3});
        const std::string name = a.scalar({"q", "quantile", "tau"}, q);
        const Tensor more = call("aten::mul.Tensor", {difference, q}),
                     less = call("aten::mul.Tensor", {difference, q - 1});
        each = call("aten::maximum", {more, less});
        // The constructor's number minus one is what the program multiplies with.
        text = fmt::format("torch.maximum({0} * {{0}}, ({0} - 1) * {{0}})", name);
    } else {
        const double eps = a.r.of(std::vector<double>{1e-3, 1e-2, 0.1});
        const std::string name = a.scalar({"eps", "epsilon"}, eps);
        const Tensor square = call("aten::pow.Tensor_Scalar", {difference, 2}),
                     more = call("aten::add.Tensor", {square, eps});
        each = call("aten::sqrt", {more});
        text = fmt::format("torch.sqrt({{0}} ** 2 + {})", name);
    }
    const int all = a.add("loss", text, {d}, each, a.at(v).bound + 4, "penalty", true);
    a.begin();
    return a.add("loss", a.r.of({"torch.mean({0})", "{0}.mean()"}), {all},
                 a.s.eager.call("aten::mean", {each}, {}, x.dtype), 100, "loss", true);
}

/// Overlap of probabilities and labels.
int dice(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.s.inputs.size() > 2 || a.at(v).bound > 20 || a.rank(v) < 2) return -1;
    const int target = a.input(a.shape(v), a.s.dtype, a.r.of({"target", "mask", "labels"}), "torch.rand");
    const int probs = a.unary(v, "sigmoid");
    if (probs < 0) return -1;
    const double smooth = a.r.of(std::vector<double>{1.0, 0.5, 1e-3});
    const std::string name = a.scalar({"smooth", "eps", "smoothing"}, smooth);
    const Tensor p = a.at(probs).tensor, y = a.at(target).tensor;
    auto total = [&](const Tensor& of) { return a.s.eager.call("aten::sum", {of}, {}, of.dtype); };
    auto number = [&](const char* op, std::vector<Arg> args) {
        return a.s.eager.call(op, std::move(args), {}, p.dtype);
    };
    a.begin();
    const Tensor both = total(a.s.eager.call("aten::mul.Tensor", {p, y}, p.shape, p.dtype));
    const int shared = a.add("loss", a.r.of({"({0} * {1}).sum()", "torch.sum({0} * {1})"}), {probs, target},
                             both, 1e6, "intersection", true);
    a.begin();
    const Tensor upper = number("aten::add.Tensor", {number("aten::mul.Tensor", {both, 2.0}), smooth});
    const Tensor sum_p = total(p), sum_y = total(y);
    const Tensor lower = number("aten::add.Tensor", {number("aten::add.Tensor", {sum_p, sum_y}), smooth});
    const Tensor ratio = number("aten::div.Tensor", {upper, lower});
    return a.add("loss", fmt::format("1 - (2.0 * {{0}} + {0}) / ({{1}}.sum() + {{2}}.sum() + {0})", name),
                 {shared, probs, target}, number("aten::rsub.Scalar", {ratio, 1}), 1, "loss", true, true);
}

}  // namespace

void add_loss_families(std::vector<Family>& out) {
    out.push_back({"loss", 2, "msi", compared});
    out.push_back({"loss", 1.6, "m", classified});
    out.push_back({"loss", 0.8, "msi", binary_entropy});
    out.push_back({"loss", 1, "m", hinge});
    out.push_back({"loss", 0.7, "msi", squared_error});
    out.push_back({"loss", 0.8, "msi", of_differences});
    out.push_back({"loss", 0.4, "mi", dice});
    add_pair_loss_families(out);
}

}  // namespace tritonsmith::data
