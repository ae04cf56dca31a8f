#include <fmt/format.h>

#include "data/synth/sampler.h"

/// Rows chosen by indices.
namespace tritonsmith::data {
namespace {

int embedded(Sampler& a, int v) {
    if (a.at(v).tensor.dtype != DType::i64 || !a.at(v).input || a.rank(v) != 2) return -1;
    const std::string& words = a.s.inputs[0].high;
    Size vocabulary;
    for (const NamedSize& size : a.s.sizes)
        if (size.name == words) vocabulary = size.size;
    if (vocabulary.text.empty()) return -1;
    const Size width = a.size({"embedding_dim", "dim", "hidden_size", "d_model", "embed_dim"},
                              {32, 64, 128, 256, 300, 512}, 4);
    Shape shape = a.shape(v);
    shape.push_back(width);
    const std::string name =
        a.attribute(a.r.of({"embedding", "embed", "token_embedding", "emb", "wte", "lookup"}));
    std::string text = "self." + name + "({0})";
    Tensor w;
    if (a.r.chance(0.8)) {
        a.s.members.push_back({name, fmt::format("nn.Embedding({}, {})", vocabulary.text, width.text)});
        w = a.weight(name + ".weight", {vocabulary, width});
    } else {
        a.s.members.push_back(
            {name, fmt::format("nn.Parameter(torch.randn({}, {}))", vocabulary.text, width.text)});
        w = a.weight(name, {vocabulary, width});
        text = fmt::format("F.embedding({{0}}, self.{})", name);
    }
    a.begin();
    const int out =
        a.add("", text, {v}, a.s.eager.call("aten::embedding", {w, a.at(v).tensor}, shape, a.s.dtype), 4,
              "embedded");
    if (!a.r.chance(0.35)) return out;
    std::string positions;
    a.begin();
    const Tensor p = a.parameter(a.r.of({"pos_embed", "position", "positional"}), {a.shape(v)[1], width},
                                 "nn.Parameter(torch.randn({0}) * 0.02)", positions);
    return a.add("", "{0} + " + positions, {out},
                 a.s.eager.call("aten::add.Tensor", {a.at(out).tensor, p}, shape, a.s.dtype), 5, "embedded",
                 false, true);
}

/// Each row's elements at its own places.
int gathered(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input || a.rank(v) != 2 || a.s.inputs.size() >= 3 ||
        a.shape(v)[1].text.empty())
        return -1;
    const Size count = a.size({"k", "num_picks", "samples", "picks"}, {18, 32, 64, 20});
    const int index =
        a.input({a.shape(v)[0], count}, DType::i64, a.r.of({"index", "idx", "indices", "positions"}),
                "torch.randint", a.shape(v)[1].text);
    a.begin();
    const Tensor& x = a.at(v).tensor;
    return a.add(
        "",
        a.r.of({"torch.gather({0}, 1, {1})", "{0}.gather(1, {1})", "torch.gather({0}, dim=1, index={1})"}),
        {v, index},
        a.s.eager.call("aten::gather", {x, 1, a.at(index).tensor}, {a.shape(v)[0], count}, x.dtype),
        a.at(v).bound, "gathered", a.at(v).positive);
}

int selected(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input || a.rank(v) != 2 || a.s.inputs.size() >= 3 ||
        a.shape(v)[0].text.empty())
        return -1;
    const Size count = a.size({"k", "num_selected", "batch", "picks"}, {32, 64, 128, 20});
    const int index = a.input({count}, DType::i64, a.r.of({"index", "idx", "rows_used", "order"}),
                              "torch.randint", a.shape(v)[0].text);
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const bool select = a.r.chance(0.5);
    const Shape shape = {count, a.shape(v)[1]};
    if (select)
        return a.add("", a.r.of({"torch.index_select({0}, 0, {1})", "{0}.index_select(0, {1})"}), {v, index},
                     a.s.eager.call("aten::index_select", {x, 0, a.at(index).tensor}, shape, x.dtype),
                     a.at(v).bound, "chosen", a.at(v).positive);
    return a.add(
        "", "{0}[{1}]", {v, index},
        a.s.eager.call("aten::index.Tensor", {x, std::vector<Tensor>{a.at(index).tensor}}, shape, x.dtype),
        a.at(v).bound, "chosen", a.at(v).positive);
}

}  // namespace

void add_index_families(std::vector<Family>& out) {
    out.push_back({"indexing", 60, "e", embedded});
    out.push_back({"indexing", 0.9, "m", gathered});
    out.push_back({"indexing", 0.9, "m", selected});
}

}  // namespace tritonsmith::data
