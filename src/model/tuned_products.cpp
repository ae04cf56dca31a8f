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

#if __has_include(<cublasLt.h>)
#include "model/cublas_lt.h"
#include "model/cuda_operators.h"

namespace tritonsmith::model {
namespace {

constexpr int64_t kFewestRows = 64;  ///< below it products wait for weights, whichever kernel reads them
constexpr size_t kWorkspace = size_t{32} << 20;
constexpr int64_t kScratch = int64_t{128} << 20;  ///< more than second caches hold
constexpr int kKernels = 16, kRepeats = 5;
constexpr double kWorthIt = 0.98;  ///< of PyTorch's time: what is no faster than this is not taken
constexpr uintptr_t kAlignment = 256;

cudaDataType_t cuda_dtype(at::ScalarType dtype) {
    if (dtype == at::kFloat) return CUDA_R_32F;
    return dtype == at::kHalf ? CUDA_R_16F : CUDA_R_16BF;
}

/// cuBLASLt counts by columns: its D is the transpose of ours, [outputs, rows].
class Problem {
  public:
    Problem(const CublasLt& lt, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
            at::Tensor& out)
        : lt_(lt), x_(x), weight_(weight), out_(out) {
        const cublasOperation_t transposed = CUBLAS_OP_T;
        ok_ = good(lt.cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F)) &&
              set(CUBLASLT_MATMUL_DESC_TRANSA, transposed) &&
              layout(a_, weight, weight.size(1), weight.size(0)) && layout(b_, x, x.size(1), x.size(0)) &&
              layout(d_, out, out.size(1), out.size(0));
        if (bias.defined()) {
            const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
            const void* at = bias.const_data_ptr();
            ok_ = ok_ && set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue) &&
                  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, at);
        }
    }
    ~Problem() {
        for (cublasLtMatrixLayout_t one : {a_, b_, d_})
            if (one != nullptr) lt_.cublasLtMatrixLayoutDestroy(one);
        if (operation_ != nullptr) lt_.cublasLtMatmulDescDestroy(operation_);
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    std::vector<cublasLtMatmulAlgo_t> kernels(cublasLtHandle_t handle) const {
        cublasLtMatmulPreference_t wish = nullptr;
        std::vector<cublasLtMatmulHeuristicResult_t> found(kKernels);
        int count = 0;
        if (!ok_ || !good(lt_.cublasLtMatmulPreferenceCreate(&wish))) return {};
        const bool asked =
            good(lt_.cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                          &kWorkspace, sizeof(kWorkspace))) &&
            good(lt_.cublasLtMatmulAlgoGetHeuristic(handle, operation_, a_, b_, d_, d_, wish, kKernels,
                                                    found.data(), &count));
        lt_.cublasLtMatmulPreferenceDestroy(wish);
        std::vector<cublasLtMatmulAlgo_t> out;
        for (int i = 0; asked && i < count; ++i)
            if (good(found[static_cast<size_t>(i)].state)) out.push_back(found[static_cast<size_t>(i)].algo);
        return out;
    }

    /// @return whether the kernel takes it
    bool run(cublasLtHandle_t handle, const cublasLtMatmulAlgo_t& kernel) {
        if (!ok_) return false;
        const float one = 1, zero = 0;
        const at::Tensor workspace =
            at::empty({static_cast<int64_t>(kWorkspace)}, x_.options().dtype(at::kByte));
        void* out = out_.mutable_data_ptr();
        return good(lt_.cublasLtMatmul(handle, operation_, &one, weight_.const_data_ptr(), a_,
                                       x_.const_data_ptr(), b_, &zero, out, d_, out, d_, &kernel,
                                       workspace.mutable_data_ptr(), kWorkspace,
                                       static_cast<cudaStream_t>(current_stream(x_.device()))));
    }

  private:
    static bool good(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS; }
    template <class Value>
    bool set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
        return good(lt_.cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof(value)));
    }
    bool layout(cublasLtMatrixLayout_t& to, const at::Tensor& matrix, int64_t rows, int64_t columns) {
        return good(lt_.cublasLtMatrixLayoutCreate(&to, cuda_dtype(matrix.scalar_type()),
                                                   static_cast<uint64_t>(rows),
                                                   static_cast<uint64_t>(columns), matrix.stride(0)));
    }

    const CublasLt& lt_;
    const at::Tensor &x_, &weight_;
    at::Tensor& out_;
    cublasLtMatmulDesc_t operation_ = nullptr;
    cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
    bool ok_ = false;
};

/// Milliseconds of the fastest of some calls that find a cold cache; infinite where one is refused.
double fastest_ms(const at::Tensor& scratch, const std::function<bool()>& call) {
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
        if (i > 0) best = std::min(best, before.elapsedTime(after));  // the first loads the kernel
    }
    return best;
}

class Table {
  public:
    Table() : lt_(CublasLt::find()) {}

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
        const cublasLtHandle_t handle = handle_of(x.device().index());
        auto found = chosen_.find(key);
        if (handle == nullptr || (found == chosen_.end() && capturing(x))) return {};
        at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options().dtype(dtype));
        Problem problem(*lt_, x, weight, bias, out);
        if (found == chosen_.end()) found = chosen_.emplace(key, choose(handle, problem, x, plain)).first;
        const std::optional<cublasLtMatmulAlgo_t> kernel = found->second.kernel;
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
        std::optional<cublasLtMatmulAlgo_t> kernel;  ///< none: PyTorch's
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
        return lt_->is_capturing(current_stream(x.device()), &status) != 0 || status != 0;
    }

    cublasLtHandle_t handle_of(int device) {
        const auto [at, added] = handles_.emplace(device, nullptr);
        if (added && lt_->cublasLtCreate(&at->second) != CUBLAS_STATUS_SUCCESS) at->second = nullptr;
        return at->second;
    }

    Chosen choose(cublasLtHandle_t handle, Problem& problem, const at::Tensor& x,
                  const std::function<at::Tensor()>& plain) {
        Chosen best;
        best.rows = x.size(0);
        try {
            const at::Tensor scratch = at::empty({kScratch}, x.options().dtype(at::kByte));
            best.ms = best.plain_ms = fastest_ms(scratch, [&] { return plain().defined(); });
            for (const cublasLtMatmulAlgo_t& kernel : problem.kernels(handle)) {
                const double ms = fastest_ms(scratch, [&] { return problem.run(handle, kernel); });
                if (ms >= (best.kernel ? best.ms : best.plain_ms * kWorthIt)) continue;
                best.ms = ms;
                best.kernel = kernel;
            }
        } catch (const c10::OutOfMemoryError&) {  // no room to measure in
        }
        return best;
    }

    const CublasLt* const lt_;
    std::mutex mutex_;
    std::map<int, cublasLtHandle_t> handles_;
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

#else

namespace tritonsmith::model {

at::Tensor tuned_product(const at::Tensor&, const at::Tensor&, const at::Tensor&, at::ScalarType,
                         const std::function<at::Tensor()>& plain) {
    return plain();
}

std::vector<std::string> tuned_products() {
    return {};
}

}  // namespace tritonsmith::model

#endif
