#include <cstring>

#include "forge/emit/refused.h"

namespace tritonsmith::forge {
namespace {

template <class T>
T read(const graph::Constant& constant) {
    T out{};
    if (constant.bytes.size() < sizeof(T)) throw Refused("a constant without bytes");
    std::memcpy(&out, constant.bytes.data(), sizeof(T));
    return out;
}

}  // namespace

graph::Number constant_number(const graph::Constant& constant, graph::DType dtype) {
    using graph::DType;
    switch (dtype) {
        case DType::f64:
            return read<double>(constant);
        case DType::f32:
            return static_cast<double>(read<float>(constant));
        case DType::i64:
            return read<int64_t>(constant);
        case DType::i32:
            return int64_t{read<int32_t>(constant)};
        case DType::i16:
            return int64_t{read<int16_t>(constant)};
        case DType::i8:
            return int64_t{read<int8_t>(constant)};
        case DType::u8:
            return int64_t{read<uint8_t>(constant)};
        case DType::b1:
            return read<uint8_t>(constant) != 0;
        case DType::bf16: {
            const uint32_t bits = uint32_t{read<uint16_t>(constant)} << 16;
            float out = 0;
            std::memcpy(&out, &bits, sizeof out);
            return static_cast<double>(out);
        }
        case DType::f16:
            return static_cast<double>(read<_Float16>(constant));
        default:
            throw Refused("a constant of a dtype that kernels do not take");
    }
}

}  // namespace tritonsmith::forge
