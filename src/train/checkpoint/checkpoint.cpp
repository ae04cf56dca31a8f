#include "train/checkpoint/checkpoint.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/process/files.h"
#include "model/weights/safetensors.h"
#include "model/weights/safetensors_writer.h"
#include "train/checkpoint/adapter_files.h"
#include "train/checkpoint/tokenizer_files.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* state_file = "trainer/state.json";

fs::path optimizer_file(const Communicator& communicator) {
    return fmt::format("trainer/optimizer-{}-of-{}.safetensors", communicator.rank(), communicator.count());
}

/// Finished checkpoints, oldest first: their names sort by step.
std::vector<std::string> finished(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("step-") && entry.is_directory() && !entry.is_symlink()) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

/// All but the optimizer's states, under a name that nobody takes for a checkpoint's.
fs::path Checkpoints::write_part(const model::Model& model, const Adapters* adapters,
                                 const TrainerState& state, const fs::path& tokenizer) const {
    const fs::path part = folder_ / fmt::format(".step-{:08}.part", state.step);
    if (communicator_.rank() == 0) {
        std::error_code error;
        fs::remove_all(part, error);
        std::optional<MergedAdapters> merged;
        if (adapters != nullptr) merged.emplace(model, *adapters);
        model.save(part);
        merged.reset();
        if (adapters != nullptr) write_adapters(part / "adapter", *adapters, tokenizer);
        if (!tokenizer.empty()) copy_tokenizer(tokenizer, part);
        write_file(part / state_file,
                   dump({{"step", state.step}, {"data", state.data}, {"more", state.more}}, 2) + "\n");
    }
    communicator_.barrier();
    return part;
}

void Checkpoints::save(const model::Model& model, const Adapters* adapters, const Optimizer& optimizer,
                       const TrainerState& state, const fs::path& tokenizer, bool best) const {
    const fs::path part = write_part(model, adapters, state, tokenizer);
    std::vector<model::NamedTensor> tensors;
    for (const NamedState& named : optimizer.states()) tensors.emplace_back(named.name, named.tensor);
    model::write_safetensors(part / optimizer_file(communicator_), tensors);
    communicator_.barrier();
    if (communicator_.rank() == 0) {
        const fs::path name = fmt::format("step-{:08}", state.step);
        std::error_code error;
        fs::remove_all(folder_ / name, error);  // the same step, of a run that was stopped behind it
        fs::rename(part, folder_ / name, error);
        if (error) throw MachineError(fmt::format("cannot rename {}: {}", part.string(), error.message()));
        link("last", name);
        if (best) link("best", name);
        remove_old();
    }
    communicator_.barrier();
}

void Checkpoints::link(const char* name, const fs::path& target) const {
    const fs::path part = folder_ / fmt::format(".{}.part", name);
    std::error_code error;
    fs::remove(part, error);
    fs::create_directory_symlink(target, part, error);
    if (!error) fs::rename(part, folder_ / name, error);
    if (error)
        throw MachineError(fmt::format("cannot link {}: {}", (folder_ / name).string(), error.message()));
}

void Checkpoints::remove_old() const {
    if (keep_ <= 0) return;
    const std::vector<std::string> names = finished(folder_);
    std::error_code error;
    const fs::path best = fs::read_symlink(folder_ / "best", error);
    for (size_t i = 0; i + static_cast<size_t>(keep_) < names.size(); ++i)
        if (best != names[i]) fs::remove_all(folder_ / names[i], error);
}

std::optional<fs::path> Checkpoints::last() const {
    std::error_code error;
    const fs::path link = folder_ / "last";
    if (!fs::is_symlink(link, error)) return std::nullopt;
    if (!fs::exists(link / state_file, error))
        throw InputError(fmt::format("{}: {} has no {}; link another checkpoint of the folder",
                                     folder_.string(), fs::read_symlink(link, error).string(), state_file));
    return fs::read_symlink(link, error).is_absolute() ? fs::read_symlink(link, error)
                                                       : folder_ / fs::read_symlink(link, error);
}

TrainerState restore(const fs::path& checkpoint, const Optimizer& optimizer,
                     const Communicator& communicator) {
    const at::NoGradGuard no_grad;
    const fs::path states_path = checkpoint / optimizer_file(communicator);
    std::error_code error;
    if (!fs::exists(states_path, error))
        throw InputError(fmt::format("{}: there is none: resume with as many processes as the run had",
                                     states_path.string()));
    const model::Safetensors file = model::Safetensors::open(states_path);
    const std::vector<NamedState> states = optimizer.states();
    if (states.size() != file.entries().size())
        throw InputError(
            fmt::format("{}: holds {} tensors, and these settings need {}; resume with the optimizer "
                        "that the run began with",
                        file.where(), file.entries().size(), states.size()));
    for (const NamedState& state : states) {
        const at::Tensor stored = file.tensor(state.name);
        if (stored.sizes() != state.tensor.sizes() || stored.scalar_type() != state.tensor.scalar_type())
            throw InputError(
                fmt::format("{}: {} has another shape or dtype; resume with the settings that the run "
                            "began with",
                            file.where(), state.name));
        at::Tensor to = state.tensor;
        to.copy_(stored);
    }
    const fs::path path = checkpoint / state_file;
    const std::optional<Json> json = parse_untrusted_json(read_file(path, "the trainer's state", 64 << 20));
    if (!json || !json->is_object() || !json->value("step", Json()).is_number_integer())
        throw InputError(path.string() + ": is damaged; link another checkpoint as last");
    return {(*json)["step"].get<int64_t>(), json->value("data", Json()), json->value("more", Json())};
}

}  // namespace tritonsmith::train
