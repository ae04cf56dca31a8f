#include <ATen/ops/from_blob.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "run/worker/exec/accelerator.h"
#include "run/worker/exec/interpreter_launcher.h"
#include "run/worker/memory/host_memory.h"

namespace tritonsmith::run {
namespace {

at::Tensor mapped(const Fd& fd, int64_t bytes) {
    if (bytes == 0) return at::from_blob(nullptr, {0}, at::kByte);
    void* map = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (map == MAP_FAILED) throw MachineError("cannot map " + std::to_string(bytes) + " bytes");
    return at::from_blob(
        map, {bytes}, [bytes](void* data) { ::munmap(data, static_cast<size_t>(bytes)); }, at::kByte);
}

class Repeated : public Replay {
  public:
    explicit Repeated(std::function<void()> work) : work_(std::move(work)) {}
    void run() override { work_(); }
    bool graph() const override { return false; }

  private:
    std::function<void()> work_;
};

class HostAccelerator : public Accelerator {
  public:
    at::Device device() const override { return at::kCPU; }

    Json describe() override {
        return {{"name", "the CPU"},
                {"target", ""},
                {"memory_bytes", 2 * free_bytes()},
                {"free_bytes", free_bytes()}};
    }

    std::unique_ptr<Memory> memory(const plan::Plan& plan, uint64_t poison, bool guards) override {
        return std::make_unique<HostMemory>(plan, free_bytes(), poison);
    }

    std::unique_ptr<Launcher> launcher(const plan::Plan& plan, const Json& kernels,
                                       const std::vector<std::byte>& cubins) override {
        return std::make_unique<InterpreterLauncher>(programs_);
    }

    SharedBytes share(int64_t bytes) override {
        Fd fd = memory_file("tritonsmith-pack", bytes);
        at::Tensor map = mapped(fd, bytes);
        return {std::move(map), std::move(fd)};
    }

    at::Tensor map(Fd fd, int64_t bytes) override {
        struct stat status;
        // A file that may still shrink would make reads fault.
        const int seals = ::fcntl(fd.get(), F_GET_SEALS);
        if (bytes < 0 || ::fstat(fd.get(), &status) != 0 || status.st_size < bytes || seals < 0 ||
            !(seals & F_SEAL_SHRINK))
            throw InputError("a pack's descriptor is no sealed file of memory of its size");
        return mapped(fd, bytes);
    }

    void synchronize(Deadline) override {}

    int64_t free_bytes() override {
        return int64_t{::sysconf(_SC_AVPHYS_PAGES)} * ::sysconf(_SC_PAGESIZE) / 2;
    }

    std::unique_ptr<Replay> record(std::function<void()> work) override {
        return std::make_unique<Repeated>(std::move(work));
    }

    std::vector<double> time(Replay& replay, int samples, const std::function<void(int)>& before,
                             const std::function<void(int)>& after, Deadline deadline) override {
        std::vector<double> out;
        for (int i = 0; i < samples; ++i) {
            before(i);
            const auto start = Clock::now();
            replay.run();
            out.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
            after(i);
            if (deadline && Clock::now() > *deadline)
                throw DeviceFault("gpu_timeout", "the timed runs took longer than their deadline", false);
        }
        return out;
    }

  private:
    ProgramCache programs_;
};

}  // namespace

std::unique_ptr<Accelerator> host_accelerator() {
    return std::make_unique<HostAccelerator>();
}

}  // namespace tritonsmith::run
