#include "data/synth/sampler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

#include "data/synth/words.h"
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
                   int64_t multiple, std::initializer_list<int64_t> rare) {
    std::string name = called(r.of(preferred));
    for (int count = 2; names.contains(name); ++count)
        name = fmt::format("{}_{}", called(r.of(preferred)), count);
    names.insert(name);
    int64_t now = rare_ && rare.size() > 0 && r.chance(0.7) ? r.of(rare) : r.of(values);
    now = std::max<int64_t>(1, (now + multiple - 1) / multiple) * multiple;
    // Primes: no product of some of them is a product of others. What is small stays small, since below 17 a
    // number is what a program is and not how large its data are (forge/module/sizes.h).
    static const std::vector<int64_t> small = {5, 7, 11, 13},
                                      large = {17, 19, 23, 29, 31, 37, 41, 43, 47, 53,
                                               59, 61, 67, 71, 73, 79, 83, 89, 97, 101};
    auto is_free = [&](int64_t prime) {
        return prime * multiple != now && std::find(used_.begin(), used_.end(), prime) == used_.end();
    };
    const bool stays = now <= 16 && multiple == 1 && std::any_of(small.begin(), small.end(), is_free);
    const std::vector<int64_t>& primes = stays ? small : large;
    int64_t other = r.of(primes);
    for (int attempt = 0; attempt < 1000 && !is_free(other); ++attempt) other = r.of(primes);
    used_.push_back(other);
    Size out({now, other * multiple}, name);
    s.sizes.push_back({name, out});
    return out;
}

std::string Sampler::attribute(const std::string& preferred) {
    const std::string base = called(preferred);
    std::string name = base;
    for (int count = 2; names.contains(name); ++count)
        name = fmt::format("{}{}{}", base, base.back() >= '0' && base.back() <= '9' ? "_" : "", count);
    names.insert(name);
    return name;
}

std::string Sampler::called(const std::string& preferred) {
    return r.chance(s.strange) ? drawn_name(r) : preferred;
}

std::string Sampler::option(const char* preferred, const std::string& value, const Arg& number) {
    if (!r.chance(s.optional)) return value;
    for (const Option& known : s.options)  // two layers of the same kernel_size
        if (known.usual == preferred && known.value == value && r.chance(0.5)) return known.name;
    const bool flag = value == "True" || value == "False";
    const char* hint = flag                                                                ? "bool"
                       : value.starts_with("(")                                            ? "tuple"
                       : value.starts_with("\"")                                           ? "str"
                       : value == "None" || value.find_first_of(".e") == std::string::npos ? "int"
                                                                                           : "float";
    const std::string name = attribute(preferred);
    s.options.push_back({preferred, name, value, hint, number, {}});
    return name;
}

std::string Sampler::option(const char* preferred, int64_t value) {
    return option(preferred, std::to_string(value), Arg(value));
}

std::string Sampler::option(const char* preferred, bool value) {
    return option(preferred, value ? "True" : "False", Arg(value));
}

std::string Sampler::option(const char* preferred, double value) {
    return option(preferred, number_text(value), Arg(value));
}

std::string Sampler::shape_option(const Shape& shape) {
    std::vector<std::string> sizes;
    for (const Size& size : shape) sizes.push_back(size.text);
    const std::string list = fmt::format("{}", fmt::join(sizes, ", "));
    if (shape.empty() || !r.chance(s.optional * 0.5)) return list;
    const std::string name =
        attribute(r.of({"bias_shape", "shape", "scale_shape", "param_shape", "weight_shape"}));
    s.options.push_back({"shape", name, list, "tuple", Arg::tuple(shape), shape});
    return name;
}

std::string Sampler::kept(const char* preferred, const std::string& value, const Arg& number) {
    const std::string name = option(preferred, value, number);
    if (name == value) return value;
    for (Option& option : s.options)
        if (option.name == name) option.kept = true;
    return "self." + name;
}

std::string Sampler::scalar(std::initializer_list<const char*> preferred, double value) {
    return kept(r.of(preferred), number_text(value), Arg(value));
}

Tensor Sampler::weight(const std::string& name, Shape shape, bool parameter) {
    return s.eager.weight(name, std::move(shape), s.dtype, parameter);
}

Tensor Sampler::parameter(const std::string& preferred, const Shape& shape, const std::string& made,
                          std::string& text) {
    const std::string name = attribute(preferred);
    s.members.push_back({name, filled(made, {shape_option(shape)})});
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
    s.inputs.push_back({id, maker, high, std::string(maker) == "torch.randn" && r.chance(0.05)});
    return id;
}

int Sampler::another(int like, const std::string& preferred) {
    return input(shape(like), at(like).tensor.dtype, preferred,
                 r.chance(0.85) ? "torch.randn" : "torch.rand");
}

