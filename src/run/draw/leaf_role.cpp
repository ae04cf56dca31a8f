#include "run/draw/leaf_role.h"

#include <optional>
#include <set>

#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/draw/draw.h"

namespace tritonsmith::run {

namespace {

/// A buffer that holds factor · draw + offset.
struct Image {
    int draw = -1;
    double factor = 1, offset = 0;
    bool operator==(const Image&) const = default;
};

/// Of a step that is affine in its first argument, which is the only tensor among them.
std::optional<Image> affine(const plan::AtenStep& step, Image of) {
    std::string_view base = plan::OpName(step.op).base;
    if (base.ends_with('_')) base.remove_suffix(1);
    if (base == "neg") return Image{of.draw, -of.factor, -of.offset};
    const std::optional<double> by = plan::as_number(plan::find_argument(step, 1));
    if (!by || !step.kwargs.empty() || step.args.size() > 2) return std::nullopt;
    if (base == "mul") return Image{of.draw, of.factor * *by, of.offset * *by};
    if (base == "div" && *by != 0) return Image{of.draw, of.factor / *by, of.offset / *by};
    if (base == "add") return Image{of.draw, of.factor, of.offset + *by};
    if (base == "sub") return Image{of.draw, of.factor, of.offset - *by};
    if (base == "rsub") return Image{of.draw, -of.factor, *by - of.offset};
    return std::nullopt;
}

class Images {
  public:
    explicit Images(const plan::Plan& plan) : plan_(plan) {
        for (const plan::Step& step : plan.steps)
            if (const auto* aten = std::get_if<plan::AtenStep>(&step.what);
                aten && step.phase == plan::Phase::inputs)
                visit(*aten);
    }

    std::map<int, LeafRole> roles() {
        std::map<int, Image> found;
        for (const plan::Tensor& input : plan::tensors_in(plan_.inputs)) {
            const auto image = images_.find(input.buffer);
            if (image == images_.end()) continue;
            const auto [other, first] = found.emplace(image->second.draw, image->second);
            if (!first && !(other->second == image->second)) used_otherwise_.insert(image->second.draw);
        }
        for (const auto& [draw, image] : found)
            if (!used_otherwise_.contains(draw) && image.factor != 0) {
                roles_[draw].factor = image.factor;
                roles_[draw].offset = image.offset;
            }
        return std::move(roles_);
    }

  private:
    void visit(const plan::AtenStep& step) {
        const plan::OpClass kind = plan::op_class(step.op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) return;
        const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
        if (step.draw >= 0) {
            const std::optional<StepLaw> law = step_law(step);
            for (const plan::Tensor& result : results) images_.erase(result.buffer);
            if (!law || !law->variant_applies || results.size() != 1) return;
            roles_.emplace(step.draw, LeafRole{static_cast<int>(roles_.size())});
            images_[results[0].buffer] = {step.draw};
            return;
        }
        std::set<int> read;
        for (const plan::Tensor& tensor : plan::tensors_in(step.args))
            if (images_.contains(tensor.buffer)) read.insert(tensor.buffer);
        std::optional<Image> made;
        if (read.size() == 1 && results.size() == 1 && plan::is_floating(results[0].dtype)) {
            const Image of = images_[*read.begin()];
            made = kind == plan::OpClass::copy ? of : affine(step, of);
        }
        if (!made)
            for (int buffer : read) used_otherwise_.insert(images_[buffer].draw);
        for (const plan::Tensor& result : results) {
            if (made)
                images_[result.buffer] = *made;
            else
                images_.erase(result.buffer);
        }
    }

    const plan::Plan& plan_;
    std::map<int, Image> images_;  ///< by buffer
    std::map<int, LeafRole> roles_;
    std::set<int> used_otherwise_;  ///< draws
};

}  // namespace

std::map<int, LeafRole> leaf_roles(const plan::Plan& plan) {
    return Images(plan).roles();
}

}  // namespace tritonsmith::run
