#include "run/worker/cuda/accelerator.h"

#include <ATen/Context.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "cuda/device_info.h"
#include "cuda/driver.h"
#include "cuda/shared_memory.h"
#include "kernels/kernels.h"
#include "run/worker/cuda/launcher.h"
#include "run/worker/memory/device_memory.h"
#include "run/worker/oracle/element_calls.h"

namespace tritonsmith::run {
namespace {

using at::cuda::CUDAEvent;

constexpr int64_t kGuard = 4096;
/// As triton.testing.do_bench clears the cache: more than any device's L2.
constexpr int64_t kFlush = int64_t{256} << 20;

class Graph : public Replay {
  public:
    explicit Graph(std::unique_ptr<at::cuda::CUDAGraph> graph) : graph_(std::move(graph)) {}
    void run() override { graph_->replay(); }
    bool graph() const override { return true; }

  private:
    std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

class Calls : public Replay {
  public:
    explicit Calls(std::function<void()> work) : work_(std::move(work)) {}
    void run() override { work_(); }
    bool graph() const override { return false; }

  private:
    std::function<void()> work_;
};

/// Of the library of our own kernels.
struct LibraryCalls {
    void* stream;

    void count_alike(const kernels::CountAlike& a) const { kernels::count_alike(a, stream); }
    void element_limits(const kernels::ElementLimits& a) const { kernels::element_limits(a, stream); }
    void compare_elements(const kernels::CompareElements& a) const { kernels::compare_elements(a, stream); }
};

class CudaAccelerator : public Accelerator {
  public:
    explicit CudaAccelerator(int ordinal)
        : ordinal_(ordinal), stream_(start(ordinal)), element_kernels_({stream_.stream()}) {
        c10::cuda::setCurrentCUDAStream(stream_);
        // The reference is IEEE everywhere unless a request says otherwise (docs/judge.md, Numerics).
        at::globalContext().setAllowTF32CuBLAS(false);
        at::globalContext().setAllowTF32CuDNN(false);
        for (const cuda::DeviceInfo& one : cuda::devices())
            if (one.ordinal == ordinal) info_ = one;
    }

    at::Device device() const override { return {at::kCUDA, static_cast<c10::DeviceIndex>(ordinal_)}; }

    Json describe() override {
        return {{"name", info_.name},
                {"uuid", info_.uuid},
                {"target", info_.target},
                {"memory_bytes", info_.memory_bytes},
                {"free_bytes", free_bytes()},
                {"l2_bytes", info_.l2_bytes},
                {"bytes_per_second", info_.bytes_per_second},
                {"multiprocessors", info_.multiprocessors}};
    }

    std::unique_ptr<Memory> memory(const plan::Plan& plan, uint64_t poison, bool guards) override {
        return std::make_unique<DeviceMemory>(plan,
                                              DeviceMemory::Options{device(), poison, guards ? kGuard : 0});
    }

    std::unique_ptr<Launcher> launcher(const plan::Plan& plan, const Json& kernels,
                                       const std::vector<std::byte>& cubins) override {
        return std::make_unique<CudaLauncher>(plan, kernels, cubins, stream_.stream());
    }

    SharedBytes share(int64_t bytes) override {
        auto memory = std::make_shared<cuda::SharedMemory>(shared(std::max<int64_t>(bytes, 1)));
        Fd fd = memory->export_fd();
        return {over(std::move(memory), bytes), std::move(fd)};
    }

    at::Tensor map(Fd fd, int64_t bytes) override {
        if (bytes < 0) throw InputError("a pack of less than no bytes");
        try {
            return over(std::make_shared<cuda::SharedMemory>(
                            cuda::SharedMemory::import(ordinal_, fd.get(), std::max<int64_t>(bytes, 1))),
                        bytes);
        } catch (const cuda::Error& wrong) {
            throw_fault(wrong.code, wrong.what());
        }
    }

    void synchronize(Deadline deadline) override {
        for (int turn = 0;; ++turn) {
            const CUresult state = cuda::driver().cuStreamQuery(stream_.stream());
            if (state == CUDA_SUCCESS) return;
            if (state != CUDA_ERROR_NOT_READY) throw_fault(state, cuda::Error(state, "the kernels").what());
            if (deadline && Clock::now() > *deadline) {
                *stuck_ = true;
                throw DeviceFault("gpu_timeout", "the kernels do not end in time", true);
            }
            // Most work is short: the processor spins for it, and sleeps for the rest.
            if (turn > 2000) std::this_thread::sleep_for(std::chrono::microseconds(turn > 20000 ? 1000 : 20));
        }
    }

    const ElementKernels* element_kernels() const override {
        return kernels::find_library() ? &element_kernels_ : nullptr;
    }

    int64_t free_bytes() override {
        size_t free = 0, total = 0;
        TRITONSMITH_CU(cuMemGetInfo, &free, &total);
        return static_cast<int64_t>(free);
    }

    std::unique_ptr<Replay> record(std::function<void()> work) override {
        auto graph = std::make_unique<at::cuda::CUDAGraph>();
        const at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
        try {
            graph->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
            work();
            graph->capture_end();
            return std::make_unique<Graph>(std::move(graph));
        } catch (const DeviceFault& fault) {
            if (fault.context_is_lost) throw;
        } catch (const std::exception&) {
            // An operator that waits for the device, or calls a library that does.
        }
        // Timed with the host's work. What was wrong with the call itself shows when it is run.
        end_failed_capture(*graph, pool);
        return std::make_unique<Calls>(std::move(work));
    }

