#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "train/settings/setting_fields.h"

namespace tritonsmith::train {

/// One of the settings that a grid gives a run.
struct GridValue {
    std::string axis, label;           ///< "reward.alpha" and "0.1", or a variant's name and its label
    std::vector<std::string> changes;  ///< as set_toml() takes them: "reward.alpha=0.1"
};

/// A point of a grid: a run for each seed.
struct GridPoint {
    std::vector<GridValue> values;

    /// "reward.kind=hrd,reward.alpha=0.1"; fit for a file's name. "base": nothing is changed.
    std::string name() const;
    std::vector<std::string> changes() const;
};

/// All combinations of the values in [[grids]], each grid by itself, the last axis first:
///
///     [[grids]]
///     fields.reward.alpha = [0, 0.1, 1]           a field of the configuration and its values
///     variants.sft.on.model.folder = "models/a"   a name, its labels, and the fields that each of them sets
///     variants.sft.off.model.folder = "models/b"
///
/// Without [[grids]] there is one point, without changes.
/// @throws InputError that names the grid, for points of equal names too
std::vector<GridPoint> grid_points(std::vector<SettingFields> grids);

}  // namespace tritonsmith::train
