#include "model/operators.h"

#include <ATen/EmptyTensor.h>

#include <array>
#include <atomic>
#include <vector>

#include "base/error.h"
#include "model/cpu/kernels.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::model {
namespace {

/// Without torch's dispatcher, which takes longer than some operators take for one row.
at::Tensor floats(int64_t rows, int64_t width) {
    return at::detail::empty_cpu({rows, width}, at::kFloat);
}

/// Elements below which a second thread costs more than it saves.
constexpr int64_t worth_a_thread = 1 << 15;

/// f(first row, last row), on several threads if the rows are large enough in total.
template <class Function>
void for_rows(int64_t rows, int64_t width, const Function& f) {
    parallel_for(rows, std::max<int64_t>(1, worth_a_thread / std::max<int64_t>(1, width)), f);
}

void multiply(const Matrix& weight, const Product& product) {
    const CpuKernels& kernels = cpu_kernels();
    switch (weight.dtype()) {
        case at::kFloat:
            return kernels.product_f32(product);
        case at::kBFloat16:
            return kernels.product_bf16(product);
        case at::kChar:
            return kernels.product_i8(product);
        default:
            throw InputError("weights on the CPU must be float32, bfloat16 or int8");
    }
}

/// Weights as float32, one row. @param row of weight.dtype()
void widen(const Matrix& weight, int64_t index, const void* row, float* to) {
    const int64_t width = weight.inputs();
    if (weight.dtype() == at::kFloat)
        std::copy_n(static_cast<const float*>(row), width, to);
    else if (weight.dtype() == at::kBFloat16)
        cpu_kernels().widen_bf16(row, width, to);
    else
        cpu_kernels().widen_i8(row, weight.scales.const_data_ptr<float>()[index], width, to);
}

const float* data_or_null(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

/// Remembers which weights were read after which, since a model reads them in the same order for every token.
/// Thread-safe; a lost update only costs a prefetch.
class ReadingOrder {
  public:
    /// Announces what was read after these the last time.
    void reads(const void* from, int64_t bytes) {
        thread_local const void* before = nullptr;
        After& after_before = after(before);
        after_before.before.store(before, std::memory_order_relaxed);
        after_before.from.store(from, std::memory_order_relaxed);
        after_before.bytes.store(bytes, std::memory_order_relaxed);
        before = from;
        const After& next = after(from);
        if (next.before.load(std::memory_order_relaxed) == from)
            expect_to_read(next.from.load(std::memory_order_relaxed),
                           next.bytes.load(std::memory_order_relaxed));
    }

  private:
    struct After {
        std::atomic<const void*> before = nullptr, from = nullptr;
        std::atomic<int64_t> bytes = 0;
    };
    After& after(const void* weights) {
        return after_[reinterpret_cast<uintptr_t>(weights) / 1024 % after_.size()];
    }
    std::array<After, 1021> after_;
};

/// A row in the form for products with tiles, kept by the thread that prepared it.
struct PreparedRow {
    std::vector<char> memory;
    uint64_t product = 0;  ///< that it was prepared for

    static PreparedRow& of_this_thread() {
        thread_local PreparedRow row;
        return row;
    }
};

class CpuOperators : public Operators {
  public:
    at::ScalarType activations(at::ScalarType) const override { return at::kFloat; }

    at::Tensor embedding(const Matrix& table, const at::Tensor& tokens, at::ScalarType) const override {
        const int64_t n = tokens.size(0), width = table.inputs();
        at::Tensor out = floats(n, width);
        const auto* token = tokens.const_data_ptr<int64_t>();
        for (int64_t i = 0; i < n; ++i)
            if (token[i] < 0 || token[i] >= table.outputs())
                throw InputError("token " + std::to_string(token[i]) + " is not in the vocabulary of " +
                                 std::to_string(table.outputs()));
        float* to = out.mutable_data_ptr<float>();
        const bool tiled = table.tiles.defined();
        const auto bytes = width * static_cast<int64_t>(c10::elementSize(table.dtype()));
        const char* from = tiled ? nullptr : static_cast<const char*>(table.values.const_data_ptr());
        for_rows(n, width, [&](int64_t first, int64_t last) {
            std::vector<char> row(tiled ? static_cast<size_t>(bytes) : 0);
            for (int64_t i = first; i < last; ++i) {
                if (tiled) untile_row(table.tiles, token[i], row.data());
                widen(table, token[i], tiled ? row.data() : from + token[i] * bytes, to + i * width);
            }
        });
        return out;
    }

    at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) const override {
        at::Tensor out = floats(x.size(0), x.size(1));
        const int64_t width = x.size(1);
        const float *from = x.const_data_ptr<float>(), *weights = weight.const_data_ptr<float>();
        float* to = out.mutable_data_ptr<float>();
        for_rows(x.size(0), width, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i)
                cpu_kernels().rms_norm(from + i * width, weights, epsilon, width, to + i * width);
        });
        return out;
    }

    at::Tensor add_rms_norm(at::Tensor& residual, const at::Tensor& x, const at::Tensor& weight,
                            double epsilon) const override {
        cpu_kernels().add(residual.mutable_data_ptr<float>(), x.const_data_ptr<float>(), x.numel());
        return rms_norm(residual, weight, epsilon);
    }

    void rotate(at::Tensor& qkv, const Heads& heads, const at::Tensor& q_norm, const at::Tensor& k_norm,
                double epsilon, const RopeAngles& angles, const PagedCache* cache) const override {
        const int64_t width = heads.width, rotated = heads.queries + heads.keys;
        const float* norms[2] = {q_norm.defined() ? q_norm.const_data_ptr<float>() : nullptr,
                                 k_norm.defined() ? k_norm.const_data_ptr<float>() : nullptr};
        const float *cos = angles.cos.const_data_ptr<float>(), *sin = angles.sin.const_data_ptr<float>();
        const int64_t* rows = angles.rows.defined() ? angles.rows.const_data_ptr<int64_t>() : nullptr;
        float* data = qkv.mutable_data_ptr<float>();
        for_rows(qkv.size(0), heads.row(), [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i) {
                const int64_t angle = (rows != nullptr ? rows[i] : i) * (width / 2);
                for (int64_t h = 0; h < rotated; ++h) {
                    float* head = data + i * heads.row() + h * width;
                    const float* norm = norms[h < heads.queries ? 0 : 1];
                    if (norm != nullptr) cpu_kernels().rms_norm(head, norm, epsilon, width, head);
                    cpu_kernels().rotate(head, cos + angle, sin + angle, width);
                }
            }
        });
        if (cache != nullptr) store(qkv, heads, *cache);
    }

    static void store(const at::Tensor& qkv, const Heads& heads, const PagedCache& cache) {
        const int64_t token = heads.keys * heads.width, block_size = cache.keys.size(1);
        const auto* slots = cache.slots.const_data_ptr<int64_t>();
        const float* from = qkv.const_data_ptr<float>();
        const auto put = [&](const at::Tensor& pages, int64_t row, int64_t first) {
            float* to = pages.mutable_data_ptr<float>() + slots[row] / block_size * pages.stride(0) +
                        slots[row] % block_size * token;
            std::copy_n(from + row * heads.row() + first * heads.width, token, to);
        };
        for (int64_t i = 0; i < qkv.size(0); ++i) {
            if (slots[i] < 0) continue;
            put(cache.keys, i, heads.queries);
            put(cache.values, i, heads.queries + heads.keys);
        }
    }

    at::Tensor silu_mul(const at::Tensor& gate_up) const override {
        const int64_t width = gate_up.size(1) / 2;
        at::Tensor out = floats(gate_up.size(0), width);
        const float* from = gate_up.const_data_ptr<float>();
        float* to = out.mutable_data_ptr<float>();
        for_rows(gate_up.size(0), 8 * width, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i)
                cpu_kernels().silu_mul(from + i * 2 * width, from + i * 2 * width + width, width,
                                       to + i * width);
        });
        return out;
    }

    at::Tensor linear(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                      at::ScalarType) const override {
        at::Tensor out = floats(x.size(0), weight.outputs());
        if (weight.tiles.defined())
            multiply_tiles(x, weight, bias, out);
        else
            multiply_rows(x, weight, bias, out);
        return out;
    }

  private:
    static void multiply_rows(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                              at::Tensor& out) {
        Product product;
        product.x = x.const_data_ptr<float>();
        product.w = weight.values.const_data_ptr();
        product.scales = data_or_null(weight.scales);
        product.bias = data_or_null(bias);
        product.y = out.mutable_data_ptr<float>();
        product.rows = x.size(0);
        product.inputs = weight.inputs();
        product.x_stride = x.stride(0);
        product.y_stride = weight.outputs();
        // Whole groups of outputs for each thread; a row's sums are the same wherever they are computed.
        constexpr int64_t group = 16;
        const int64_t groups = (weight.outputs() + group - 1) / group;
        for_rows(groups, group * weight.inputs() * (x.size(0) + 1) / 2, [&](int64_t first, int64_t last) {
            Product part = product;
            part.begin = first * group;
            part.end = std::min(last * group, weight.outputs());
            multiply(weight, part);
        });
    }

    static void multiply_tiles(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                               at::Tensor& out) {
        const TileKernels& kernels = *tile_kernels(weight.dtype());
        TileProduct product;
        product.x = x.const_data_ptr<float>();
        product.rows = x.size(0);
        product.inputs = weight.inputs();
        product.x_stride = x.stride(0);
        product.tiles = weight.tiles.tiles.const_data_ptr();
        product.scales = data_or_null(weight.scales);
        product.bias = data_or_null(bias);
        product.y = out.mutable_data_ptr<float>();
        product.outputs = weight.outputs();
        const int64_t bytes = kernels.prepared_bytes(product.rows, product.inputs);
        // The number of panels that the kernels process at once.
        constexpr int64_t together = 4;
        const int64_t panels = weight.tiles.tiles.size(0), groups = (panels + together - 1) / together;
        const auto multiply = [&](int64_t first, int64_t last) {
            kernels.multiply(product, first * together, std::min(last * together, panels));
        };
        if (product.rows == 1)
            return multiply_one_row(kernels, product, weight, bytes, groups, together, panels);
        const at::Tensor prepared = at::detail::empty_cpu({bytes}, at::kByte);
        product.prepared = prepared.mutable_data_ptr();
        for_rows(product.rows, product.inputs,
                 [&](int64_t first, int64_t last) { kernels.prepare(product, first, last); });
        for_rows(groups, together * tile_outputs * product.inputs * (product.rows + 15) / 16, multiply);
    }

    /// Each thread prepares the row for itself while its first weights are prefetched.
    static void multiply_one_row(const TileKernels& kernels, const TileProduct& product, const Matrix& weight,
                                 int64_t bytes, int64_t groups, int64_t together, int64_t panels) {
        static std::atomic<uint64_t> products = 0;
        static ReadingOrder order;
        order.reads(product.tiles, weight.tiles.tiles.nbytes());
        const uint64_t id = products.fetch_add(1, std::memory_order_relaxed) + 1;
        for_rows(groups, together * tile_outputs * product.inputs, [&](int64_t first, int64_t last) {
            TileProduct part = product;
            PreparedRow& scratch = PreparedRow::of_this_thread();
            const bool prepared = scratch.product == id;
            if (!prepared) kernels.fetch(product, first * together);
            if (static_cast<int64_t>(scratch.memory.size()) < bytes + 64)
                scratch.memory.resize(static_cast<size_t>(bytes + 64));
            char* memory = scratch.memory.data();
            part.prepared = memory + (64 - reinterpret_cast<uintptr_t>(memory) % 64) % 64;
            if (!prepared) kernels.prepare(part, 0, 1);
            scratch.product = id;
            kernels.multiply(part, first * together, std::min(last * together, panels));
        });
    }
};

}  // namespace

const Operators& cpu_operators() {
    static const CpuOperators operators;
    return operators;
}

}  // namespace tritonsmith::model