int Sampler::signs(int like, const std::string& preferred) {
    const int out = input(shape(like), at(like).tensor.dtype, preferred, "torch.randint", "2");
    s.inputs.back().signs = true;
    s.variables.back().bound = 1;
    return out;
}

int Sampler::number(const std::string& preferred, double value, Arg& given) {
    // Of two instances that differ in every number each constant of the program has one that it can be.
    given = s.eager.number(value, value * 1.1 + 0.0113 * static_cast<double>(s.inputs.size()));
    Variable v;
    v.tensor.dtype = DType::f64;
    v.preferred = preferred;
    v.input = v.number = true;
    s.variables.push_back(std::move(v));
    const int id = static_cast<int>(s.variables.size()) - 1;
    s.inputs.push_back({id, "", number_text(value), false});
    return id;
}

int Sampler::add_result(Tensor result, const char* preferred) {
    Variable v;
    v.tensor = std::move(result);
    v.preferred = preferred;
    v.bound = 1e6;
    v.permuted = true;
    s.variables.push_back(std::move(v));
    const int id = static_cast<int>(s.variables.size()) - 1;
    s.steps.back().results.push_back(id);
    return id;
}

namespace {

/// Whether the last operator cuts off what is beyond a limit.
bool clips(const Eager& eager) {
    const std::vector<plan::Step>& steps = eager.plans[0].steps;
    const auto* last = steps.empty() ? nullptr : std::get_if<plan::AtenStep>(&steps.back().what);
    return last &&
           (last->op == "aten::hardtanh" || last->op == "aten::clamp" || last->op == "aten::hardsigmoid");
}

}  // namespace

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
    v.extreme = operands.size() == 1 && at(operands[0]).extreme;
    v.clipped = (operands.size() == 1 && at(operands[0]).clipped) || clips(s.eager);
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
        add_convolution_families(out);
        add_pooling_families(out);
        add_image_families(out);
        add_movement_families(out);
        add_block_families(out);
        add_loss_families(out);
        add_index_families(out);
        add_usual_families(out);
        add_number_families(out);
        add_batch_norm_families(out);
        add_scan_families(out);
        add_arg_reduction_families(out);
        return out;
    }();
    return all;
}

namespace {

/// Letters of themes: m matrices, s sequences, i images, c signals, v volumes, h heads, n integers, p
/// products.
const char* draw_theme(Random& r, bool few) {
    static const std::vector<const char*> themes = {"m", "s", "i", "c", "h", "p", "v", "n", "e"};
    // Of short programs, layers on images and products of matrices are what people write most.
    return themes[r.weighted(few ? std::vector<double>{25, 10, 25, 11, 5, 13, 9, 2, 2}
                                 : std::vector<double>{30, 26, 16, 8, 8, 6, 2, 4, 5})];
}

}  // namespace

