#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/weights/safetensors.h"
#include "train/optimizer/optimizer.h"
#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// Writes the states of this process's share: optimizer-RANK-of-COUNT.safetensors. Of a part of a parameter
/// the name is "NAME:FIRST", where FIRST is its first element.
void write_states(const std::filesystem::path& folder, const std::vector<NamedState>& states,
                  const Communicator& communicator);

/// The states that all processes of a run wrote, each its share.
class StoredStates {
  public:
    /// @throws InputError that names a file that is missing
    explicit StoredStates(const std::filesystem::path& folder);
    StoredStates(const StoredStates&) = delete;
    StoredStates& operator=(const StoredStates&) = delete;

    /// Copies into a share's states, from whatever parts there are.
    /// @throws InputError if they are not all of it, or parameters have states that these have not
    void copy_to(const std::vector<NamedState>& states) const;

  private:
    void copy_to(const NamedState& state) const;
    struct Part {
        const model::Safetensors* file;
        std::string name;  ///< in the file
        int64_t first, count;
    };
    std::string where_;
    std::vector<model::Safetensors> files_;
    std::map<std::string, std::vector<Part>> parts_;  ///< by the parameter's name
};

}  // namespace tritonsmith::train
