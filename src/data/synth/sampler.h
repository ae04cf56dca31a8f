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
              int64_t multiple = 1, std::initializer_list<int64_t> rare = {});
    /// A number that the task's file may name or not.
    std::string attribute(const std::string& preferred);
    /// A name as people give it, or one that nobody would guess.
    std::string called(const std::string& preferred);
    /// For the constructor: a number's text, or the name of an argument that has it.
    std::string option(const char* preferred, const std::string& value, const Arg& number);
    std::string option(const char* preferred, int64_t value);
    std::string option(const char* preferred, bool value);
    std::string option(const char* preferred, double value);
    std::string shape_option(const Shape& shape);
    /// For forward: the same, "0.5" or "self.scale".
    std::string kept(const char* preferred, const std::string& value, const Arg& number);
    std::string scalar(std::initializer_list<const char*> preferred, double value);
    Tensor weight(const std::string& name, Shape shape, bool parameter = true);
    /// self.name = nn.Parameter(…); for the expression "self.name".
    Tensor parameter(const std::string& preferred, const Shape& shape, const std::string& made,
                     std::string& text);

    int input(Shape shape, DType dtype, const std::string& preferred, const char* maker,
              const std::string& high = "");
    int another(int like, const std::string& preferred);  ///< an input of the same shape
    int signs(int like, const std::string& preferred);    ///< of -1 and 1
    /// A Python float among forward's arguments; `given` is what operators get for it.
    int number(const std::string& preferred, double value, Arg& given);

    /// Where the plan's steps of the next statement are.
    void begin(size_t line = 0) { s.eager.line = pending_line(s.steps.size(), line); }
    int add(const char* family, std::string text, std::vector<int> operands, Tensor result, double bound,
            const char* preferred, bool positive = false, bool infix = false);
    /// Another result of the last statement, which then assigns a tuple; it is returned as well.
    int add_result(Tensor result, const char* preferred);
    /// More columns than a layer has weights for.
    bool long_rows(int v) const { return rank(v) > 0 && shape(v).back().now() > 16384; }

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
    /// Whether v is something more or less than `part`: their difference would know nothing of it.
    bool is_sum_with(int v, int part) const;
    int reduce(int v, const char* kind, std::vector<int> axes, bool keep);
    int linear(int v, const Size& out, bool bias, const std::string& preferred);
    int softmax(int v, int axis, bool log);
    int power(int v, double exponent);

    std::set<std::string> names;  ///< attributes and arguments in use
    std::vector<std::string> axes_names(int v) const;

  private:
    int most_operators_;
    /// A run of short tasks.
    bool few() const { return most_operators_ <= 6; }
    std::vector<int64_t> used_;  ///< numbers of the second instance
    bool rare_ = false;          ///< sizes that are seldom so large or so small
    bool chain_ = false;         ///< a layer, and operators one after the other behind it
    enum class Wanted : uint8_t { any, layer, behind_layer };
    std::vector<double> family_weights(const std::string& theme, Wanted wanted) const;
    std::string theme();
    bool operate(const std::string& theme, Wanted wanted);
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
void add_convolution_families(std::vector<Family>& out);
void add_pooling_families(std::vector<Family>& out);
void add_batch_norm_families(std::vector<Family>& out);
void add_scan_families(std::vector<Family>& out);
void add_arg_reduction_families(std::vector<Family>& out);
void add_number_families(std::vector<Family>& out);
void add_image_families(std::vector<Family>& out);
void add_movement_families(std::vector<Family>& out);
void add_block_families(std::vector<Family>& out);
void add_loss_families(std::vector<Family>& out);
void add_index_families(std::vector<Family>& out);
void add_usual_families(std::vector<Family>& out);

std::string number_text(double value);
/// {0}, {1} … replaced by texts.
std::string filled(const std::string& text, const std::vector<std::string>& with);

}  // namespace tritonsmith::data
