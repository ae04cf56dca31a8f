#include "train/checkpoint/export.h"

#include <fmt/format.h>

#include "base/error.h"
#include "train/checkpoint/tokenizer_files.h"

namespace tritonsmith::train {

namespace fs = std::filesystem;

void export_model(const fs::path& from, const fs::path& to, at::ScalarType dtype,
                  const model::SaveOptions& options) {
    std::error_code error;
    if (fs::exists(to, error)) throw InputError(to.string() + " exists: name another folder");
    fs::path part = fs::absolute(to).lexically_normal();
    if (!part.has_filename()) part = part.parent_path();  // "folder/"
    const fs::path target = part;
    part += ".part";
    fs::remove_all(part, error);
    model::Model::load(from, {.dtype = dtype}).save(part, options);
    copy_tokenizer(from, part);
    fs::rename(part, target, error);
    if (error)
        throw MachineError(
            fmt::format("cannot rename {} to {}: {}", part.string(), target.string(), error.message()));
}

}  // namespace tritonsmith::train
