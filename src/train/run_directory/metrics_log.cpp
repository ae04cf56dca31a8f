#include "train/run_directory/metrics_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

/// Lines up to a step. A last line that was cut off is dropped.
std::string lines_up_to(const fs::path& path, int64_t step) {
    std::string kept;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::optional<Json> json = parse_untrusted_json(line);
        if (json && json->is_object() && json->value("step", Json()).is_number_integer() &&
            (*json)["step"] <= step)
            kept += line + "\n";
    }
    return kept;
}

void add_scalars(const std::string& prefix, const Json& values,
                 std::vector<std::pair<std::string, double>>& to) {
    for (const auto& [key, value] : values.items()) {
        if (value.is_object()) add_scalars(prefix + key + "/", value, to);
        if (value.is_number()) to.emplace_back(prefix + key, value.get<double>());
    }
}

}  // namespace

MetricsLog::MetricsLog(const fs::path& folder, int64_t step)
    : path_(folder / "metrics.jsonl"), events_(folder / "tensorboard") {
    write_file(path_, lines_up_to(path_, step));
    fd_ = Fd(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!fd_) throw MachineError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

void MetricsLog::write(int64_t step, Json values) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::vector<std::pair<std::string, double>> scalars;
    add_scalars("", values, scalars);
    events_.write(step, seconds, scalars);
    values["step"] = step;
    values["seconds"] = seconds;
    const std::string line = dump(values) + "\n";
    const ssize_t written = ::write(fd_.get(), line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size()))
        throw MachineError(fmt::format("cannot write {}: {}", path_.string(),
                                       written < 0 ? std::strerror(errno) : "the disk is full"));
}

}  // namespace tritonsmith::train
