#include "model/tuned_products.h"

#include <ATen/Functions.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "model/cublas_lt.h"
#include "model/cuda_operators.h"

namespace tritonsmith::model {
namespace {

constexpr int64_t kFewestRows = 64;  ///< below it products wait for weights, whichever kernel reads them
constexpr size_t kWorkspace = size_t{32} << 20;
constexpr int64_t kScratch = int64_t{128} << 20;  ///< more than second caches hold
constexpr int kKernels = 32, kRepeats = 5;
constexpr double kHopeless = 1.2;  ///< of the best time: a kernel that slow is not timed again
constexpr double kWorthIt = 0.98;  ///< of PyTorch's time: what is no faster than this is not taken
constexpr uintptr_t kAlignment = 256;

int cuda_dtype(at::ScalarType dtype) {
    if (dtype == at::kFloat) return cublas_lt::kFloat32;
    return dtype == at::kHalf ? cublas_lt::kFloat16 : cublas_lt::kBFloat16;
}

/// cuBLASLt counts by columns: its D is the transpose of ours, [outputs, rows].
class Problem {
  public:
    Problem(const cublas_lt::Library& lt, const at::Tensor& x, const at::Tensor& weight,
            const at::Tensor& bias, at::Tensor& out)
        : lt_(lt), x_(x), weight_(weight), out_(out) {
        ok_ =
            good(lt.cublasLtMatmulDescCreate(&operation_, cublas_lt::kComputeFloat32, cublas_lt::kFloat32)) &&
            set(cublas_lt::kOperationTransA, cublas_lt::kTransposed) &&
            layout(a_, weight, weight.size(1), weight.size(0)) && layout(b_, x, x.size(1), x.size(0)) &&
            layout(d_, out, out.size(1), out.size(0));
        if (bias.defined()) {
            const void* at = bias.const_data_ptr();
            ok_ = ok_ && set(cublas_lt::kOperationEpilogue, cublas_lt::kEpilogueBias) &&
                  set(cublas_lt::kOperationBiasPointer, at);
        }
    }
    ~Problem() {
        for (cublas_lt::Layout one : {a_, b_, d_})
            if (one != nullptr) lt_.cublasLtMatrixLayoutDestroy(one);
        if (operation_ != nullptr) lt_.cublasLtMatmulDescDestroy(operation_);
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    std::vector<cublas_lt::Algorithm> kernels(cublas_lt::Handle handle) const {
        cublas_lt::Preference wish = nullptr;
        std::vector<cublas_lt::Found> found(kKernels);
        int count = 0;
        if (!ok_ || !good(lt_.cublasLtMatmulPreferenceCreate(&wish))) return {};
        const bool asked =
            good(lt_.cublasLtMatmulPreferenceSetAttribute(wish, cublas_lt::kPreferenceWorkspaceBytes,
                                                          &kWorkspace, sizeof(kWorkspace))) &&
            good(lt_.cublasLtMatmulAlgoGetHeuristic(handle, operation_, a_, b_, d_, d_, wish, kKernels,
                                                    found.data(), &count));
        lt_.cublasLtMatmulPreferenceDestroy(wish);
        std::vector<cublas_lt::Algorithm> out;
        for (int i = 0; asked && i < count; ++i)
            if (good(found[static_cast<size_t>(i)].status))
                out.push_back(found[static_cast<size_t>(i)].algorithm);
        return out;
    }

    /// @return whether the kernel takes it
    bool run(cublas_lt::Handle handle, const cublas_lt::Algorithm& kernel) {
        if (!ok_) return false;
        const float one = 1, zero = 0;
        const at::Tensor workspace =
            at::empty({static_cast<int64_t>(kWorkspace)}, x_.options().dtype(at::kByte));
        void* out = out_.mutable_data_ptr();
        return good(lt_.cublasLtMatmul(
            handle, operation_, &one, weight_.const_data_ptr(), a_, x_.const_data_ptr(), b_, &zero, out, d_,
            out, d_, &kernel, workspace.mutable_data_ptr(), kWorkspace, current_stream(x_.device())));
    }

  private:
    static bool good(int status) { return status == cublas_lt::kSuccess; }
    template <class Value>
    bool set(int attribute, const Value& value) {
        return good(lt_.cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof(value)));
    }
    bool layout(cublas_lt::Layout& to, const at::Tensor& matrix, int64_t rows, int64_t columns) {
        return good(lt_.cublasLtMatrixLayoutCreate(&to, cuda_dtype(matrix.scalar_type()),
                                                   static_cast<uint64_t>(rows),
                                                   static_cast<uint64_t>(columns), matrix.stride(0)));
    }

    const cublas_lt::Library& lt_;
    const at::Tensor &x_, &weight_;
    at::Tensor& out_;
    cublas_lt::Operation operation_ = nullptr;
    cublas_lt::Layout a_ = nullptr, b_ = nullptr, d_ = nullptr;
    bool ok_ = false;
};

/// Milliseconds of the fastest of some calls that find a cold cache; infinite where one is refused.
/// @param best_ms of other kernels
double fastest_ms(const at::Tensor& scratch, double best_ms, const std::function<bool()>& call) {
    constexpr double refused = std::numeric_limits<double>::infinity();
    const c10::impl::VirtualGuardImpl guard(scratch.device().type());
    const c10::Stream stream = guard.getStream(scratch.device());
    double best = refused;
    for (int i = 0; i <= kRepeats; ++i) {
        scratch.zero_();
        c10::Event before(scratch.device().type(), c10::EventFlag::BACKEND_DEFAULT),
            after(scratch.device().type(), c10::EventFlag::BACKEND_DEFAULT);
        before.record(stream);
        if (!call()) return refused;
        after.record(stream);
        after.synchronize();
        if (i == 0) continue;  // it loads the kernel
        best = std::min(best, before.elapsedTime(after));
        if (best > kHopeless * best_ms) break;
    }
    return best;
}

class Table {
  public:
    Table() : lt_(cublas_lt::Library::find()) {}

