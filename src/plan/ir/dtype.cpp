#include <array>

#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

struct DtypeEntry {
    const char* name;
    int bytes;
    bool floating;
};
// In the order of the enumeration.
constexpr std::array<DtypeEntry, 19> kTypes{{{"f64", 8, true},
                                             {"f32", 4, true},
                                             {"f16", 2, true},
                                             {"bf16", 2, true},
                                             {"f8e4m3fn", 1, true},
                                             {"f8e5m2", 1, true},
                                             {"f8e4m3fnuz", 1, true},
                                             {"f8e5m2fnuz", 1, true},
                                             {"i64", 8, false},
                                             {"i32", 4, false},
                                             {"i16", 2, false},
                                             {"i8", 1, false},
                                             {"u64", 8, false},
                                             {"u32", 4, false},
                                             {"u16", 2, false},
                                             {"u8", 1, false},
                                             {"b1", 1, false},
                                             {"c64", 8, false},
                                             {"c128", 16, false}}};
static_assert(kTypes.size() == static_cast<size_t>(DType::c128) + 1);

const DtypeEntry& entry(DType dtype) {
    return kTypes.at(static_cast<size_t>(dtype));
}

void collect(const Value& value, std::vector<Tensor>& out) {
    if (const auto* tensor = std::get_if<Tensor>(&value.v)) {
        out.push_back(*tensor);
    } else if (const auto* sequence = std::get_if<Sequence>(&value.v)) {
        for (const Value& item : sequence->items) collect(item, out);
    } else if (const auto* dict = std::get_if<Dict>(&value.v)) {
        for (const auto& [key, item] : dict->items) collect(item, out);
    } else if (const auto* descriptor = std::get_if<Descriptor>(&value.v)) {
        out.push_back(descriptor->base);
    }
}

}  // namespace

const char* dtype_name(DType dtype) {
    return entry(dtype).name;
}
int element_size(DType dtype) {
    return entry(dtype).bytes;
}
bool is_floating(DType dtype) {
    return entry(dtype).floating;
}

std::optional<DType> dtype_from_name(std::string_view name) {
    for (size_t i = 0; i < kTypes.size(); ++i)
        if (name == kTypes[i].name) return static_cast<DType>(i);
    return std::nullopt;
}

std::vector<Tensor> tensors_in(const Value& value) {
    std::vector<Tensor> out;
    collect(value, out);
    return out;
}

std::vector<Tensor> tensors_in(const List& list) {
    std::vector<Tensor> out;
    for (const Value& value : list) collect(value, out);
    return out;
}

}  // namespace tritonsmith::plan
