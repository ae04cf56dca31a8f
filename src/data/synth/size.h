#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tritonsmith::data {

/// A task is sampled at two instances at once: as it is written, and where every named size is a number that
/// occurs nowhere else. From both the forge can tell which number of its program is which size.
inline constexpr int kInstances = 2;

/// A size at both instances, and its text where the constructor can say it ("hidden * 2"; "" where it
/// cannot).
struct Size {
    std::array<int64_t, kInstances> at{};
    std::string text;

    Size() = default;
    Size(int64_t number) : at{number, number}, text(std::to_string(number)) {}  // NOLINT: numbers are sizes
    Size(std::array<int64_t, kInstances> at, std::string text) : at(at), text(std::move(text)) {}

    int64_t now() const { return at[0]; }
    bool same(const Size& other) const { return at == other.at; }
    bool constant() const { return at[0] == at[1]; }
    bool divisible(int64_t by) const { return at[0] % by == 0 && at[1] % by == 0; }
    template <class Function>
    Size map(Function function, std::string words = "") const {
        return {{function(at[0]), function(at[1])}, std::move(words)};
    }
};
using Shape = std::vector<Size>;

inline std::string factor_text(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}
inline Size operator*(const Size& a, const Size& b) {
    std::string text =
        a.text.empty() || b.text.empty() ? "" : factor_text(a.text) + " * " + factor_text(b.text);
    if (a.constant() && b.constant()) text = std::to_string(a.at[0] * b.at[0]);
    if (a.constant() && a.at[0] == 1) text = b.text;
    if (b.constant() && b.at[0] == 1) text = a.text;
    return {{a.at[0] * b.at[0], a.at[1] * b.at[1]}, text};
}
inline Size operator+(const Size& a, const Size& b) {
    std::string text = a.text.empty() || b.text.empty() ? "" : a.text + " + " + b.text;
    if (a.same(b) && !a.text.empty()) text = "2 * " + factor_text(a.text);
    return {{a.at[0] + b.at[0], a.at[1] + b.at[1]}, text};
}
inline Size divided(const Size& a, int64_t by) {
    return {{a.at[0] / by, a.at[1] / by},
            a.text.empty() ? "" : factor_text(a.text) + " // " + std::to_string(by)};
}
inline Size product(const Shape& shape) {
    Size out(1);
    for (const Size& size : shape) out = out * size;
    return out;
}
inline bool same(const Shape& a, const Shape& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!a[i].same(b[i])) return false;
    return true;
}

}  // namespace tritonsmith::data
