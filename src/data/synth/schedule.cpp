#include "data/synth/schedule.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tritonsmith::data {
namespace {

/// A number of a launch: "BLOCK_M=64".
struct Setting {
    std::string name;
    size_t at = 0, length = 0;  ///< of the number in the code
    int64_t value = 0;
};
struct LaunchText {
    std::string kernel;
    size_t grid = 0, grid_end = 0, call = 0,
           end = 0;  ///< [grid, grid_end): the grid's text; `end`: the closing parenthesis
    std::vector<Setting> settings;
    bool shared = false;  ///< another launch has the same grid: the same blocks, too
    bool wide = false;    ///< its tiles are as wide as a head: no more of them than there are
};

bool digit(char c) {
    return c >= '0' && c <= '9';
}
bool word(char c) {
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t closing(const std::string& code, size_t open) {
    int depth = 0;
    for (size_t at = open; at < code.size(); ++at) {
        if (code[at] == '(' || code[at] == '[') ++depth;
        if ((code[at] == ')' || code[at] == ']') && --depth == 0) return at;
    }
    return std::string::npos;
}

std::vector<LaunchText> launches_of(const std::string& code) {
    std::vector<LaunchText> out;
    const size_t forward = code.find("def forward(");
    for (size_t at = forward == std::string::npos ? forward : code.find("_kernel", forward);
         at != std::string::npos; at = code.find("_kernel", at + 1)) {
        size_t begin = at, bracket = at + 7;
        while (begin > 0 && word(code[begin - 1])) --begin;
        while (bracket < code.size() && word(code[bracket])) ++bracket;
        if (bracket >= code.size() || code[bracket] != '[') continue;
        LaunchText launch;
        launch.kernel = code.substr(begin, bracket - begin);
        launch.grid = bracket + 1;
        launch.grid_end = closing(code, bracket);
        if (launch.grid_end == std::string::npos) break;
        launch.call = launch.grid_end + 1;
        launch.end = closing(code, launch.call);
        if (launch.end == std::string::npos) break;
        if (code.compare(launch.grid, launch.grid_end - launch.grid, "grid") ==
            0) {  // named on a line before
            const size_t named = code.rfind("grid = (", launch.grid);
            if (named == std::string::npos || named < forward) continue;
            launch.grid = named + 7;
            launch.grid_end = closing(code, launch.grid) + 1;
            for (LaunchText& other : out)
                if (other.grid == launch.grid) other.shared = launch.shared = true;
        }
        launch.wide = code.find("BLOCK_D=", launch.call) < launch.end;
        for (size_t equals = code.find('=', launch.call); equals < launch.end;
             equals = code.find('=', equals + 1)) {
            size_t name = equals, number = equals + 1;
            while (word(code[name - 1])) --name;
            while (digit(code[number])) ++number;
            if (number == equals + 1 || (code[number] != ',' && code[number] != ')')) continue;
            launch.settings.push_back({code.substr(name, equals - name), equals + 1, number - equals - 1,
                                       std::stoll(code.substr(equals + 1, number - equals - 1))});
        }
        out.push_back(std::move(launch));
    }
    return out;
}

/// The number in the grid that a block's size belongs to: the divisor of the first, second … triton.cdiv.
std::optional<std::pair<size_t, size_t>> divisor(const std::string& code, const LaunchText& launch,
                                                 int64_t value, int which) {
    for (size_t at = code.find("triton.cdiv(", launch.grid); at < launch.grid_end;
         at = code.find("triton.cdiv(", at + 1)) {
        const size_t close = closing(code, at + 11);
        size_t begin = close;
        while (digit(code[begin - 1])) --begin;
        if (begin == close) return std::nullopt;
        if (which-- == 0) {
            if (std::stoll(code.substr(begin, close - begin)) != value) return std::nullopt;
            return std::pair{begin, close - begin};
        }
    }
    return std::nullopt;
}

struct Edit {
    size_t at, length;
    std::string text;
};

/// Another size for one setting of a launch.
bool change(const std::string& code, const LaunchText& launch, const Setting& setting, int64_t value,
            std::vector<Edit>& edits) {
    if (value == setting.value) return false;
    const int which = setting.name == "BLOCK_N" ? 1 : 0;
    const bool of_grid = setting.name == "BLOCK" || setting.name == "BLOCK_M" || setting.name == "BLOCK_N" ||
                         setting.name == "BLOCK_ROWS";
    if (of_grid && launch.shared) return false;
    if (of_grid) {
        const auto found = divisor(code, launch, setting.value, which);
        if (!found && setting.name != "BLOCK") return false;
        if (found) edits.push_back({found->first, found->second, std::to_string(value)});
    }
    edits.push_back({setting.at, setting.length, std::to_string(value)});
    return true;
}

int64_t another(const Setting& setting, Random& r) {
    if (setting.name == "num_stages") return r.of({2, 3, 4});
    if (setting.name == "num_warps") return r.of({4, 8});
    if (setting.name == "GROUP_M") return r.of({4, 8, 16});
    const int64_t scaled = r.chance(0.5) ? setting.value * 2 : setting.value / 2;
    if (setting.name == "BLOCK_M" || setting.name == "BLOCK_N") return std::clamp<int64_t>(scaled, 16, 128);
    if (setting.name == "BLOCK_K") return std::clamp<int64_t>(scaled, 16, 64);
    if (setting.name == "BLOCK_ROWS") return std::clamp<int64_t>(scaled, 2, 64);
    if (setting.name == "BLOCK") return std::clamp<int64_t>(scaled, 256, 4096);
    return setting.value;
}

/// Whether the tiles of a product fit into shared memory, its stages and copies of them in other precisions
/// included.
bool fits(const LaunchText& launch, const std::map<std::string, int64_t>& changed) {
    auto value = [&](const char* name, int64_t otherwise) {
        if (const auto found = changed.find(name); found != changed.end()) return found->second;
        for (const Setting& setting : launch.settings)
            if (setting.name == name) return setting.value;
        return otherwise;
    };
    constexpr int64_t kMost = 96 * 1024;
    return (value("BLOCK_M", 0) + value("BLOCK_N", 0)) * value("BLOCK_K", 0) * 4 * value("num_stages", 2) <=
           kMost;
}

/// Other sizes for some settings of a launch.
void change_some(const std::string& code, const LaunchText& launch, Random& random,
                 std::vector<Edit>& edits) {
    std::vector<Edit> made;
    std::map<std::string, int64_t> changed;
    for (const Setting& setting : launch.settings) {
        if (!random.chance(0.5)) continue;
        const int64_t value = another(setting, random);
        if (launch.wide && value > setting.value && setting.name != "num_warps") continue;
        if (change(code, launch, setting, value, made)) changed[setting.name] = value;
    }
    if (fits(launch, changed)) edits.insert(edits.end(), made.begin(), made.end());
}

}  // namespace

Json schedule_of(const std::string& code) {
    Json out = Json::object();
    for (const LaunchText& launch : launches_of(code)) {
        Json& kernel = out[launch.kernel];
        kernel = Json::object();
        for (const Setting& setting : launch.settings) kernel[setting.name] = setting.value;
    }
    return out;
}

std::vector<std::string> other_schedules(const std::string& code, int most, Random& random) {
    std::vector<std::string> out;
    const std::vector<LaunchText> launches = launches_of(code);
    // A kernel that several launches share takes one set of numbers each: they may differ.
    for (int attempt = 0; attempt < 3 * most && static_cast<int>(out.size()) < most; ++attempt) {
        std::vector<Edit> edits;
        for (const LaunchText& launch : launches) change_some(code, launch, random, edits);
        if (edits.empty()) continue;
        std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.at > b.at; });
        // Two launches may share a grid's line: each number is changed once.
        bool twice = false;
        for (size_t i = 1; i < edits.size(); ++i) twice = twice || edits[i].at == edits[i - 1].at;
        if (twice) continue;
        std::string made = code;
        for (const Edit& edit : edits) made.replace(edit.at, edit.length, edit.text);
        if (std::find(out.begin(), out.end(), made) == out.end()) out.push_back(std::move(made));
    }
    return out;
}

}  // namespace tritonsmith::data
