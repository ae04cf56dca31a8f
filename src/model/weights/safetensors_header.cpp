#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "model/weights/safetensors.h"

namespace tritonsmith::model {
namespace {

constexpr const char* fix = "; download it again";

int64_t bits_of(const std::string& dtype) {
    static const std::map<std::string, int64_t> bits = {
        {"F64", 64},    {"I64", 64},    {"U64", 64},    {"C64", 64},    {"F32", 32},
        {"I32", 32},    {"U32", 32},    {"F16", 16},    {"I16", 16},    {"U16", 16},
        {"BF16", 16},   {"I8", 8},      {"U8", 8},      {"BOOL", 8},    {"F8_E4M3", 8},
        {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4}};
    const auto found = bits.find(dtype);
    return found == bits.end() ? 0 : found->second;
}

/// -1 where it does not fit into 62 bits.
int64_t bytes_of(const std::vector<int64_t>& shape, int64_t bits) {
    int64_t product = bits;
    for (int64_t size : shape)
        if (size == 0) return 0;
    for (int64_t size : shape)
        if (__builtin_mul_overflow(product, size, &product) || product >= int64_t{1} << 62) return -1;
    return (product + 7) / 8;
}

bool whole_numbers(const Json& json) {
    return json.is_array() && std::ranges::all_of(json, [](const Json& item) {
               return item.is_number_unsigned() && item.get<uint64_t>() < uint64_t{1} << 62;
           });
}

TensorEntry read_entry(const Json& json, const std::string& where, int64_t data_bytes) {
    const auto wrong = [&](const std::string& what) { return InputError(where + ": " + what + fix); };
    if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
        !json.contains("data_offsets"))
        throw wrong("dtype, shape or data_offsets is missing");
    TensorEntry entry;
    if (!json["dtype"].is_string()) throw wrong("dtype is not a string");
    entry.dtype = json["dtype"].get<std::string>();
    const int64_t bits = bits_of(entry.dtype);
    if (bits == 0) throw wrong("dtype \"" + shortened(entry.dtype, 40) + "\" is unknown");
    if (!whole_numbers(json["shape"]) || json["shape"].size() > 8)
        throw wrong("shape is not a list of at most 8 integers");
    entry.shape = json["shape"].get<std::vector<int64_t>>();
    const Json& offsets = json["data_offsets"];
    if (!whole_numbers(offsets) || offsets.size() != 2) throw wrong("data_offsets is not two integers");
    entry.begin = offsets[0].get<int64_t>();
    entry.end = offsets[1].get<int64_t>();
    if (entry.begin > entry.end || entry.end > data_bytes)
        throw wrong(fmt::format(
            "data_offsets [{}, {}] are outside of the file's {} bytes of data (was it truncated?)",
            entry.begin, entry.end, data_bytes));
    if (bytes_of(entry.shape, bits) != entry.end - entry.begin)
        throw wrong(fmt::format("{} bytes do not fit its shape and dtype", entry.end - entry.begin));
    return entry;
}

void refuse_overlaps(const std::map<std::string, TensorEntry>& entries, const std::string& where) {
    std::vector<std::pair<const TensorEntry*, const std::string*>> order;
    for (const auto& [name, entry] : entries)
        if (entry.end > entry.begin) order.emplace_back(&entry, &name);
    std::ranges::sort(order, {}, [](const auto& item) { return item.first->begin; });
    for (size_t i = 1; i < order.size(); ++i)
        if (order[i].first->begin < order[i - 1].first->end)
            throw InputError(fmt::format("{}: tensors {} and {} overlap{}", where, *order[i - 1].second,
                                         *order[i].second, fix));
}

}  // namespace

std::map<std::string, TensorEntry> parse_safetensors_header(std::string_view header, int64_t bytes,
                                                            const std::string& where) {
    // A tensor takes about twelve values; no model has a hundred thousand tensors.
    const auto json = parse_untrusted_json(header, {.bytes = 100'000'000, .depth = 8, .values = 1 << 21});
    if (!json || !json->is_object()) throw InputError(where + ": the header is not valid JSON" + fix);
    std::map<std::string, TensorEntry> entries;
    const int64_t data_bytes = bytes - 8 - static_cast<int64_t>(header.size());
    for (const auto& [name, value] : json->items())
        if (name != "__metadata__")
            entries.emplace(name, read_entry(value, fmt::format("{}: tensor {}", where, shortened(name, 200)),
                                             data_bytes));
    refuse_overlaps(entries, where);
    return entries;
}

}  // namespace tritonsmith::model
