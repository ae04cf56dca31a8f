#pragma once

#include <string>
#include <vector>

#include "data/synth/sampler.h"

/// What losses have in common.
namespace tritonsmith::data {

/// How an author writes a loss: as a module that the constructor makes, or as a function in forward; and over
/// what its terms are reduced.
class LossForm {
  public:
    explicit LossForm(Sampler& sampler);
    bool none() const { return reduction_ == 0; }
    bool mean() const { return reduction_ == 1; }
    int code() const { return reduction_; }  ///< PyTorch's
    /// ", reduction=\"sum\"", where that is not the default or nonetheless given
    std::string reduction_text();
    /// An argument of the loss: "0.5", "margin", "self.margin"
    std::string number(const char* name, double value);
    /// "F.mse_loss({0}, {1}, reduction=…)", or the call of a member. @param given begins with ", "
    std::string call(const std::string& function, const std::string& module, const std::string& given,
                     const std::string& operands);
    Tensor reduced(const Tensor& terms);

  private:
    Sampler& a_;
    bool member_;
    int reduction_;
};

/// Losses of pairs and triples of rows.
void add_pair_loss_families(std::vector<Family>& out);

}  // namespace tritonsmith::data
