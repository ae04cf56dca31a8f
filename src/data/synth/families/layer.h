#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "data/synth/sampler.h"

/// What layers on images have in common: how people call them, and their numbers along each axis.
namespace tritonsmith::data {

/// [batch, channels, …] of the task's own dtype, channels with a name.
bool is_image(const Sampler& a, int v);
inline size_t spatial_axes(const Sampler& a, int v) {
    return static_cast<size_t>(a.rank(v)) - 2;
}

/// Arguments of a layer, as people give them: those that are the default as well, by keyword or in order.
class LayerCall {
  public:
    LayerCall(Sampler& sampler, std::string head, double all = 0.35)
        : a_(sampler),
          text_(std::move(head)),
          all_(sampler.r.chance(all)),
          in_order_(sampler.r.of({0, 0, 1, 1, 1, 2, 3, 16})) {}
    void position(const std::string& value) { text_ += (text_.ends_with('(') ? "" : ", ") + value; }
    void named(const char* name, const std::string& value, bool usual) {
        if (usual && !(all_ && a_.r.chance(0.7))) {
            ordered_ = false;
            return;
        }
        ordered_ = ordered_ && in_order_-- > 0;
        text_ += (text_.ends_with('(') ? "" : ", ") + (ordered_ ? value : std::string(name) + "=" + value);
    }
    /// An argument is left out: those behind it have names.
    void skip() { ordered_ = false; }
    std::string text() const { return text_ + ")"; }

  private:
    Sampler& a_;
    std::string text_;
    bool all_, ordered_ = true;
    int in_order_;  ///< how many of those that have names are given by position
};

/// The numbers of a layer's windows: one for all axes, a tuple, or an argument of the constructor for each
/// axis, all of a layer in the same way.
class PerAxis {
  public:
    /// @param in_forward the text is part of forward, which reads arguments as attributes only
    PerAxis(Sampler& sampler, size_t axes, bool in_forward);
    /// "3", "(3, 5)", "kernel_size", "(kernel_h, kernel_w)"
    std::string text(const char* name, const std::vector<int64_t>& numbers);
    /// Each axis alone: of the shape of a weight.
    std::vector<std::string> each(const char* name, const std::vector<int64_t>& numbers);

  private:
    std::string number(const std::string& name, int64_t value);
    Sampler& a_;
    size_t axes_;
    bool in_forward_, separate_;
    std::vector<const char*> endings_;  ///< of arguments: "_h", "_w"
};

inline bool all_are(const std::vector<int64_t>& numbers, int64_t number) {
    return std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == number; });
}

}  // namespace tritonsmith::data
