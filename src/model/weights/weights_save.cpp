#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/json.h"
#include "base/process/files.h"
#include "base/process/process.h"
#include "model/weights/quantised_files.h"
#include "model/weights/safetensors_writer.h"
#include "model/weights/weight_places.h"
#include "model/weights/weights_io.h"

namespace tritonsmith::model {
namespace fs = std::filesystem;
namespace {

/// A matrix in int8, and behind all of one place their scales: so those stay adjacent.
void add_int8(const WeightPlace& place, std::vector<NamedTensor>& tensors) {
    const Matrix whole = quantise(row_major(*place.matrix, 0, place.matrix->outputs()));
    int64_t row = 0;
    for (const StoredTensor& stored : place.stored) {
        tensors.emplace_back(stored.name, whole.values.narrow(0, row, stored.shape[0]));
        row += stored.shape[0];
    }
    row = 0;
    for (const StoredTensor& stored : place.stored) {
        tensors.emplace_back(scales_name(stored.name),
                             whole.scales.narrow(0, row, stored.shape[0]).unsqueeze(1));
        row += stored.shape[0];
    }
}

/// Calls `before_layer` when the first tensor of a layer is about to be read.
class LayerCalls {
  public:
    explicit LayerCalls(std::function<void(int layer)> before_layer)
        : before_layer_(std::move(before_layer)) {}
    void reads(int layer) {
        if (!before_layer_ || layer < 0 || layer == layer_) return;
        layer_ = layer;
        before_layer_(layer);
    }

  private:
    std::function<void(int layer)> before_layer_;
    int layer_ = -1;
};

std::vector<NamedTensor> named(const Config& config, const Weights& weights, at::ScalarType dtype,
                               const SaveOptions& options) {
    Weights copy = weights;  // of the handles: places point to what may be changed
    const auto calls = std::make_shared<LayerCalls>(options.before_layer);
    std::vector<NamedTensor> tensors;
    for (const WeightPlace& place : weight_places(config, copy)) {
        if (options.int8_matrices && place.in_layer() && place.matrix != nullptr) {
            add_int8(place, tensors);
            continue;
        }
        int64_t row = 0;
        for (const StoredTensor& stored : place.stored) {
            const int64_t first = row, count = stored.shape[0];
            const auto matrix = place.matrix != nullptr ? *place.matrix : Matrix{*place.vector};
            // Made when it is written: rows in tiles are copied, and a layer may not be in memory before.
            tensors.emplace_back(stored.name, dtype, stored.shape,
                                 [calls, layer = place.layer, matrix, first, count, dtype] {
                                     calls->reads(layer);
                                     return row_major(matrix, first, count).to(dtype);
                                 });
            row += count;
        }
    }
    return tensors;
}

/// A folder that is removed unless it was renamed to its final name.
class PartFolder {
  public:
    explicit PartFolder(const fs::path& target)
        : target_(target), path_(target.string() + fmt::format(".{}.part", ::getpid())) {
        std::error_code error;
        fs::remove_all(path_, error);
        if (!fs::create_directories(path_, error))
            throw MachineError(fmt::format("cannot make the folder {}: {}", path_.string(), error.message()));
    }
    ~PartFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    PartFolder(const PartFolder&) = delete;
    PartFolder& operator=(const PartFolder&) = delete;
    const fs::path& path() const { return path_; }
    void move_into_place() {
        flush(path_);
        std::error_code error;
        fs::rename(path_, target_, error);  // takes the place of an empty folder
        if (error)
            throw MachineError(
                fmt::format("cannot rename {} to {}: {}", path_.string(), target_.string(), error.message()));
        flush(target_.parent_path());
    }

  private:
    /// Without it the names may be lost if the machine stops.
    static void flush(const fs::path& folder) {
        const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (fd) ::fsync(fd.get());
    }
    fs::path target_, path_;
};

}  // namespace

void save_weights(const fs::path& folder, const Config& config, const Json& json, const Weights& weights,
                  at::ScalarType dtype, const SaveOptions& options) {
    if (is_quantised(dtype))
        throw InputError("a quantised model cannot be saved: load it in the dtype of its files");
    std::error_code error;
    if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
        throw InputError(fmt::format("{} exists and is not empty: name another folder", folder.string()));
    fs::path target = fs::absolute(folder).lexically_normal();
    if (!target.has_filename()) target = target.parent_path();  // "folder/"
    PartFolder part(target);
    write_shards(part.path(), named(config, weights, dtype, options), options.shard_bytes);
    write_file(part.path() / "config.json", dump(json, 2) + "\n");
    part.move_into_place();
}

}  // namespace tritonsmith::model
