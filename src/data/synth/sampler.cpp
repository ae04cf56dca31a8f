#include "data/synth/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/ir/json.h"

namespace tritonsmith::data {

std::string number_text(double value) {
    std::string out = fmt::format("{}", value);
    if (out.find_first_of(".en") == std::string::npos) out += ".0";
    return out;
}

std::string filled(const std::string& text, const std::vector<std::string>& with) {
    std::string out;
    out.reserve(text.size() + 32);
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' && text[i + 1] >= '0' &&
            text[i + 1] <= '9') {
            out += with[static_cast<size_t>(text[i + 1] - '0')];
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

bool Sampler::floating(int v) const {
    return plan::is_floating(at(v).tensor.dtype);
}

Size Sampler::size(const std::vector<const char*>& preferred, std::initializer_list<int64_t> values,
                   int64_t multiple) {
    std::string name = r.of(preferred);
    for (int count = 2; names.contains(name); ++count) name = fmt::format("{}_{}", r.of(preferred), count);
    names.insert(name);
    int64_t now = r.of(values);
    now = std::max<int64_t>(1, (now + multiple - 1) / multiple) * multiple;
    // Primes: no product of some of them is a product of others. What is small stays small, since below 17 a
    // number is what a program is and not how large its data are (forge/module/sizes.h).
    static const std::vector<int64_t> small = {7, 11, 13}, large = {17, 19, 23, 29, 31, 37, 41, 43, 47,
                                                                    53, 59, 61, 67, 71, 73, 79, 83, 89};
    const std::vector<int64_t>& primes = now <= 16 && multiple == 1 ? small : large;
    int64_t other = r.of(primes);
    for (int attempt = 0; attempt < 100 && (other * multiple == now ||
                                            std::find(used_.begin(), used_.end(), other) != used_.end());
         ++attempt)
        other = r.of(primes);
    used_.push_back(other);
    Size out({now, other * multiple}, name);
    s.sizes.push_back({name, out});
    return out;
}

std::string Sampler::attribute(const std::string& preferred) {
    std::string name = preferred;
    for (int count = 2; names.contains(name); ++count)
        name = fmt::format("{}{}{}", preferred, preferred.back() >= '0' && preferred.back() <= '9' ? "_" : "",
                           count);
    names.insert(name);
    return name;
}

std::string Sampler::hyper(const std::string& name, const std::string& value) {
    if (r.chance(0.6) || names.contains(name)) return value;
    names.insert(name);
    s.hypers.push_back({name, value});
    return "self." + name;
}

Tensor Sampler::weight(const std::string& name, Shape shape, bool parameter) {
    return s.eager.weight(name, std::move(shape), s.dtype, parameter);
}

Tensor Sampler::parameter(const std::string& preferred, const Shape& shape, const std::string& made,
                          std::string& text) {
    const std::string name = attribute(preferred);
    std::vector<std::string> sizes;
    for (const Size& size : shape) sizes.push_back(size.text);
    std::string list = fmt::format("{}", fmt::join(sizes, ", "));
    s.members.push_back({name, filled(made, {list})});
    text = "self." + name;
    return weight(name, shape);
}

int Sampler::input(Shape shape, DType dtype, const std::string& preferred, const char* maker,
                   const std::string& high) {
    Variable v;
    v.tensor = s.eager.input(std::move(shape), dtype);
    v.preferred = preferred;
    v.input = true;
    v.positive = std::string(maker) == "torch.rand";
    v.bound = v.positive ? 1 : 4;
    s.variables.push_back(std::move(v));
    const int id = static_cast<int>(s.variables.size()) - 1;
    s.inputs.push_back({id, maker, high});
    return id;
}

int Sampler::another(int like, const std::string& preferred) {
    return input(shape(like), at(like).tensor.dtype, preferred,
                 r.chance(0.85) ? "torch.randn" : "torch.rand");
}

int Sampler::add(const char* family, std::string text, std::vector<int> operands, Tensor result, double bound,
                 const char* preferred, bool positive, bool infix) {
    for (const int operand : operands) ++s.variables[static_cast<size_t>(operand)].uses;
    Variable v;
    v.tensor = std::move(result);
    v.preferred = preferred;
    v.bound = bound;
    v.positive = positive;
    v.settled = operands.size() == 1 && at(operands[0]).settled;
    v.averaged = operands.size() == 1 && at(operands[0]).averaged;
    v.permuted = !v.tensor.contiguous();
    for (const int operand : operands) v.permuted = v.permuted || at(operand).permuted;
    s.variables.push_back(std::move(v));
    const int id = static_cast<int>(s.variables.size()) - 1;
    s.steps.push_back({family, {std::move(text)}, false, infix, std::move(operands), {id}});
    return id;
}

const std::vector<Family>& sampled_families() {
    static const std::vector<Family> all = [] {
        std::vector<Family> out;
        add_pointwise_families(out);
        add_reduction_families(out);
        add_product_families(out);
        add_image_families(out);
        add_movement_families(out);
        add_block_families(out);
        add_loss_families(out);
        add_index_families(out);
        return out;
    }();
    return all;
}

namespace {

/// Letters of themes: m matrices, s sequences, i images, c signals, v volumes, h heads, n integers, p
/// products.
const char* draw_theme(Random& r) {
    static const std::vector<const char*> themes = {"m", "s", "i", "c", "h", "p", "v", "n", "e"};
    return themes[r.weighted({30, 26, 16, 8, 8, 6, 2, 4, 5})];
}

}  // namespace

std::string Sampler::theme() {
    const std::string theme = draw_theme(r);
    const std::vector<const char*> batch = {"batch_size", "batch", "n", "B", "bs", "num_samples"};
    const std::vector<const char*> width = {"features", "dim",   "hidden_size", "hidden_dim", "in_features",
                                            "d_model",  "width", "D",           "input_size", "num_features"};
    const std::vector<const char*> length = {"seq_len",    "length",  "T",    "seq_length",
                                             "num_tokens", "context", "steps"};
    const char* maker = r.chance(0.85) ? "torch.randn" : "torch.rand";
    const char* preferred =
        r.of({"x", "x", "x", "input", "inputs", "tensor", "features", "hidden_states", "data", "inp"});
    const DType dtype = s.dtype;
    Shape shape;
    if (theme == "m") {
        const int rank = r.chance(0.08) ? 1 : 2;
        if (rank == 2)
            shape.push_back(size({"batch_size", "batch", "rows", "M", "N", "num_rows", "n_samples"},
                                 {32, 64, 128, 256, 512, 1024, 2048, 100, 1000, 48, 300}));
        shape.push_back(size(rank == 2 ? width : std::vector<const char*>{"n", "size", "numel", "N"},
                             {64, 128, 256, 512, 768, 1024, 2048, 4096, 100, 1000, 384, 50, 250}, 2));
    } else if (theme == "s") {
        shape = {size(batch, {2, 4, 8, 16, 32}), size(length, {18, 32, 64, 128, 256, 512, 197, 77, 100}),
                 size(width, {32, 64, 128, 256, 384, 512, 768, 100, 96}, r.chance(0.8) ? 4 : 2)};
    } else if (theme == "i") {
        const int64_t even = r.chance(0.7) ? 8 : 4;
        shape = {size(batch, {2, 4, 8, 16, 32}),
                 size({"channels", "in_channels", "C", "num_channels", "planes", "width"},
                      {16, 32, 64, 96, 128, 24}, even),
                 size({"height", "H", "image_height", "h"}, {20, 28, 32, 56, 64, 112, 30}, 4),
                 size({"W", "image_width", "w", "img_width"}, {20, 28, 32, 56, 64, 112, 50}, 4)};
        if (r.chance(0.5)) shape[3] = shape[2];
    } else if (theme == "c") {
        shape = {size(batch, {2, 4, 8, 16, 32}),
                 size({"channels", "in_channels", "C", "num_channels"}, {4 * 4, 32, 64, 128, 256, 80}, 8),
                 size(length, {64, 128, 256, 512, 1000, 1024, 2048, 400}, 4)};
    } else if (theme == "v") {
        shape = {size(batch, {2, 4, 8}), size({"channels", "in_channels", "C"}, {8, 16, 32}, 4),
                 size({"depth", "D"}, {8, 16, 20}, 4), size({"height", "H"}, {16, 24, 32}, 4),
                 size({"W", "w"}, {16, 28, 32}, 4)};
    } else if (theme == "h") {
        shape = {size(batch, {2, 4, 8, 16}),
                 size({"heads", "num_heads", "n_heads", "H"}, {18, 20, 24, 32, 8, 12, 16}),
                 size(length, {32, 64, 128, 256, 100, 512}),
                 size({"head_dim", "d_k", "dim_head", "E"}, {32, 64, 128, 48, 96}, 4)};
    } else if (theme == "p") {
        const Size m = size({"M", "rows", "m"}, {64, 128, 256, 512, 1024, 100, 200}),
                   k = size({"K", "inner", "k"}, {64, 128, 256, 512, 300}, 4);
        if (r.chance(0.35)) shape.push_back(size(batch, {4, 8, 16, 32}));
        shape.insert(shape.end(), {m, k});
    } else if (theme == "n") {
        shape = {size({"rows", "batch_size", "n"}, {32, 64, 128, 500}),
                 size({"cols", "length", "m"}, {64, 128, 256, 1000})};
        input(shape, r.chance(0.5) ? DType::i64 : DType::i32, r.of({"x", "values", "counts", "codes"}),
              "torch.randint", std::to_string(r.of({10, 100, 256, 1000})));
        return theme;
    } else {  // e: indices
        shape = {size(batch, {4, 8, 16, 32, 64}), size(length, {16, 32, 64, 128, 100, 256})};
        const Size words =
            size({"vocab_size", "num_embeddings", "num_items", "vocab"}, {100, 512, 1000, 5000, 10000, 300});
        input(shape, DType::i64, r.of({"tokens", "ids", "input_ids", "indices", "idx"}), "torch.randint",
              words.text);
        return theme;
    }
    input(shape, dtype, preferred, maker);
    return theme;
}

bool Sampler::operate(const std::string& theme) {
    // Mostly the newest value goes on; sometimes an older one begins a branch.
    const auto count = static_cast<int64_t>(s.variables.size());
    int v = static_cast<int>(count - 1);
    if (r.chance(0.16)) v = static_cast<int>(r.below(count));
    for (int attempt = 0; attempt < 6 && rank(v) == 0; ++attempt) v = static_cast<int>(r.below(count));
    if (rank(v) == 0) return false;
    const std::vector<Family>& families = sampled_families();
    std::vector<double> weights;
    for (const Family& family : families) {
        const std::string themes = family.themes;
        weights.push_back(themes == "*" || themes.find(theme) != std::string::npos ? family.weight : 0);
    }
    for (int attempt = 0; attempt < 8; ++attempt) {
        const Family& family = families[r.weighted(weights)];
        const size_t before = s.steps.size();
        if (family.apply(*this, v) >= 0) {
            for (size_t i = before; i < s.steps.size(); ++i)
                if (s.steps[i].family.empty()) s.steps[i].family = family.name;
            return true;
        }
    }
    return false;
}

/// What nothing reads is combined, or returned as well.
void Sampler::finish() {
    std::vector<int> open;
    for (size_t v = 0; v < s.variables.size(); ++v)
        if (s.variables[v].uses == 0 && !s.variables[v].input) open.push_back(static_cast<int>(v));
    while (open.size() > 1) {
        const int a = open[open.size() - 2], b = open.back();
        int joined = -1;
        if (r.chance(0.75) && floating(a) && floating(b) && at(a).tensor.dtype == at(b).tensor.dtype) {
            if (same(shape(a), shape(b)) && at(a).bound * at(b).bound < (half() ? 100 : 1e4))
                joined = binary(a, b, r.chance(0.6) ? "add" : r.chance(0.7) ? "mul" : "sub");
        }
        if (joined < 0) break;
        open.pop_back();
        open.back() = joined;
    }
    for (Step& step : s.steps)
        if (step.family.empty()) step.family = "elementwise";
    if (open.size() > 3) open.erase(open.begin(), open.end() - 3);
    s.outputs = open;
}

Sketch Sampler::sample() {
    s.dtype = std::vector<DType>{DType::f32, DType::f16, DType::bf16}[r.weighted({80, 10, 10})];
    for (const char* name : {"self", "x", "torch", "nn", "F", "math"}) names.insert(name);
    s.theme = theme();
    std::vector<double> weights = {4, 14, 14, 18, 18, 14, 10, 7, 5, 4, 3, 2};
    weights.resize(static_cast<size_t>(most_operators_));
    const int64_t operators = 1 + static_cast<int64_t>(r.weighted(weights));
    for (int64_t i = 0; i < operators && static_cast<int64_t>(s.steps.size()) < operators + 4; ++i)
        if (!operate(s.theme)) break;
    finish();
    return std::move(s);
}

}  // namespace tritonsmith::data
