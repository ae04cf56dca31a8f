#include "cuda/parameters.h"

#include <fmt/format.h>

#include <optional>

#include "plan/ir/json.h"
#include "ttir/ir/float_bits.h"
#include "ttir/ir/type_text.h"

namespace tritonsmith::cuda {
namespace {

uint64_t start_of(const plan::Tensor& tensor, const AddressOf& address_of) {
    int64_t offset = 0;
    if (tensor.buffer < 0 ||
        __builtin_mul_overflow(tensor.offset, int64_t{plan::element_size(tensor.dtype)}, &offset))
        throw InputError("is a tensor with an impossible buffer or offset");
    return address_of(tensor.buffer) + static_cast<uint64_t>(offset);
}

/// The address that a value is, if it is one: a tensor, a pointer into a buffer, or a bare address.
std::optional<uint64_t> address(const plan::Value& value, const AddressOf& address_of) {
    if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) return start_of(*tensor, address_of);
    if (const auto* pointer = std::get_if<plan::Pointer>(&value.v)) {
        const auto offset = static_cast<uint64_t>(pointer->offset);
        return pointer->buffer < 0 ? offset : address_of(pointer->buffer) + offset;
    }
    if (const auto* number = std::get_if<int64_t>(&value.v)) return static_cast<uint64_t>(*number);
    return std::nullopt;
}

std::optional<double> real(const plan::Value& value) {
    if (const auto* number = std::get_if<double>(&value.v)) return *number;
    if (const auto* number = std::get_if<int64_t>(&value.v)) return static_cast<double>(*number);
    return std::nullopt;
}

bool integer_type(ttir::Scalar scalar) {
    return scalar <= ttir::Scalar::i64;
}
bool float_type(ttir::Scalar scalar) {
    return scalar == ttir::Scalar::f16 || scalar == ttir::Scalar::bf16 || scalar == ttir::Scalar::f32 ||
           scalar == ttir::Scalar::f64;
}

class Packer {
  public:
    Packer(const plan::LaunchStep& launch, const ttir::Function& function, const Json& meta,
           const AddressOf& address_of, const EncodeTensorMap& encode)
        : launch_(launch), function_(function), meta_(meta), address_of_(address_of), encode_(encode) {}

    Parameters pack() {
        if (launch_.args.size() != function_.parameters.size())
            throw InputError(fmt::format("kernel {} has {} parameters and is given {} arguments",
                                         function_.name, function_.parameters.size(), launch_.args.size()));
        for (size_t i = 0; i < launch_.args.size(); ++i) {
            try {
                argument(i);
            } catch (const InputError& error) {
                throw InputError(
                    fmt::format("argument {} of a launch of {} {}", i, function_.name, error.what()));
            }
        }
        return std::move(out_);
    }

  private:
    void argument(size_t i) {
        const ttir::Type& type = function_.values.at(static_cast<size_t>(function_.parameters[i]));
        if (type.is_tensor()) throw InputError("has a type that no kernel parameter has");
        if (type.kind == ttir::Type::Kind::descriptor) return descriptor(i);
        if (type.kind == ttir::Type::Kind::pointer) {
            const auto found = address(launch_.args[i], address_of_);
            if (!found) throw InputError("is no tensor and no pointer");
            return out_.add(*found);
        }
        if (type.kind != ttir::Type::Kind::scalar)
            throw InputError("has a type that no kernel parameter has");
        if (integer_type(type.elem)) return integer(i, ttir::bit_width(type.elem));
        if (!float_type(type.elem)) throw InputError("has a type that no kernel parameter has");
        const auto found = real(launch_.args[i]);
        if (!found) throw InputError("is no number");
        const uint64_t bits = ttir::float_bits(type.elem, *found);
        out_.add(&bits, static_cast<size_t>(ttir::bit_width(type.elem)) / 8);  // little-endian
    }

    /// Little-endian in 1, 2, 4 or 8 bytes; signed and unsigned values of the width pass.
    void integer(size_t i, int width) {
        const auto* flag = std::get_if<bool>(&launch_.args[i].v);
        const auto found = flag ? std::optional<uint64_t>(*flag) : address(launch_.args[i], address_of_);
        if (!found) throw InputError("is no integer");
        const auto value = static_cast<int64_t>(doubled_size(i) ? *found * 2 : *found);
        if (width < 64 && (value < -(int64_t{1} << (width - 1)) || value >= int64_t{1} << width))
            throw InputError(fmt::format("is {}, which an integer of {} bits cannot hold", value, width));
        const uint64_t bits = width == 1 ? static_cast<uint64_t>(value & 1) : static_cast<uint64_t>(value);
        out_.add(&bits, width == 1 ? 1 : static_cast<size_t>(width) / 8);
    }

    void descriptor(size_t i) {
        const auto* found = std::get_if<plan::Descriptor>(&launch_.args[i].v);
        if (!found) throw InputError("is no tensor descriptor");
        const Json meta = meta_.is_array() && descriptors_ < meta_.size() ? meta_[descriptors_] : Json();
        ++descriptors_;
        out_.add(encode_(tensor_map_request(*found, meta, start_of(found->base, address_of_))));
        const Json padded = meta.value("fp4_padded", Json());
        if (padded.is_boolean() && padded.get<bool>()) doubled_ = i + found->base.shape.size();
    }

    /// The descriptor's sizes follow it as integers, of which Triton doubles the last one for padded fp4.
    bool doubled_size(size_t i) const { return doubled_ && *doubled_ == i; }

    const plan::LaunchStep& launch_;
    const ttir::Function& function_;
    const Json& meta_;
    const AddressOf& address_of_;
    const EncodeTensorMap& encode_;
    Parameters out_;
    size_t descriptors_ = 0;
    std::optional<size_t> doubled_;
};

}  // namespace

std::vector<void*> Parameters::addresses() {
    std::vector<void*> result;
    result.reserve(slots_.size() + 2);
    for (Slot& slot : slots_) result.push_back(slot.bytes.data());
    return result;
}

Parameters pack(const plan::LaunchStep& launch, const ttir::Module& module, const Json& tensordesc_meta,
                const AddressOf& address_of, const EncodeTensorMap& encode) {
    const ttir::Function* function = module.entry();
    if (!function) throw InputError("a launch of TTIR without a public function");
    return Packer(launch, *function, tensordesc_meta, address_of, encode).pack();
}

}  // namespace tritonsmith::cuda
