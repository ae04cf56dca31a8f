#include "train/settings/grid.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "base/hash.h"
#include "base/json.h"
#include "train/settings/toml.h"

namespace tritonsmith::train {
namespace {

using Axis = std::vector<GridValue>;
using Path = std::vector<std::string>;

/// More combinations than these are a mistake.
constexpr size_t most_points = 10'000;

/// All values of nested tables that are no tables themselves.
void each_field(const Json& table, const Path& path,
                const std::function<void(const Path&, const Json&)>& take) {
    for (const auto& [name, value] : table.items()) {
        Path inner = path;
        inner.push_back(name);
        if (value.is_object())
            each_field(value, inner, take);
        else
            take(inner, value);
    }
}

std::string label_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : toml_value(value);
}

void add_fields(const Json& fields, const SettingFields& grid, std::vector<Axis>& axes) {
    each_field(fields, {}, [&](const Path& path, const Json& values) {
        const std::string name = toml_key(path);
        if (!values.is_array() || values.empty())
            grid.wrong("fields." + name, "must be a list of the values that it takes");
        Axis& axis = axes.emplace_back();
        for (const Json& value : values)
            axis.push_back({name, label_of(value), {name + "=" + toml_value(value)}});
    });
}

void add_variants(const Json& variants, const SettingFields& grid, std::vector<Axis>& axes) {
    for (const auto& [name, labels] : variants.items()) {
        if (!labels.is_object() || labels.empty())
            grid.wrong("variants." + name, "must be a table of labels, each a table of fields");
        Axis& axis = axes.emplace_back();
        for (const auto& [label, fields] : labels.items()) {
            if (!fields.is_object())
                grid.wrong(fmt::format("variants.{}.{}", name, label), "must be a table of fields");
            GridValue& value = axis.emplace_back(GridValue{name, label, {}});
            each_field(fields, {}, [&](const Path& path, const Json& is) {
                value.changes.push_back(toml_key(path) + "=" + toml_value(is));
            });
        }
    }
}

void add_points(const std::vector<Axis>& axes, const SettingFields& grid, std::vector<GridPoint>& points) {
    std::vector<GridPoint> some = {{}};
    for (const Axis& axis : axes) {
        std::vector<GridPoint> more;
        for (const GridPoint& point : some)
            for (const GridValue& value : axis) {
                more.push_back(point);
                more.back().values.push_back(value);
            }
        some = std::move(more);
        if (some.size() > most_points)
            throw InputError(fmt::format("{}: has more than {} combinations", grid.where(), most_points));
    }
    points.insert(points.end(), some.begin(), some.end());
}

}  // namespace

std::string GridPoint::name() const {
    std::string name;
    for (const GridValue& value : values) name += (name.empty() ? "" : ",") + value.axis + "=" + value.label;
    if (name.empty()) return "base";
    std::string file;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '.' || c == ',' || c == '=' || c == '_' || c == '-';
        file += plain ? c : '-';
    }
    if (file == name && name.size() <= 160) return name;
    return file.substr(0, 140) + "-" + sha256(name).substr(0, 12);  // "a/b" and "a-b" are two
}

std::vector<std::string> GridPoint::changes() const {
    std::vector<std::string> all;
    for (const GridValue& value : values) all.insert(all.end(), value.changes.begin(), value.changes.end());
    return all;
}

std::vector<GridPoint> grid_points(std::vector<SettingFields> grids) {
    std::vector<GridPoint> points;
    if (grids.empty()) points.emplace_back();
    std::set<std::string> names;
    for (SettingFields& grid : grids) {
        const Json fields = grid.any_table("fields"), variants = grid.any_table("variants");
        grid.finish();
        std::vector<Axis> axes;
        add_fields(fields, grid, axes);
        add_variants(variants, grid, axes);
        const size_t first = points.size();
        add_points(axes, grid, points);
        for (size_t i = first; i < points.size(); ++i)
            if (!names.insert(points[i].name()).second)
                throw InputError(
                    fmt::format("{}: {} is there twice; remove one", grid.where(), points[i].name()));
    }
    return points;
}

}  // namespace tritonsmith::train
