#include "data/synth/prose.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "data/synth/words.h"

namespace tritonsmith::data {
namespace {

const std::vector<std::string>& small_words() {
    static const std::vector<std::string> all = [] {
        std::istringstream in(
            "the a of and to in is that it for on with as by this are be from which or an each over its into "
            "when not after where all between used can has we they given same one two only more than so if "
            "before then using returns computes applies performs implements simple model module layer "
            "operation input output tensor shape batch dimension value values along across number size first "
            "second last next other function result results reference version standard common typical "
            "efficient fast naive example note see paper section equation default optional must should may "
            "always never usually often sometimes current previous original final single several many few "
            "large small high low wide narrow dense sparse linear learned fixed shared separate combined "
            "followed element elements row rows column columns matrix vector scalar weight weights bias "
            "activation normalization attention convolution pooling reduction loss product sum mean maximum "
            "training inference memory speed accuracy gradient network block head stage step steps");
        std::vector<std::string> out;
        for (std::string word; in >> word;) out.push_back(word);
        return out;
    }();
    return all;
}

std::string piece(Random& r) {
    switch (r.weighted({70, 12, 4, 4, 4, 2, 2, 2})) {
        case 0:
            return r.of(small_words());
        case 1:
            return drawn_name(r);
        case 2:
            return std::to_string(r.of({1, 2, 3, 4, 8, 16, 64, 100, 256, 768, 1024, 2017, 2021, 4096}));
        case 3:
            return r.of({"x + y", "x * w + b", "O(n^2)", "A @ B", "max(0, x)", "1 / sqrt(d)", "e^x", "x^2",
                         "y = f(x)", "(N, C, H, W)", "[B, T, D]", "a_i", "W^T x"});
        case 4:
            return "`" + drawn_name(r) + "`";
        case 5:
            return r.of({"e.g.", "i.e.", "etc.", "w.r.t.", "vs."});
        case 6:
            return "(" + r.of(small_words()) + " " + drawn_name(r) + ")";
        default:
            return r.of({"0.5", "1e-5", "0.1", "3x3", "1x1", "2D", "fp16", "float32", "N-1", "non-linear"});
    }
}

}  // namespace

std::string prose(Random& r, int64_t sentences) {
    std::string out;
    for (int64_t i = 0; i < sentences; ++i) {
        const int64_t count = r.between(3, 14);
        std::string sentence;
        for (int64_t k = 0; k < count; ++k) {
            sentence += piece(r);
            if (k + 1 < count) sentence += r.chance(0.07) ? ", " : " ";
        }
        sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
        out += (out.empty() ? "" : " ") + sentence + r.of({".", ".", ".", ".", ":", "!", ""});
    }
    return out;
}

std::string remark(Random& r) {
    if (r.chance(0.3))
        return r.of({"TODO", "same as before", "in place of the loop", "broadcast", "see above",
                     "No special initialization inputs needed", "Test code", "Example sizes",
                     "hyperparameters", "[batch, features]", "(B, N, D)", "note the order", "not needed here",
                     "keep in float32", "optional"});
    std::string out = prose(r, 1);
    if (r.chance(0.5)) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
    while (!out.empty() && (out.back() == '.' || out.back() == ':' || out.back() == '!')) out.pop_back();
    return out.substr(0, out.find(". "));
}

}  // namespace tritonsmith::data
