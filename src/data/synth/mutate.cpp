#include "data/synth/mutate.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tritonsmith::data {
namespace {

using Replacement = std::pair<const char*, const char*>;

/// All places of a text.
std::vector<size_t> places(const std::string& code, const std::string& what) {
    std::vector<size_t> out;
    for (size_t at = code.find(what); at != std::string::npos; at = code.find(what, at + 1))
        out.push_back(at);
    return out;
}

std::optional<std::string> replaced(const std::string& code, const std::string& from, const std::string& to,
                                    Random& r) {
    const std::vector<size_t> found = places(code, from);
    if (found.empty()) return std::nullopt;
    std::string out = code;
    return out.replace(r.of(found), from.size(), to);
}

/// The end of the argument that begins at `at`: the comma or parenthesis behind it.
size_t argument_end(const std::string& code, size_t at) {
    int depth = 0;
    for (; at < code.size(); ++at) {
        if (code[at] == '(' || code[at] == '[') ++depth;
        if (code[at] == ')' || code[at] == ']')
            if (--depth < 0) return at;
        if (code[at] == ',' && depth == 0) return at;
    }
    return at;
}

/// A load or store without its mask.
std::optional<std::string> missing_mask(const std::string& code, Random& r) {
    const std::vector<size_t> found = places(code, ", mask=");
    if (found.empty()) return std::nullopt;
    const size_t at = r.of(found);
    size_t end = argument_end(code, at + 7);
    if (code.compare(end, 8, ", other=") == 0) end = argument_end(code, end + 8);
    return code.substr(0, at) + code.substr(end);
}

/// Masked lanes count as something that is no neutral element.
std::optional<std::string> wrong_other(const std::string& code, Random& r) {
    return replaced(code, ", other=0.0", r.chance(0.5) ? ", other=1.0" : ", other=float(\"inf\")", r);
}

/// The grid leaves out the last, incomplete block.
std::optional<std::string> missing_edge(const std::string& code, Random& r) {
    const std::vector<size_t> found = places(code, "triton.cdiv(");
    if (found.empty()) return std::nullopt;
    const size_t at = r.of(found), open = at + 12;
    const size_t comma = argument_end(code, open), close = argument_end(code, comma + 1);
    if (comma >= code.size() || close >= code.size()) return std::nullopt;
    return code.substr(0, at) + "(" + code.substr(open, comma - open) + " //" +
           code.substr(comma + 1, close - comma - 1) + code.substr(close);
}

/// One element too many, or too few.
std::optional<std::string> off_by_one(const std::string& code, Random& r) {
    static constexpr Replacement table[] = {{"col < cols", "col <= cols"},
                                            {"offset < total", "offset < total - 1"},
                                            {"row < rows", "row <= rows"},
                                            {"inner < depth", "inner < depth - 1"}};
    for (const auto& [from, to] : table)
        if (r.chance(0.6))
            if (auto out = replaced(code, from, to, r)) return out;
    return std::nullopt;
}

/// Rows lie at another distance.
std::optional<std::string> wrong_stride(const std::string& code, Random& r) {
    static constexpr Replacement table[] = {{"row * cols", "row * rows"},
                                            {"[:, None] * cols", "[:, None] * rows"},
                                            {"[:, None] * depth", "[:, None] * cols"},
                                            {"row * cols", "row * BLOCK"},
                                            {"* height", "* width"},
                                            {"* BLOCK + tl.arange", "* (BLOCK - 1) + tl.arange"}};
    for (const auto& [from, to] : table)
        if (r.chance(0.5))
            if (auto out = replaced(code, from, to, r)) return out;
    return std::nullopt;
}

std::optional<std::string> wrong_axis(const std::string& code, Random& r) {
    if (auto out = replaced(code, "axis=1, keep_dims=True", "axis=0, keep_dims=True", r)) return out;
    return replaced(code, "tl.program_id(1)", "tl.program_id(0)", r);
}

/// An operand that is added or multiplied to a result is forgotten.
std::optional<std::string> dropped_operand(const std::string& code, Random& r) {
    std::vector<std::pair<size_t, size_t>> found;
    for (const size_t load : places(code, " = tl.load(")) {
        size_t begin = code.rfind('\n', load) + 1;
        while (code[begin] == ' ') ++begin;
        const std::string name = code.substr(begin, load - begin);
        if (name.find("bias") == std::string::npos && name.find("weight") == std::string::npos &&
            name.find("scale") == std::string::npos && name.find("gamma") == std::string::npos &&
            name.find("beta") == std::string::npos)
            continue;
        for (const char* sign : {" + ", " * "})
            for (const size_t at : places(code, sign + name)) {
                const size_t end = at + 3 + name.size();
                if (at > load && (code[end] == ',' || code[end] == '\n' || code[end] == ')'))
                    found.emplace_back(at, end);
            }
    }
    if (found.empty()) return std::nullopt;
    const auto [at, end] = r.of(found);
    return code.substr(0, at) + code.substr(end);
}

/// Sums in half precision.
std::optional<std::string> narrow_accumulator(const std::string& code, Random& r) {
    if (auto out = replaced(code, "dtype=tl.float32)", "dtype=tl.float16)", r)) return out;
    return replaced(code, ", tl.float32)", ", tl.float16)", r);
}

/// The softmax's maximum is not subtracted, the mean not divided by its count.
std::optional<std::string> missing_part(const std::string& code, Random& r) {
    for (const char* part : {" / cols", " - row_max", " + 1e-05", " * 0.5", " / depth"})
        if (r.chance(0.6))
            if (auto out = replaced(code, part, "", r)) return out;
    return std::nullopt;
}

std::optional<std::string> wrong_operator(const std::string& code, Random& r) {
    static constexpr Replacement table[] = {{"tl.maximum(", "tl.minimum("}, {"tl.sum(", "tl.max("},
                                            {"tl.sigmoid(", "tl.exp("},     {"tl.exp(", "tl.exp2("},
                                            {"tl.rsqrt(", "tl.sqrt("},      {"tl.max(", "tl.sum("}};
    for (const auto& [from, to] : table)
        if (r.chance(0.5))
            if (auto out = replaced(code, from, to, r)) return out;
    return std::nullopt;
}

/// Names that Triton's language does not have.
std::optional<std::string> wrong_name(const std::string& code, Random& r) {
    static constexpr Replacement table[] = {
        {"libdevice.tanh(", "tl.tanh("}, {"libdevice.", "tl.math."},         {"tl.cdiv(", "triton.cdiv_("},
        {"tl.arange(0, ", "tl.arange("}, {"keep_dims=True", "keepdim=True"}, {"tl.sigmoid(", "tl.silu("}};
    for (const auto& [from, to] : table)
        if (r.chance(0.5))
            if (auto out = replaced(code, from, to, r)) return out;
    return std::nullopt;
}

/// The block is the row's width, which need not be a power of two.
std::optional<std::string> width_as_block(const std::string& code, Random& r) {
    const std::vector<size_t> found = places(code, "triton.next_power_of_2(");
    if (found.empty()) return std::nullopt;
    const size_t at = r.of(found), open = at + 23, close = argument_end(code, open);
    return code.substr(0, at) + code.substr(open, close - open) + code.substr(close + 1);
}

struct Mistake {
    const char* name;
    std::optional<std::string> (*apply)(const std::string&, Random&);
};
constexpr Mistake kMistakes[] = {
    {"missing_mask", missing_mask},       {"wrong_other", wrong_other},
    {"missing_edge", missing_edge},       {"off_by_one", off_by_one},
    {"wrong_stride", wrong_stride},       {"wrong_axis", wrong_axis},
    {"dropped_operand", dropped_operand}, {"narrow_accumulator", narrow_accumulator},
    {"missing_part", missing_part},       {"wrong_operator", wrong_operator},
    {"wrong_name", wrong_name},           {"width_as_block", width_as_block}};

}  // namespace

std::vector<Mutation> mutations(const std::string& code, int most, Random& random) {
    // Only kernels and launches are changed: what stands before them is the task's.
    const size_t kernels = code.find("@triton.jit");
    std::vector<Mutation> out;
    if (kernels == std::string::npos) return out;
    const std::string head = code.substr(0, kernels), body = code.substr(kernels);
    std::vector<size_t> order;
    for (size_t i = 0; i < std::size(kMistakes); ++i) order.push_back(i);
    for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
    for (const size_t i : order) {
        if (static_cast<int>(out.size()) >= most) break;
        std::optional<std::string> made = kMistakes[i].apply(body, random);
        if (made && *made != body) out.push_back({kMistakes[i].name, head + *made});
    }
    return out;
}

}  // namespace tritonsmith::data