    /// Undefined where it is PyTorch's to do.
    at::Tensor run(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                   at::ScalarType dtype, const std::function<at::Tensor()>& plain) {
        if (lt_ == nullptr || !suits(x, weight, bias, dtype)) return {};
        const Key key{x.device().index(),
                      std::bit_ceil(static_cast<uint64_t>(x.size(0))),
                      weight.size(0),
                      weight.size(1),
                      static_cast<int>(x.scalar_type()),
                      static_cast<int>(dtype),
                      bias.defined()};
        std::unique_lock lock(mutex_);
        const cublas_lt::Handle handle = handle_of(x.device().index());
        auto found = chosen_.find(key);
        if (handle == nullptr || (found == chosen_.end() && capturing(x))) return {};
        at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options().dtype(dtype));
        Problem problem(*lt_, x, weight, bias, out);
        if (found == chosen_.end()) found = chosen_.emplace(key, choose(handle, problem, x, plain)).first;
        const std::optional<cublas_lt::Algorithm> kernel = found->second.kernel;
        lock.unlock();
        return kernel && problem.run(handle, *kernel) ? out : at::Tensor();
    }

    std::vector<std::string> lines() {
        std::lock_guard lock(mutex_);
        std::vector<std::string> out;
        for (const auto& [key, chosen] : chosen_)
            out.push_back(fmt::format("{} x {} x {}: {:.1f} us, PyTorch's {:.1f} us", chosen.rows,
                                      std::get<2>(key), std::get<3>(key), chosen.ms * 1e3,
                                      chosen.plain_ms * 1e3));
        return out;
    }

  private:
    /// device, power of two of rows, outputs, inputs, dtypes of x and of the result, whether there is a bias
    using Key = std::tuple<int, uint64_t, int64_t, int64_t, int, int, bool>;
    struct Chosen {
        std::optional<cublas_lt::Algorithm> kernel;  ///< none: PyTorch's
        int64_t rows = 0;
        double ms = 0, plain_ms = 0;
    };

    static bool suits(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                      at::ScalarType dtype) {
        const auto aligned = [](const at::Tensor& t) {
            return reinterpret_cast<uintptr_t>(t.const_data_ptr()) % kAlignment == 0;
        };
        const bool sixteen = x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kHalf;
        return x.is_cuda() && x.size(0) >= kFewestRows && sixteen &&
               weight.scalar_type() == x.scalar_type() && x.stride(1) == 1 && weight.stride(1) == 1 &&
               weight.size(0) % 8 == 0 && weight.size(1) % 8 == 0 &&
               (dtype == x.scalar_type() || (dtype == at::kFloat && !bias.defined())) && aligned(x) &&
               aligned(weight) && (!bias.defined() || (aligned(bias) && bias.scalar_type() == dtype));
    }

    bool capturing(const at::Tensor& x) const {
        int status = 0;
        return lt_->cudaStreamIsCapturing(current_stream(x.device()), &status) != 0 || status != 0;
    }

    cublas_lt::Handle handle_of(int device) {
        const auto [at, added] = handles_.emplace(device, nullptr);
        if (added && lt_->cublasLtCreate(&at->second) != cublas_lt::kSuccess) at->second = nullptr;
        return at->second;
    }

    Chosen choose(cublas_lt::Handle handle, Problem& problem, const at::Tensor& x,
                  const std::function<at::Tensor()>& plain) {
        Chosen best;
        best.rows = x.size(0);
        try {
            const at::Tensor scratch = at::empty({kScratch}, x.options().dtype(at::kByte));
            best.ms = best.plain_ms = fastest_ms(scratch, std::numeric_limits<double>::infinity(),
                                                 [&] { return plain().defined(); });
            for (const cublas_lt::Algorithm& kernel : problem.kernels(handle)) {
                const double ms = fastest_ms(scratch, best.ms, [&] { return problem.run(handle, kernel); });
                if (ms >= (best.kernel ? best.ms : best.plain_ms * kWorthIt)) continue;
                best.ms = ms;
                best.kernel = kernel;
            }
        } catch (const c10::OutOfMemoryError&) {  // no room to measure in
        }
        return best;
    }

    const cublas_lt::Library* const lt_;
    std::mutex mutex_;
    std::map<int, cublas_lt::Handle> handles_;
    std::map<Key, Chosen> chosen_;
};

Table& table() {
    static Table* const all = new Table;  // handles outlive what may still use them at the process's end
    return *all;
}

}  // namespace

at::Tensor tuned_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                         at::ScalarType dtype, const std::function<at::Tensor()>& plain) {
    at::Tensor out = table().run(x, weight, bias, dtype, plain);
    return out.defined() ? out : plain();
}

std::vector<std::string> tuned_products() {
    return table().lines();
}

}  // namespace tritonsmith::model
