#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/weights/safetensors.h"

namespace tritonsmith::model {

/// The tensors of a Hugging Face folder: model.safetensors, or the shards listed in
/// model.safetensors.index.json.
class ModelFiles {
  public:
    /// @throws InputError that names the file and the fix. Pickled weights are never read.
    static ModelFiles open(const std::filesystem::path& folder);

    bool has(const std::string& name) const { return places_.contains(name); }
    std::vector<std::string> names() const;
    /// The file that holds it. @throws InputError where there is none
    const Safetensors& file(const std::string& name) const;
    at::Tensor tensor(const std::string& name) const { return file(name).tensor(name); }
    const std::string& where() const { return where_; }

  private:
    void add(Safetensors file);
    void read_index(const std::filesystem::path& folder);

    std::string where_;
    std::vector<Safetensors> files_;
    std::map<std::string, size_t> places_;
};

}  // namespace tritonsmith::model
