#include "train/checkpoint/adapter_files.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "base/json.h"
#include "base/process/files.h"
#include "model/weights/safetensors.h"
#include "model/weights/safetensors_writer.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* adapter_file = "adapter_model.safetensors";

/// Calls f(PEFT's name, rows of the tensor) for all As and Bs.
template <class Function>
void for_each_tensor(const Adapters& adapters, const Function& f) {
    for (const Parameter& parameter : parameters_of(adapters, adapters))
        for (const Parameter::Part& part : parameter.parts)
            f(part.name, parameter.value.narrow(0, part.first, part.rows));
}

}  // namespace

void write_adapters(const fs::path& folder, const Adapters& adapters, const fs::path& base) {
    std::vector<model::NamedTensor> tensors;
    for_each_tensor(
        adapters, [&](const std::string& name, const at::Tensor& rows) { tensors.emplace_back(name, rows); });
    const Json configuration = {
        {"peft_type", "LORA"},
        {"task_type", "CAUSAL_LM"},
        {"base_model_name_or_path", base.string()},
        {"r", adapters.rank},
        {"lora_alpha", adapters.scale * static_cast<double>(adapters.rank)},
        {"lora_dropout", 0.0},
        {"bias", "none"},
        {"target_modules", {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}}};
    write_file(folder / "adapter_config.json", dump(configuration, 2) + "\n");
    model::write_safetensors(folder / adapter_file, tensors);
}

void read_adapters(const fs::path& folder, Adapters& adapters) {
    const at::NoGradGuard no_grad;
    const model::Safetensors file = model::Safetensors::open(folder / adapter_file);
    for_each_tensor(adapters, [&](const std::string& name, at::Tensor rows) {
        const at::Tensor stored = file.tensor(name);
        if (stored.sizes() != rows.sizes())
            throw InputError(
                fmt::format("{}: {} has another shape; resume with the settings that the run began with",
                            file.where(), name));
        rows.copy_(stored);
    });
}

}  // namespace tritonsmith::train
