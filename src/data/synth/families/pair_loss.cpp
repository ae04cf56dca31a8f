#include <fmt/format.h>

#include <cmath>

#include "data/synth/families/loss.h"

namespace tritonsmith::data {

LossForm::LossForm(Sampler& sampler)
    : a_(sampler),
      member_(sampler.r.chance(0.5)),
      reduction_(std::vector<int>{1, 2, 0}[sampler.r.weighted({72, 18, 10})]) {}

std::string LossForm::reduction_text() {
    if (mean() && !a_.r.chance(0.25)) return "";
    const char* words[] = {"none", "mean", "sum"};
    const char* word = words[reduction_];
    const std::string quoted = fmt::format("\"{}\"", word);
    return ", reduction=" +
           (member_ ? a_.option("reduction", quoted, Arg(word)) : a_.kept("reduction", quoted, Arg(word)));
}

std::string LossForm::number(const char* name, double value) {
    return member_ ? a_.option(name, value) : a_.kept(name, number_text(value), Arg(value));
}

std::string LossForm::call(const std::string& function, const std::string& module, const std::string& given,
                           const std::string& operands) {
    if (!member_) return fmt::format("{}({}{})", function, operands, given);
    const std::string name = a_.attribute(a_.r.of({"criterion", "loss_fn", "loss", "objective"}));
    a_.s.members.push_back({name, fmt::format("{}({})", module, given.empty() ? "" : given.substr(2))});
    return fmt::format("self.{}({})", name, operands);
}

Tensor LossForm::reduced(const Tensor& terms) {
    if (none()) return terms;
    return a_.s.eager.call(mean() ? "aten::mean" : "aten::sum", {terms}, {}, terms.dtype);
}

namespace {

bool rows_of_pairs(const Sampler& a, int v) {
    return a.floating(v) && a.rank(v) == 2 && !a.at(v).permuted && !a.half() && a.at(v).bound <= 50 &&
           !a.at(v).settled && a.shape(v)[1].now() >= 8;
}

/// Distances of distributions.
int divergence(Sampler& a, int v) {
    if (!rows_of_pairs(a, v) || a.s.inputs.size() > 2 || a.at(v).bound > 20) return -1;
    const int other = a.another(v, a.r.of({"target", "targets", "q", "reference", "teacher"}));
    const int logs = a.softmax(v, 1, true);
    const bool log_target = a.r.chance(0.2);
    const int probs = a.softmax(other, 1, log_target);
    const Tensor x = a.at(logs).tensor, y = a.at(probs).tensor;
    const char* reduction = a.r.of({"batchmean", "batchmean", "sum", "mean"});
    const bool member = a.r.chance(0.4);
    std::string given = fmt::format("reduction=\"{}\"", reduction);
    if (member && a.r.chance(0.5))
        given = "reduction=" + a.option("reduction", fmt::format("\"{}\"", reduction), Arg(reduction));
    if (log_target) given += ", log_target=True";
    std::string text = "F.kl_div({0}, {1}, " + given + ")";
    if (member) {
        const std::string name = a.attribute(a.r.of({"criterion", "kl", "loss_fn", "kl_loss"}));
        a.s.members.push_back({name, "nn.KLDivLoss(" + given + ")"});
        text = "self." + name + "({0}, {1})";
    }
    a.begin();
    auto call = [&](const char* op, std::vector<Arg> args) {
        return a.s.eager.call(op, std::move(args), x.shape, x.dtype);
    };
    Tensor rest;
    if (log_target) {
        const Tensor gap = call("aten::sub.Tensor", {y, x});
        rest = call("aten::mul.Tensor", {call("aten::exp", {y}), gap});
    } else {
        const Tensor cross = call("aten::mul.Tensor", {y, x}), own = call("aten::xlogy.Tensor", {y, y});
        rest = call("aten::sub.Tensor", {own, cross});
    }
    const std::string how = reduction;
    Tensor out = a.s.eager.call(how == "mean" ? "aten::mean" : "aten::sum", {rest}, {}, x.dtype);
    if (how == "batchmean") out = a.s.eager.call("aten::div.Tensor", {out, x.shape[0]}, {}, x.dtype);
    return a.add("loss", text, {logs, probs}, out, 20, "loss", true);
}

int triplet(Sampler& a, int v) {
    if (!rows_of_pairs(a, v) || a.s.inputs.size() > 1) return -1;
    const int near = a.another(v, a.r.of({"positive", "pos", "near"})),
              far = a.another(v, a.r.of({"negative", "neg", "far"}));
    if (a.r.chance(0.4)) a.s.variables[static_cast<size_t>(v)].preferred = "anchor";
    const double margin = a.r.of(std::vector<double>{0.2, 0.3, 0.5, 1.0, 2.0}),
                 eps = a.r.chance(0.85) ? 1e-6 : 1e-5;
    LossForm form(a);
    std::string given = fmt::format(", margin={}", form.number("margin", margin));
    if (eps != 1e-6) given += ", eps=" + form.number("eps", eps);
    if (a.r.chance(0.15)) given += ", p=" + a.r.of(std::vector<std::string>{"2", "2.0"});
    given += form.reduction_text();
    const std::string text =
        form.call("F.triplet_margin_loss", "nn.TripletMarginLoss", given, "{0}, {1}, {2}");
    const Size rows = a.shape(v)[0];
    const Tensor x = a.at(v).tensor;
    a.begin();
    auto distance = [&](int to) {
        const Tensor d = a.s.eager.call("aten::sub.Tensor", {x, a.at(to).tensor}, x.shape, x.dtype);
        const Tensor moved = a.s.eager.call("aten::add.Scalar", {d, eps}, x.shape, x.dtype);
        return a.s.eager.call("aten::norm.ScalarOpt_dim", {moved, 2.0, Arg::list({1})}, {rows}, x.dtype);
    };
    const Tensor p = distance(near), n = distance(far);
    const Tensor more = a.s.eager.call("aten::add.Scalar", {p, margin}, {rows}, x.dtype);
    const Tensor gap = a.s.eager.call("aten::sub.Tensor", {more, n}, {rows}, x.dtype);
    const Tensor hinge = a.s.eager.call("aten::clamp_min", {gap, 0}, {rows}, x.dtype);
    return a.add("loss", text, {v, near, far}, form.reduced(hinge), 20, "loss", true);
}

/// The same in the author's own words: distances of rows, a margin, a limit at zero.
int written_triplet(Sampler& a, int v) {
    if (!rows_of_pairs(a, v) || a.s.inputs.size() > 1 || !a.at(v).input) return -1;
    const int near = a.another(v, a.r.of({"positive", "pos", "near"})),
              far = a.another(v, a.r.of({"negative", "neg", "far"}));
    const double margin = a.r.of(std::vector<double>{0.2, 0.5, 1.0, 2.0});
    const Tensor x = a.at(v).tensor;
    const Size rows = a.shape(v)[0];
    const bool squares = a.r.chance(0.5);
    auto distance = [&](int to, const char* name) {
        a.begin();
        const Tensor d = a.s.eager.call("aten::sub.Tensor", {x, a.at(to).tensor}, x.shape, x.dtype);
        if (squares) {
            const Tensor square = a.s.eager.call("aten::pow.Tensor_Scalar", {d, 2}, x.shape, x.dtype);
            return a.add("loss", "(({0} - {1}) ** 2).sum(dim=1)", {v, to},
                         a.s.eager.call("aten::sum.dim_IntList", {square, Arg::list({1})}, {rows}, x.dtype),
                         1e4, name, true);
        }
        return a.add("loss", "torch.norm({0} - {1}, p=2, dim=1)", {v, to},
                     a.s.eager.call("aten::linalg_vector_norm", {d, 2, Arg::list({1})}, {rows}, x.dtype), 100,
                     name, true);
    };
    const int p = distance(near, "d_pos"), n = distance(far, "d_neg");
    const std::string by = a.scalar({"margin", "m"}, margin);
    a.begin();
    const Tensor gap = a.s.eager.call("aten::sub.Tensor", {a.at(p).tensor, a.at(n).tensor}, {rows}, x.dtype);
    const Tensor more = a.s.eager.call("aten::add.Tensor", {gap, margin}, {rows}, x.dtype);
    const Tensor hinges = a.s.eager.call("aten::relu", {more}, {rows}, x.dtype);
    return a.add("loss", fmt::format("F.relu({{0}} - {{1}} + {}).mean()", by), {p, n},
                 a.s.eager.call("aten::mean", {hinges}, {}, x.dtype), 100, "loss", true);
}

/// Which of two is larger, with a margin.
int ranking(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 1 || a.rank(v) > 2 || a.at(v).bound > 50 ||
        a.s.inputs.size() > 1)
        return -1;
    const int second = a.another(v, a.r.of({"x2", "other", "input2", "negative"})),
              target = a.signs(v, a.r.of({"target", "y", "sign"}));
    const double margin = a.r.of(std::vector<double>{0.1, 0.3, 0.5, 1.0});
    LossForm form(a);
    const std::string text = form.call(
        "F.margin_ranking_loss", "nn.MarginRankingLoss",
        fmt::format(", margin={}", form.number("margin", margin)) + form.reduction_text(), "{0}, {1}, {2}");
    const Tensor x = a.at(v).tensor;
    auto call = [&](const char* op, std::vector<Arg> args) {
        return a.s.eager.call(op, std::move(args), x.shape, x.dtype);
    };
    a.begin();
    const Tensor gap = call("aten::sub.Tensor", {x, a.at(second).tensor});
    const Tensor turned = call("aten::neg", {a.at(target).tensor});
    const Tensor signs = call("aten::mul.Tensor", {turned, gap});
    const Tensor moved = call("aten::add.Scalar", {signs, margin});
    a.s.eager.in_place("aten::clamp_min_", {moved, 0}, moved);
    return a.add("loss", text, {v, second, target}, form.reduced(moved), 20, "loss", true);
}

/// Of rows, or one minus it on the average.
int cosine(Sampler& a, int v) {
    if (!rows_of_pairs(a, v) || a.s.inputs.size() > 2) return -1;
    const int other = a.another(v, a.r.of({"target", "y", "other", "b"}));
    const Tensor x = a.at(v).tensor, y = a.at(other).tensor;
    const Size rows = x.shape[0];
    const Shape column = {rows, Size(1)};
    const double eps = a.r.chance(0.8) ? 1e-8 : 1e-6;
    const bool member = a.r.chance(0.35);
    std::string call = "F.cosine_similarity({0}, {1}, dim=1)";
    if (member) {
        const std::string name = a.attribute(a.r.of({"similarity", "cos", "cosine"}));
        const std::string small = a.option("eps", eps);
        a.s.members.push_back({name, fmt::format("nn.CosineSimilarity(dim=1, eps={})", small)});
        call = "self." + name + "({0}, {1})";
    } else if (eps != 1e-8) {
        call = fmt::format("F.cosine_similarity({{0}}, {{1}}, dim=1, eps={})",
                           a.kept("eps", number_text(eps), Arg(eps)));
    }
    a.begin();
    auto length = [&](const Tensor& of) {
        const Tensor norm =
            a.s.eager.call("aten::linalg_vector_norm", {of, 2.0, Arg::list({1}), true}, column, x.dtype);
        return a.s.eager.call("aten::clone", {norm}, column, x.dtype);
    };
    const Tensor left = length(x), right = length(y);
    const Tensor least = a.s.eager.call("aten::scalar_tensor", {eps}, {}, x.dtype);
    a.s.eager.in_place("aten::clamp_min_.Tensor", {left, least}, left);
    a.s.eager.in_place("aten::clamp_min_.Tensor", {right, least}, right);
    const Tensor b = a.s.eager.call("aten::div.Tensor", {y, right}, x.shape, x.dtype);
    const Tensor c = a.s.eager.call("aten::div.Tensor", {x, left}, x.shape, x.dtype);
    const Tensor both = a.s.eager.call("aten::mul.Tensor", {c, b}, x.shape, x.dtype);
    const Tensor sum = a.s.eager.call("aten::sum.dim_IntList", {both, Arg::list({1})}, {rows}, x.dtype);
    if (a.r.chance(0.4)) return a.add("loss", call, {v, other}, sum, 1, "similarity");
    const Tensor rest = a.s.eager.call("aten::rsub.Scalar", {sum, 1}, {rows}, x.dtype);
    return a.add("loss", a.r.chance(0.5) ? "torch.mean(1 - " + call + ")" : "(1 - " + call + ").mean()",
                 {v, other}, a.s.eager.call("aten::mean", {rest}, {}, x.dtype), 1, "loss", true);
}

/// Of rows of two inputs.
int row_distance(Sampler& a, int v) {
    if (!rows_of_pairs(a, v) || a.s.inputs.size() > 2) return -1;
    const int other = a.another(v, a.r.of({"y", "other", "reference", "x2"}));
    const Tensor x = a.at(v).tensor;
    const Size rows = x.shape[0];
    const bool member = a.r.chance(0.5), keep = a.r.chance(0.25);
    const double eps = a.r.chance(0.8) ? 1e-6 : 1e-4;
    std::string given = "p=2";
    const std::string small = member ? a.option("eps", eps) : a.kept("eps", number_text(eps), Arg(eps));
    if (eps != 1e-6) given += ", eps=" + small;
    if (keep) given += ", keepdim=True";
    std::string text = "F.pairwise_distance({0}, {1}, " + given + ")";
    if (member) {
        const std::string name = a.attribute(a.r.of({"distance", "dist", "pdist"}));
        a.s.members.push_back({name, "nn.PairwiseDistance(" + given + ")"});
        text = "self." + name + "({0}, {1})";
    }
    a.begin();
    const Tensor d = a.s.eager.call("aten::sub.Tensor", {x, a.at(other).tensor}, x.shape, x.dtype);
    const Tensor moved = a.s.eager.call("aten::add.Scalar", {d, eps}, x.shape, x.dtype);
    std::vector<Arg> args = {moved, 2.0, Arg::list({1})};
    if (keep) args.emplace_back(true);
    const Shape shape = keep ? Shape{rows, Size(1)} : Shape{rows};
    return a.add("loss", text, {v, other}, a.s.eager.call("aten::norm.ScalarOpt_dim", args, shape, x.dtype),
                 100, "distance", true);
}

}  // namespace

void add_pair_loss_families(std::vector<Family>& out) {
    out.push_back({"loss", 1.2, "m", divergence});
    out.push_back({"loss", 1, "m", triplet});
    out.push_back({"loss", 0.5, "m", written_triplet});
    out.push_back({"loss", 0.6, "m", ranking});
    out.push_back({"loss", 1.2, "m", cosine});
    out.push_back({"loss", 0.5, "m", row_distance});
}

}  // namespace tritonsmith::data
