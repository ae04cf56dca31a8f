// The task loader on a file of any bytes, as a program and as JSONL rows, and shrinking with a probe made of
// them.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "fuzz.h"
#include "task/shrink.h"
#include "task/task.h"

using namespace tritonsmith;

namespace {

/// A folder of this process, removed at its end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("tritonsmith-fuzz-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
};

void load(const std::string& spec) {
    try {
        const task::Task task = task::load(spec);
        fuzz::require(!task.source.empty() && !task.entry.empty(), "a task of nothing");
    } catch (const InputError& error) {
        fuzz::require(*error.what() != 0, "an error without words");
        fuzz::require(std::string(error.what()).find('\n') == std::string::npos, "an error of several lines");
    }
}

/// A task with up to eight sizes; bytes and operations are products of some of them, and some sizes do not
/// run.
void shrink(fuzz::Bytes bytes) {
    std::map<std::string, int64_t> constants;
    const uint64_t count = bytes.take(1) % 9, in_bytes = bytes.take(1), in_flops = bytes.take(1),
                   stubborn = bytes.take(1), divisor = 1 + bytes.take(1) % 64;
    for (uint64_t i = 0; i < count; ++i)
        constants["N" + std::to_string(i)] =
            static_cast<int64_t>(bytes.take(4)) - (i % 4 == 3 ? (int64_t{1} << 31) : 0);
    const auto cost = [&](const std::map<std::string, int64_t>& overrides) {
        plan::Cost cost;
        double size = 4;
        cost.flops = 1;
        uint64_t i = 0;
        for (const auto& [name, value] : constants) {
            const auto it = overrides.find(name);
            const double n = static_cast<double>(it == overrides.end() ? value : it->second);
            if (in_bytes >> i & 1) size *= n;
            if (in_flops >> i & 1) cost.flops *= n;
            ++i;
        }
        cost.bytes = size < 0 || size > 9e18 ? INT64_MAX : static_cast<int64_t>(size);
        return cost;
    };
    int probes = 0;
    task::ShrinkLimits limits;
    const task::Shrunk shrunk = task::shrink(
        constants, cost({}),
        [&](const std::map<std::string, int64_t>& overrides) -> std::optional<plan::Cost> {
            ++probes;
            uint64_t i = 0;
            for (const auto& [name, value] : constants) {
                const auto it = overrides.find(name);
                if ((stubborn >> i++ & 1) && it != overrides.end() &&
                    it->second % static_cast<int64_t>(divisor) != 0)
                    return std::nullopt;
            }
            return cost(overrides);
        },
        limits);
    fuzz::require(probes <= limits.max_probes && shrunk.probes == probes, "more probes than allowed");
    for (const auto& [name, value] : shrunk.overrides)
        fuzz::require(constants.count(name) == 1 && value <= constants.at(name), "a size that grew");
    fuzz::require(shrunk.fits || !shrunk.why.empty(), "does not fit, and does not say why");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Folder folder;
    for (const char* name : {"t.py", "t.jsonl"}) {
        std::ofstream file(folder.path / name, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
    load(folder.path / "t.py");
    load((folder.path / "t.jsonl").string() + "#1");
    shrink({data, size});
    return 0;
}
