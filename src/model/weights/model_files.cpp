#include "model/weights/model_files.h"

#include <fmt/format.h>

#include <set>

#include "base/json.h"
#include "base/process/files.h"
#include "base/text.h"

namespace tritonsmith::model {
namespace fs = std::filesystem;

void ModelFiles::add(Safetensors file) {
    for (const auto& [name, entry] : file.entries())
        if (!places_.emplace(name, files_.size()).second)
            throw InputError(fmt::format(
                "{}: tensor {} is in two files of the folder; remove the files of the other model",
                file.where(), name));
    files_.push_back(std::move(file));
}

void ModelFiles::read_index(const fs::path& folder) {
    const fs::path path = folder / "model.safetensors.index.json";
    const std::string text = read_file(path, "the list of the model's files", 64 << 20);
    const auto json = parse_untrusted_json(text, {.bytes = 64 << 20, .depth = 16, .values = 1 << 20});
    if (!json || !json->is_object() || !json->contains("weight_map") || !(*json)["weight_map"].is_object())
        throw InputError(path.string() + ": no weight_map; download it again");
    std::set<std::string> shards;
    for (const auto& [name, shard] : (*json)["weight_map"].items()) {
        const std::string file = shard.is_string() ? shard.get<std::string>() : "";
        if (file.empty() || file != fs::path(file).filename() || file == ".." || file == "." ||
            shards.size() > 10'000)
            throw InputError(fmt::format("{}: weight_map: {} must name a file of this folder", path.string(),
                                         shortened(name, 200)));
        shards.insert(file);
    }
    for (const std::string& shard : shards) add(Safetensors::open(folder / shard));
    for (const auto& [name, shard] : (*json)["weight_map"].items())
        if (!has(name))
            throw InputError(fmt::format("{}: no tensor {}, which {} lists; download it again",
                                         (folder / shard.get<std::string>()).string(), shortened(name, 200),
                                         path.filename().string()));
}

ModelFiles ModelFiles::open(const fs::path& folder) {
    ModelFiles files;
    files.where_ = folder.string();
    std::error_code error;
    if (fs::exists(folder / "model.safetensors", error)) {  // the order of transformers
        files.add(Safetensors::open(folder / "model.safetensors"));
    } else if (fs::exists(folder / "model.safetensors.index.json", error)) {
        files.read_index(folder);
    } else {
        const bool pickles = fs::exists(folder / "pytorch_model.bin", error) ||
                             fs::exists(folder / "pytorch_model.bin.index.json", error);
        throw InputError(fmt::format(
            "{}: no model.safetensors{}", files.where_,
            pickles ? "; pytorch_model.bin is a pickle, which is never read: save the model with "
                      "save_pretrained, which writes safetensors"
                    : " and no model.safetensors.index.json; name a Hugging Face model's folder"));
    }
    return files;
}

std::vector<std::string> ModelFiles::names() const {
    std::vector<std::string> names;
    names.reserve(places_.size());
    for (const auto& [name, place] : places_) names.push_back(name);
    return names;
}

const Safetensors& ModelFiles::file(const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end())
        throw InputError(fmt::format(
            "{}: no tensor {}, which config.json requires; is the file of another model?", where_, name));
    return files_[found->second];
}

}  // namespace tritonsmith::model
