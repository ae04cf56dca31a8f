#include "train/checkpoint/checkpoint.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/process/files.h"
#include "train/checkpoint/adapter_files.h"
#include "train/checkpoint/stored_states.h"
#include "train/checkpoint/tokenizer_files.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* state_file = "trainer/state.json";

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

/// Has one layer after the other in memory.
class LayersInOrder {
  public:
    explicit LayersInOrder(const TrainedModel& trained)
        : memory_(trained.memory), count_(trained.model.config().layers) {}
    void go_to(int64_t layer) {
        end();
        memory_.fetch(layer, layer + 1 < count_ ? layer + 1 : -1);
        there_ = layer;
    }
    void end() {
        if (there_ >= 0) memory_.release(there_);
        there_ = -1;
    }

  private:
    LayerMemory& memory_;
    const int64_t count_;
    int64_t there_ = -1;
};

}  // namespace

/// All but the optimizer's states, under a name that nobody takes for a checkpoint's.
fs::path Checkpoints::write_part(const TrainedModel& trained, const TrainerState& state,
                                 const fs::path& tokenizer) const {
    const Adapters* adapters = trained.adapters;
    const fs::path part = folder_ / fmt::format(".step-{:08}.part", state.step);
    if (communicator_.rank() == 0) {
        std::error_code error;
        fs::remove_all(part, error);
        std::optional<MergedAdapters> merged;
        if (adapters != nullptr) merged.emplace(trained.model, *adapters);
        LayersInOrder layers(trained);
        trained.model.save(part, {.before_layer = [&](int layer) { layers.go_to(layer); }});
        layers.end();
        merged.reset();
        if (adapters != nullptr) write_adapters(part / "adapter", *adapters, tokenizer);
        if (trained.sampler != nullptr) trained.sampler->save(part / "sampler");
        if (!tokenizer.empty()) copy_tokenizer(tokenizer, part);
        write_file(part / state_file,
                   dump({{"step", state.step}, {"data", state.data}, {"more", state.more}}, 2) + "\n");
    } else {  // each gives its share of every layer
        LayersInOrder layers(trained);
        for (int layer = 0; layer < trained.model.config().layers; ++layer) layers.go_to(layer);
        layers.end();
    }
    communicator_.barrier();
    return part;
}

void Checkpoints::save(const TrainedModel& trained, const Optimizer& optimizer, const TrainerState& state,
                       const fs::path& tokenizer, bool best) const {
    const fs::path part = write_part(trained, state, tokenizer);
    write_states(part / "trainer", optimizer.states(), communicator_);
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

TrainerState restore(const fs::path& checkpoint, const Optimizer& optimizer) {
    const at::NoGradGuard no_grad;
    StoredStates(checkpoint / "trainer").copy_to(optimizer.states());
    const fs::path path = checkpoint / state_file;
    const std::optional<Json> json = parse_untrusted_json(read_file(path, "the trainer's state", 64 << 20));
    if (!json || !json->is_object() || !json->value("step", Json()).is_number_integer())
        throw InputError(path.string() + ": is damaged; link another checkpoint as last");
    return {(*json)["step"].get<int64_t>(), json->value("data", Json()), json->value("more", Json())};
}

}  // namespace tritonsmith::train