    std::vector<double> time(Replay& replay, int samples, const std::function<void(int)>& before,
                             const std::function<void(int)>& after, Deadline deadline) override {
        if (!flush_.defined()) flush_ = at::empty({kFlush / 4}, at::TensorOptions(at::kInt).device(device()));
        std::vector<CUDAEvent> starts, ends;
        for (int i = 0; i < samples; ++i) {
            before(i);
            flush_.zero_();
            starts.emplace_back(cudaEventDefault).record(stream_);
            replay.run();
            ends.emplace_back(cudaEventDefault).record(stream_);
            after(i);
            // Not so far ahead that the watchdog comes too late.
            if (i % 64 == 63) synchronize(deadline);
        }
        synchronize(deadline);
        std::vector<double> out;
        for (int i = 0; i < samples; ++i)
            out.push_back(starts[static_cast<size_t>(i)].elapsed_time(ends[static_cast<size_t>(i)]));
        return out;
    }

    DeviceFault fault(int code, const std::string& message) const override {
        return {cuda::fault_reason(code), message, cuda::Error(code, "").context_is_lost()};
    }

    void trim() override { c10::cuda::CUDACachingAllocator::emptyCache(); }

  private:
    static c10::cuda::CUDAStream start(int ordinal) {
        std::string why;
        if (!cuda::find_driver(&why)) throw MachineError(why);
        at::globalContext().lazyInitDevice(at::kCUDA);
        if (ordinal >= c10::cuda::device_count())
            throw MachineError("there is no cuda:" + std::to_string(ordinal));
        c10::cuda::set_device(static_cast<c10::DeviceIndex>(ordinal));
        // Makes the context, which the driver's calls need as well.
        at::empty({1},
                  at::TensorOptions(at::kByte).device(at::kCUDA, static_cast<c10::DeviceIndex>(ordinal)));
        return c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(ordinal));
    }

    cuda::SharedMemory shared(int64_t bytes) {
        try {
            return cuda::SharedMemory::create(ordinal_, bytes);
        } catch (const cuda::Error& wrong) {
            if (wrong.code != CUDA_ERROR_OUT_OF_MEMORY) throw_fault(wrong.code, wrong.what());
        }
        trim();  // what torch keeps for later is of no use to the driver
        try {
            return cuda::SharedMemory::create(ordinal_, bytes);
        } catch (const cuda::Error& wrong) {
            throw_fault(wrong.code, wrong.what());
        }
    }

    /// Nothing may use the memory when it is unmapped. Behind kernels that never end it is left to the end of
    /// the process: whoever waited for them could not tell that they do not end.
    at::Tensor over(std::shared_ptr<cuda::SharedMemory> memory, int64_t bytes) {
        void* data = reinterpret_cast<void*>(memory->address());
        const CUstream stream = stream_.stream();
        return at::from_blob(
            data, {bytes},
            [memory = std::move(memory), stream, stuck = stuck_](void*) mutable {
                if (*stuck) {
                    new std::shared_ptr<cuda::SharedMemory>(std::move(memory));
                    return;
                }
                cuda::driver().cuStreamSynchronize(stream);
                memory.reset();
            },
            at::TensorOptions(at::kByte).device(device()), device());
    }

    /// torch says so by an exception where a pool is closed.
    template <class Close>
    static void unless_closed(Close close) {
        try {
            close();
        } catch (const std::exception&) {
        }
    }

    /// Where the runtime refuses to end a capture, torch leaves the pool open: it would be asked about each
    /// allocation to come, of a graph that is not there any more, and its memory would stay.
    void end_failed_capture(at::cuda::CUDAGraph& graph, at::cuda::MempoolId_t pool) {
        namespace allocator = c10::cuda::CUDACachingAllocator;
        const auto device = static_cast<c10::DeviceIndex>(ordinal_);
        try {
            graph.capture_end();
        } catch (const std::exception&) {
            unless_closed([&] {
                allocator::endAllocateToPool(device, pool);
                allocator::releasePool(device, pool);
            });
            unless_closed([&] {
                at::getHostAllocator(at::kCUDA)->end_allocate_to_pool(pool);
                at::getHostAllocator(at::kCUDA)->release_pool(pool);
            });
        }
        (void)cudaGetLastError();
    }

    int ordinal_;
    c10::cuda::CUDAStream stream_;
    ElementCalls<LibraryCalls> element_kernels_;
    cuda::DeviceInfo info_;
    at::Tensor flush_;
    std::shared_ptr<bool> stuck_ =
        std::make_shared<bool>(false);  ///< kernels run that nobody waits for any more
};

}  // namespace

void throw_fault(int code, const std::string& message) {
    throw DeviceFault(cuda::fault_reason(code), message, cuda::Error(code, "").context_is_lost());
}

std::unique_ptr<Accelerator> cuda_accelerator(int ordinal) {
    return std::make_unique<CudaAccelerator>(ordinal);
}

}  // namespace tritonsmith::run