std::string Sampler::theme() {
    const std::string theme = draw_theme(r, few());
    const std::vector<const char*> batch = {"batch_size", "batch", "n", "B", "bs", "num_samples"};
    const std::vector<const char*> width = {"features", "dim",   "hidden_size", "hidden_dim", "in_features",
                                            "d_model",  "width", "D",           "input_size", "num_features"};
    const std::vector<const char*> length = {"seq_len",    "length",  "T",    "seq_length",
                                             "num_tokens", "context", "steps"};
    const char* maker = r.chance(0.85) ? "torch.randn" : "torch.rand";
    // Convolutions and many norms are sampled in float32 alone.
    if (std::string("icv").find(theme) != std::string::npos && r.chance(0.6)) s.dtype = DType::f32;
    const char* preferred =
        r.of({"x", "x", "x", "input", "inputs", "tensor", "features", "hidden_states", "data", "inp"});
    const DType dtype = s.dtype;
    Shape shape;
    if (theme == "m" && r.chance(few() ? 0.22 : 0.08)) {  // rows that no block holds
        shape = {size({"batch_size", "batch", "rows", "M", "N", "num_rows"},
                      {4, 8, 16, 32, 64, 128, 128, 256, 512, 1024}, 1, {2048, 4096}),
                 size(r.chance(0.5) ? width : std::vector<const char*>{"cols", "n", "length", "dim", "N"},
                      {65536, 65536, 131072, 131072, 262144, 100000, 393216, 524288, 1048576, 1000000,
                       1600000, 2097152, 40000, 200000, 32768},
                      r.chance(0.8) ? 2 : 1)};
    } else if (theme == "m") {
        const int rank = r.chance(0.08) ? 1 : 2;
        if (rank == 2)
            shape.push_back(size({"batch_size", "batch", "rows", "M", "N", "num_rows", "n_samples"},
                                 {32, 64, 128, 256, 512, 1024, 2048, 100, 1000, 48, 300}, 1,
                                 {4096, 8192, 16384, 32768, 65536, 20, 777, 3000}));
        shape.push_back(size(rank == 2 ? width : std::vector<const char*>{"n", "size", "numel", "N"},
                             {64, 128, 256, 512, 768, 1024, 2048, 4096, 100, 1000, 384, 50, 250},
                             r.chance(0.8) ? 2 : 1,
                             {8192, 16384, 32768, 65536, 131072, 20, 333, 777, 1023, 12000}));
    } else if (theme == "s") {
        shape = {size(batch, {2, 4, 8, 16, 32}),
                 size(length, {18, 32, 64, 128, 256, 512, 197, 77, 100}, 1, {1024, 2048, 4096, 999}),
                 size(width, {32, 64, 128, 256, 384, 512, 768, 100, 96}, r.chance(0.8) ? 4 : 2,
                      {1024, 2048, 4096, 8192})};
    } else if (theme == "i") {
        const int64_t even = std::vector<int64_t>{8, 4, 1}[r.weighted({60, 22, 18})];
        shape = {size(batch, {2, 4, 8, 16, 32}, 1, {1, 64, 128, 10, 3}),
                 size({"channels", "in_channels", "C", "num_channels", "planes", "width"},
                      {16, 32, 64, 96, 128, 24, 3, 6, 48}, even, {1, 3, 192, 256, 480, 512}),
                 size({"height", "H", "image_height", "h"}, {20, 28, 32, 56, 64, 112, 30},
                      r.chance(0.8) ? 4 : 1, {128, 224, 256, 512, 33, 65}),
                 size({"W", "image_width", "w", "img_width"}, {20, 28, 32, 56, 64, 112, 50},
                      r.chance(0.8) ? 4 : 1, {128, 224, 256, 512, 47, 129})};
        if (r.chance(0.5)) shape[3] = shape[2];
    } else if (theme == "c") {
        const int64_t even = r.chance(0.8) ? 8 : 1;
        shape = {size(batch, {2, 4, 8, 16, 32}, 1, {1, 64, 128}),
                 size({"channels", "in_channels", "C", "num_channels"}, {4 * 4, 32, 64, 128, 256, 80, 3},
                      even, {1, 3, 512}),
                 size(length, {64, 128, 256, 512, 1000, 1024, 2048, 400}, r.chance(0.8) ? 4 : 1,
                      {4096, 16384, 65536, 131072, 777})};
    } else if (theme == "v") {
        shape = {
            size(batch, {2, 2, 4, 8}),
            size({"channels", "in_channels", "C"}, {8, 16, 32, 3}, r.chance(0.8) ? 4 : 1, {1, 3, 24, 64}),
            size({"depth", "D"}, {8, 16, 20}, 4, {32, 64, 48}),
            size({"height", "H"}, {16, 24, 32}, 4, {64, 48, 128}),
            size({"W", "w"}, {16, 28, 32}, 4, {64, 96, 128})};
    } else if (theme == "h") {
        shape = {size(batch, {2, 4, 8, 16}),
                 size({"heads", "num_heads", "n_heads", "H"}, {18, 20, 24, 32, 8, 12, 16}),
                 size(length, {32, 64, 128, 256, 100, 512, 1024}, 1, {2048, 4096, 777}),
                 size({"head_dim", "d_k", "dim_head", "E"}, {32, 64, 64, 128, 48, 96, 256, 512, 1024}, 4,
                      {192, 80, 768})};
    } else if (theme == "p") {
        rare_ = rare_ || r.chance(0.3);
        const bool square = r.chance(0.25);
        const Size m = size(square ? std::vector<const char*>{"N", "M", "n", "size", "dim"}
                                   : std::vector<const char*>{"M", "rows", "m"},
                            {64, 128, 256, 512, 1024, 100, 200}, 1,
                            {2048, 4096, 8192, 16384, 32768, 16, 20, 999}),
                   k = square ? m
                              : size({"K", "inner", "k"}, {64, 128, 256, 512, 300}, r.chance(0.8) ? 4 : 1,
                                     {2048, 4096, 8192, 131072, 32, 777});
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

namespace {

/// How much more often a family is drawn for short programs: what people ask for alone, and what long ones
/// have enough of.
double share_of_short(const std::string& family) {
    static const std::map<std::string, double> shares = {
        {"elementwise", 0.6}, {"movement", 0.5},    {"repeated", 0.3},      {"loss", 3},      {"pooling", 4},
        {"norm", 1.8},        {"scan", 2.5},        {"softmax", 1.8},       {"attention", 2}, {"sort", 2},
        {"resampling", 2},    {"convolution", 1.5}, {"arg_reduction", 2.5}, {"argument", 2.5}};
    const auto found = shares.find(family);
    return found == shares.end() ? 1 : found->second;
}

/// The same for what follows a layer: what one kernel, or the next, can take along.
double share_behind_layer(const std::string& family) {
    static const std::map<std::string, double> shares = {
        {"elementwise", 1.2}, {"reduction", 1.4}, {"norm", 1},       {"softmax", 1.3}, {"pooling", 1.2},
        {"resampling", 0.3},  {"movement", 0.15}, {"argument", 0.2}, {"gating", 0.5}};
    const auto found = shares.find(family);
    return found == shares.end() ? 0 : found->second;
}

}  // namespace

/// How often each family is drawn for a theme.
std::vector<double> Sampler::family_weights(const std::string& theme, Wanted wanted) const {
    std::vector<double> out;
    for (const Family& family : sampled_families()) {
        const std::string name = family.name;
        const bool apt = std::string_view(family.themes).find(theme) != std::string_view::npos;
        double share = few() ? share_of_short(name) : 1;
        if (wanted == Wanted::layer) {
            const bool layer =
                name == "convolution" || name == "product" || name == "attention" || name == "pooling";
            if (!layer) share = 0;
            if (few() && name == "pooling") share = chain_ ? 0.3 : 0.8;  // of layers a pool is one of four
        } else if (wanted == Wanted::behind_layer) {
            share = share_behind_layer(name);
        }
        out.push_back(apt ? family.weight * share : 0);
    }
    return out;
}

bool Sampler::operate(const std::string& theme, Wanted wanted) {
    // Mostly the newest value goes on; sometimes an older one begins a branch.
    const auto count = static_cast<int64_t>(s.variables.size());
    int v = static_cast<int>(count - 1);
    if (r.chance(chain_ ? 0.03 : 0.16)) v = static_cast<int>(r.below(count));
    for (int attempt = 0; attempt < 8 && (rank(v) == 0 || at(v).tensor.dtype == DType::b1); ++attempt)
        v = static_cast<int>(r.below(count));
    if (rank(v) == 0) return false;
    const std::vector<Family>& families = sampled_families();
    // The same for all tasks of a kind.
    static thread_local std::map<std::tuple<char, bool, bool, Wanted>, std::vector<double>> known;
    std::vector<double>& weights = known[{theme[0], few(), chain_, wanted}];
    if (weights.empty()) weights = family_weights(theme, wanted);
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
                joined = binary(a, b,
                                is_sum_with(a, b) || is_sum_with(b, a) ? "mul"
                                : r.chance(0.6)                        ? "add"
                                : r.chance(0.7)                        ? "mul"
                                                                       : "sub");
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
    s.strange = std::vector<double>{0, 0.25, 0.6, 0.95}[r.weighted({22, 26, 27, 25})];
    s.optional = std::vector<double>{0, 0.35, 0.8}[r.weighted({30, 35, 35})];
    rare_ = r.chance(0.15);
    s.theme = theme();
    std::vector<double> weights = {4, 14, 14, 18, 18, 14, 10, 7, 5, 4, 3, 2};
    weights.resize(static_cast<size_t>(most_operators_));
    const int64_t operators = 1 + static_cast<int64_t>(r.weighted(weights));
    // Tasks are often a layer and what follows it; of short ones many are that alone.
    const bool layer = std::string("icvph").find(s.theme) != std::string::npos;
    chain_ = few() && operators > 1 && (layer || s.theme == "m") && r.chance(layer ? 0.65 : 0.5);
    const bool begun = (chain_ || (layer && r.chance(few() ? 0.6 : 0.3))) && operate(s.theme, Wanted::layer);
    chain_ = chain_ && begun;
    for (int64_t i = begun ? 1 : 0; i < operators && static_cast<int64_t>(s.steps.size()) < operators + 4;
         ++i)
        if (!operate(s.theme, chain_ ? Wanted::behind_layer : Wanted::any)) break;
    finish();
    if (s.optional > 0 && r.chance(0.12)) {  // what nothing reads
        if (r.chance(0.5))
            option(r.of({"dropout", "p", "momentum", "drop_rate"}), r.of(std::vector<double>{0.0, 0.1, 0.5}));
        else
            option(r.of({"num_heads", "max_len", "verbose", "version"}), r.of({1, 2, 8, 100}));
    }
    // A conversion alone is a copy of its input.
    if (s.steps.size() == 1 && s.eager.only_copies()) s.outputs.clear();
    // Nobody's machine holds more: several rare sizes came together.
    for (const Variable& variable : s.variables)
        if (product(variable.tensor.shape).now() > int64_t{1} << 30) s.outputs.clear();
    return std::move(s);
}

}  // namespace tritonsmith::data
