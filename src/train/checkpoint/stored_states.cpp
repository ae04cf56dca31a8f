#include "train/checkpoint/stored_states.h"

#include <ATen/Functions.h>
#include <c10/util/accumulate.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "model/weights/safetensors_writer.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

std::string file_name(int rank, int count) {
    return fmt::format("optimizer-{}-of-{}.safetensors", rank, count);
}

/// How many processes wrote a checkpoint; 0: none.
int writers_of(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        constexpr std::string_view first = "optimizer-0-of-";
        if (!name.starts_with(first)) continue;
        int count = 0;
        std::from_chars(name.data() + first.size(), name.data() + name.size(), count);
        if (count > 0 && name == file_name(0, count)) return count;
    }
    return 0;
}

}  // namespace

void write_states(const fs::path& folder, const std::vector<NamedState>& states,
                  const Communicator& communicator) {
    std::vector<model::NamedTensor> tensors;
    for (const NamedState& state : states)
        // Flat tensors may be parts that begin at element 0.
        tensors.emplace_back(state.tensor.dim() > 1 && state.first_element == 0
                                 ? state.name
                                 : fmt::format("{}:{}", state.name, state.first_element),
                             state.tensor);
    model::write_safetensors(folder / file_name(communicator.rank(), communicator.count()), tensors);
}

StoredStates::StoredStates(const fs::path& folder) : where_(folder.string()) {
    const int count = writers_of(folder);
    if (count == 0)
        throw InputError(
            fmt::format("{}: holds no {}: link another checkpoint as last", where_, file_name(0, 1)));
    for (int rank = 0; rank < count; ++rank) {
        const fs::path path = folder / file_name(rank, count);
        std::error_code error;
        if (!fs::exists(path, error))
            throw InputError(
                fmt::format("{}: there is none: all processes must see the run's folder, or link another "
                            "checkpoint as last",
                            path.string()));
        files_.push_back(model::Safetensors::open(path));
    }
    for (const model::Safetensors& file : files_)
        for (const auto& [name, entry] : file.entries()) {
            const size_t colon = name.rfind(':');
            int64_t first = 0;
            if (colon != std::string::npos)
                std::from_chars(name.data() + colon + 1, name.data() + name.size(), first);
            parts_[name.substr(0, colon)].push_back(
                {&file, name, first, c10::multiply_integers(entry.shape)});
        }
}

void StoredStates::copy_to(const std::vector<NamedState>& states) const {
    std::set<std::string> wanted;
    for (const NamedState& state : states) wanted.insert(state.name);
    for (const auto& [name, parts] : parts_) {
        const std::string first = "first" + name.substr(std::min(name.find('.'), name.size()));
        if (wanted.contains(first) && !wanted.contains(name))
            throw InputError(fmt::format(
                "{}: holds {}, which these settings do not need; resume with the optimizer that the run "
                "began with",
                where_, name));
    }
    for (const NamedState& state : states) copy_to(state);
}

void StoredStates::copy_to(const NamedState& state) const {
    const int64_t begin = state.first_element, end = begin + state.tensor.numel();
    const auto found = parts_.find(state.name);
    const at::Tensor to = state.tensor.view(-1);
    int64_t copied = 0;
    for (const Part& part : found == parts_.end() ? std::vector<Part>() : found->second) {
        const int64_t from = std::max(begin, part.first), until = std::min(end, part.first + part.count);
        if (from >= until) continue;
        const at::Tensor stored = part.file->tensor(part.name);
        if (stored.scalar_type() != state.tensor.scalar_type())
            throw InputError(
                fmt::format("{}: {} has another dtype; resume with the settings that the run began with",
                            part.file->where(), part.name));
        to.narrow(0, from - begin, until - from)
            .copy_(stored.view(-1).narrow(0, from - part.first, until - from));
        copied += until - from;
    }
    if (copied != end - begin)
        throw InputError(fmt::format(
            "{}: of {} there are {} of {} elements; resume with the settings that the run began with", where_,
            state.name, copied, end - begin));
}

}  // namespace tritonsmith::train
