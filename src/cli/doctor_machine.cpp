#include <fmt/format.h>
#include <sched.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include "cli/doctor.h"

namespace tritonsmith::cli {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr double kNeededMemoryGiB =
    4;                                ///< a tracer with torch, two workers, and tensors of the default shrink
constexpr double kNeededDiskGiB = 1;  ///< compiled kernels and verdicts

/// The first line "`key`…: value" of a /proc file, or "".
std::string proc_value(const char* path, const std::string& key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        size_t colon = line.find(':');
        if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
        size_t start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

double meminfo_gib(const std::string& key) {
    return std::strtod(proc_value("/proc/meminfo", key).c_str(), nullptr) * 1024 / kGiB;
}

/// Memory that a container's control group grants us; unlimited: 0.
double cgroup_limit_gib() {
    std::ifstream file("/sys/fs/cgroup/memory.max");
    double bytes = 0;
    return file >> bytes ? bytes / kGiB : 0;
}

int usable_cores() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

Check check_cpu() {
    std::string model = proc_value("/proc/cpuinfo", "model name");
    std::string flags = " " + proc_value("/proc/cpuinfo", "flags") + " ";
    bool avx2 = flags.find(" avx2 ") != std::string::npos,
         avx512 = flags.find(" avx512f ") != std::string::npos;
    int cores = usable_cores();
    Check check{"cpu"};
    check.details = {{"model", model}, {"cores", cores}, {"avx2", avx2}, {"avx512", avx512}};
    check.text =
        fmt::format("{}, {} core{}{}", model.empty() ? "unknown model" : model, cores, cores == 1 ? "" : "s",
                    avx512 ? ", AVX-512"
                    : avx2 ? ", AVX2"
                           : ", no AVX2");
    if (!avx2) {
        check.state = State::note;
        check.fix = "a processor with AVX2 interprets kernels several times faster";
    }
    return check;
}

Check check_memory() {
    double total = meminfo_gib("MemTotal"), available = meminfo_gib("MemAvailable"),
           limit = cgroup_limit_gib();
    if (limit > 0) total = std::min(total, limit), available = std::min(available, limit);
    Check check{"memory"};
    check.text = fmt::format("{:.1f} GiB, {:.1f} GiB free", total, available);
    check.details = {{"total_gib", total}, {"available_gib", available}};
    if (available < kNeededMemoryGiB) {
        check.state = State::note;
        check.fix = fmt::format(
            "judging wants {:.0f} GiB free: end other programs, or shrink tasks further (--shrink)",
            kNeededMemoryGiB);
    }
    return check;
}

Check check_disk(const std::string& folder) {
    Check check{"disk"};
    struct statvfs space;
    if (::statvfs(folder.c_str(), &space) != 0) {
        check.state = State::missing;
        check.text = folder + ": " + std::strerror(errno);
        check.fix = "name an existing folder with TRITONSMITH_CACHE";
        return check;
    }
    double free = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / kGiB;
    check.text = fmt::format("{:.1f} GiB free in {}", free, folder);
    check.details = {{"free_gib", free}, {"folder", folder}};
    if (free < kNeededDiskGiB) {
        check.state = State::missing;
        check.fix =
            fmt::format("free {:.0f} GiB, or point TRITONSMITH_CACHE at another disk", kNeededDiskGiB);
    } else if (::access(folder.c_str(), W_OK) != 0) {
        check.state = State::missing;
        check.fix = "make " + folder + " writable, or point TRITONSMITH_CACHE at another folder";
    }
    return check;
}

Check check_host_compiler() {
    Check check{"gcc"};
    const char* path = std::getenv("PATH");
    std::string rest = path ? path : "/usr/bin:/bin";
    for (size_t start = 0; start <= rest.size();) {
        size_t end = std::min(rest.find(':', start), rest.size());
        for (const char* name : {"gcc", "cc", "clang"}) {
            std::string file = rest.substr(start, end - start) + "/" + name;
            if (::access(file.c_str(), X_OK) != 0) continue;
            check.text = file;
            check.details = {{"path", file}};
            return check;
        }
        start = end + 1;
    }
    check.state = State::note;
    check.text = "no C compiler";
    check.fix = "apt-get install gcc (Triton's own GPU driver compiles a launcher with it; judging does not)";
    return check;
}

}  // namespace tritonsmith::cli
