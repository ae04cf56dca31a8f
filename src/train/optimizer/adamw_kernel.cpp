#include "train/optimizer/adamw_kernel.h"

#include <cmath>

#include "kernels/kernels.h"
#include "model/cuda/operators.h"

namespace tritonsmith::train {

bool has_adamw_kernel(at::Device device) {
    return device.is_cuda() && kernels::find_library();
}

void adamw_by_kernel(const Parameter& parameter, const at::Tensor& first, const at::Tensor& second,
                     const at::Tensor& master, const AdamWStep& step) {
    const auto number = static_cast<double>(step.step);
    kernels::AdamW a;
    a.value = parameter.value.mutable_data_ptr();
    a.gradient = parameter.gradient.const_data_ptr();
    a.first = first.mutable_data_ptr();
    a.second = second.mutable_data_ptr();
    a.master = master.defined() ? master.mutable_data_ptr<float>() : nullptr;
    a.count = parameter.value.numel();
    a.first_element = parameter.first_element;
    a.gradient_scale = static_cast<float>(step.gradient_scale);
    a.beta1 = static_cast<float>(step.beta1);
    a.beta2 = static_cast<float>(step.beta2);
    a.epsilon = static_cast<float>(step.epsilon);
    a.decay = static_cast<float>(step.decay);
    a.rate = static_cast<float>(step.learning_rate / (1 - std::pow(step.beta1, number)));
    a.second_root = static_cast<float>(std::sqrt(1 - std::pow(step.beta2, number)));
    a.value_stream = step.value_stream;
    a.first_stream = step.first_stream;
    a.second_stream = step.second_stream;
    a.value_dtype = model::dtype_of(parameter.value);
    a.gradient_dtype = model::dtype_of(parameter.gradient);
    a.state_dtype = model::dtype_of(first);
    kernels::adamw(a, model::current_stream(parameter.value.device()));
}

}  // namespace tritonsmith::train
