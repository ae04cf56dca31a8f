#include "cuda/probe.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "base/process/process.h"
#include "cuda/context.h"
#include "cuda/device_info.h"
#include "cuda/probe_sandbox.h"
#include "cuda/shared_memory.h"

namespace tritonsmith::cuda {
namespace {

constexpr int64_t kBytes = 1 << 20;
constexpr unsigned kThreads = 64;

// out[thread] = value + thread
const char* const kPtx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry probe(.param .u64 out, .param .u32 value)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r0, [value];
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r0, %r1;
    cvta.to.global.u64 %rd1, %rd0;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r2;
    ret;
}
)";

[[noreturn]] void wrong(const std::string& what) {
    throw MachineError(what);
}

class Probe {
  public:
    explicit Probe(const ProbeGuard& guard) : guard_(guard) {}

    Json run() {
        const bool usable = step("sandbox", [&] { enter_probe_sandbox(guard_); }) &&
                            step("driver", [] { driver(); }) && step("devices", [&] { find_device(); }) &&
                            step("context", [&] { context_ = std::make_unique<PrimaryContext>(0); });
        bool ok = usable;
        if (usable) {
            ok &= step("copy", [&] { copy(); });
            ok &= step("kernel", [&] { kernel(); });
            ok &= step("stream", [&] { stream(); });
            ok &= step("shared_memory", [&] { guard_.exporter ? share() : import(); });
        }
        Json answer = {{"ok", ok}, {"steps", steps_}, {"seconds", seconds_}};
        if (guard_.name == "report") answer["refused"] = refused_calls();
        if (guard_.name == "no_landlock" || guard_.name == "none") answer["files"] = files_in_use();
        return answer;
    }

  private:
    bool step(const char* name, const std::function<void()>& body) {
        const auto start = std::chrono::steady_clock::now();
        bool ok = false;
        try {
            body();
            steps_[name] = "ok";
            ok = true;
        } catch (const std::exception& error) {
            steps_[name] = error.what();
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        seconds_[name] = took.count();
        return ok;
    }

    void find_device() {
        const std::vector<DeviceInfo> found = devices();
        if (found.empty()) wrong("the driver knows no device");
        shares_ = found[0].shares_memory;
    }

    void copy() {
        std::vector<uint32_t> there(kBytes / 4), back(kBytes / 4);
        std::iota(there.begin(), there.end(), 7U);
        CUdeviceptr address = 0;
        TRITONSMITH_CU(cuMemAlloc, &address, kBytes);
        TRITONSMITH_CU(cuMemcpyHtoD, address, there.data(), kBytes);
        TRITONSMITH_CU(cuMemcpyDtoH, back.data(), address, kBytes);
        TRITONSMITH_CU(cuMemFree, address);
        if (back != there) wrong("copied bytes came back changed");
    }

    void kernel() {
        CUmodule module = nullptr;
        CUfunction function = nullptr;
        CUdeviceptr out = 0;
        uint32_t value = 40;
        std::vector<uint32_t> back(kThreads);
        TRITONSMITH_CU(cuModuleLoadData, &module, kPtx);
        TRITONSMITH_CU(cuModuleGetFunction, &function, module, "probe");
        TRITONSMITH_CU(cuMemAlloc, &out, kThreads * 4);
        void* parameters[] = {&out, &value};
        CUlaunchConfig config{};
        config.gridDimX = config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = kThreads;
        config.blockDimY = config.blockDimZ = 1;
        TRITONSMITH_CU(cuLaunchKernelEx, &config, function, parameters, nullptr);
        TRITONSMITH_CU(cuCtxSynchronize);
        TRITONSMITH_CU(cuMemcpyDtoH, back.data(), out, kThreads * 4);
        TRITONSMITH_CU(cuMemFree, out);
        TRITONSMITH_CU(cuModuleUnload, module);
        for (uint32_t i = 0; i < kThreads; ++i) {
            if (back[i] != value + i) wrong(fmt::format("the kernel wrote {} as element {}", back[i], i));
        }
    }

    void stream() {
        CUstream stream = nullptr;
        CUevent before = nullptr, after = nullptr;
        float milliseconds = -1;
        TRITONSMITH_CU(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
        TRITONSMITH_CU(cuEventCreate, &before, CU_EVENT_DEFAULT);
        TRITONSMITH_CU(cuEventCreate, &after, CU_EVENT_DEFAULT);
        TRITONSMITH_CU(cuEventRecord, before, stream);
        TRITONSMITH_CU(cuEventRecord, after, stream);
        TRITONSMITH_CU(cuEventSynchronize, after);
        check(driver().elapsed_time(&milliseconds, before, after), "cuEventElapsedTime");
        TRITONSMITH_CU(cuEventDestroy, before);
        TRITONSMITH_CU(cuEventDestroy, after);
        TRITONSMITH_CU(cuStreamDestroy, stream);
        if (!(milliseconds >= 0)) wrong("events tell no time");
    }

    Deadline soon() const { return Clock::now() + std::chrono::seconds(60); }

    /// Fills the memory, hands it to the peer, and changes it while the peer has it (who may only read it).
    void share() {
        if (!shares_) wrong("this device's memory cannot be handed to other processes");
        SharedMemory memory = SharedMemory::create(0, kBytes);
        fill(memory, 1);
        {
            const Fd fd = memory.export_fd();
            send_frame(guard_.peer, {{"bytes", kBytes}}, {fd.get()});
        }
        hear();
        fill(memory, 2);
        send_frame(guard_.peer, {{"changed", true}});
        hear();
    }

    void import() {
        const Frame frame = hear();
        if (frame.descriptors.size() != 1) wrong("the other process handed out no memory");
        const SharedMemory memory = SharedMemory::import(0, frame.descriptors[0].get(), kBytes);
        expect(memory, 1);
        send_frame(guard_.peer, {{"seen", 1}});
        hear();
        expect(memory, 2);
        send_frame(guard_.peer, {{"seen", 2}});
    }

    Frame hear() {
        Frame frame;
        if (receive_frame(guard_.peer, frame, soon()) != FrameError::none) wrong("the other process is gone");
        return frame;
    }

    static void fill(const SharedMemory& memory, uint8_t value) {
        const std::vector<uint8_t> bytes(kBytes, value);
        TRITONSMITH_CU(cuMemcpyHtoD, memory.address(), bytes.data(), kBytes);
        TRITONSMITH_CU(cuCtxSynchronize);
    }
    static void expect(const SharedMemory& memory, uint8_t value) {
        std::vector<uint8_t> bytes(kBytes);
        TRITONSMITH_CU(cuMemcpyDtoH, bytes.data(), memory.address(), kBytes);
        if (bytes != std::vector<uint8_t>(kBytes, value))
            wrong("the shared memory does not hold what was written");
    }

    ProbeGuard guard_;
    Json steps_ = Json::object(), seconds_ = Json::object();
    std::unique_ptr<PrimaryContext> context_;
    bool shares_ = false;
};

}  // namespace

Json probe(const ProbeGuard& guard) {
    return Probe(guard).run();
}

}  // namespace tritonsmith::cuda
