#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/synth/sketch.h"

namespace tritonsmith::data {

/// Draws the structure of one task: inputs, then operators that apply to what is there. Each operator writes
/// the text of its statement and the plan's steps at once, so that both say the same.
class Sampler {
  public:
    /// @param most_operators that are drawn; 1 to 12
    explicit Sampler(Random& random, int most_operators = 12) : r(random), most_operators_(most_operators) {}
    Sketch sample();

    // What families are made of. Variables are indices into Sketch::variables.
    Random& r;
    Sketch s;

    const Variable& at(int v) const { return s.variables[static_cast<size_t>(v)]; }
    const Shape& shape(int v) const { return at(v).tensor.shape; }
    int rank(int v) const { return static_cast<int>(shape(v).size()); }
    bool floating(int v) const;
    bool half() const { return s.dtype != DType::f32; }

    /// A new named size: `multiple` divides both of its numbers.
    Size size(const std::vector<const char*>& names, std::initializer_list<int64_t> values,
              int64_t multiple = 1);
    /// A number that the task's file may name or not.
    std::string attribute(const std::string& preferred);
    /// "1e-5", or "self.eps" with an argument of the constructor.
    std::string hyper(const std::string& name, const std::string& value);
    Tensor weight(const std::string& name, Shape shape, bool parameter = true);
    /// self.name = nn.Parameter(…); for the expression "self.name".
    Tensor parameter(const std::string& preferred, const Shape& shape, const std::string& made,
                     std::string& text);

    int input(Shape shape, DType dtype, const std::string& preferred, const char* maker,
              const std::string& high = "");
    int another(int like, const std::string& preferred);  ///< an input of the same shape

    /// Where the plan's steps of the next statement are.
    void begin(size_t line = 0) { s.eager.line = pending_line(s.steps.size(), line); }
    int add(const char* family, std::string text, std::vector<int> operands, Tensor result, double bound,
            const char* preferred, bool positive = false, bool infix = false);

    int settle(int v) {
        s.variables[static_cast<size_t>(v)].settled = true;
        return v;
    }

    // Single operators.
    int unary(int v, const char* name);
    int activation(int v);
    int scaled(int v, double by);
    int shifted(int v, double by);
    int binary(int a, int b, const char* op);
    int reduce(int v, const char* kind, std::vector<int> axes, bool keep);
    int linear(int v, const Size& out, bool bias, const std::string& preferred);
    int softmax(int v, int axis, bool log);
    int power(int v, double exponent);

    std::set<std::string> names;  ///< attributes and arguments in use
    std::vector<std::string> axes_names(int v) const;

  private:
    int most_operators_;
    std::vector<int64_t> used_;  ///< numbers of the second instance
    std::string theme();
    bool operate(const std::string& theme);
    void finish();
};

/// One way to go on: applies to `v` or returns -1.
struct Family {
    const char* name;
    double weight;
    const char* themes;  ///< letters of the themes that it is for; "*" all
    int (*apply)(Sampler&, int v);
};
const std::vector<Family>& sampled_families();
/// The families' parts, by subject.
void add_pointwise_families(std::vector<Family>& out);
void add_reduction_families(std::vector<Family>& out);
void add_product_families(std::vector<Family>& out);
void add_image_families(std::vector<Family>& out);
void add_movement_families(std::vector<Family>& out);
void add_block_families(std::vector<Family>& out);
void add_loss_families(std::vector<Family>& out);
void add_index_families(std::vector<Family>& out);

std::string number_text(double value);
/// {0}, {1} … replaced by texts.
std::string filled(const std::string& text, const std::vector<std::string>& with);

}  // namespace tritonsmith::data
