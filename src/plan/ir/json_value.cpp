#include <cmath>
#include <limits>

#include "base/text.h"
#include "plan/ir/json.h"
#include "plan/ir/json_parts.h"
#include "plan/ir/json_where.h"

namespace tritonsmith::plan {
namespace {

constexpr int kMaxNesting = 16;
constexpr size_t kMaxItems = 100000;
constexpr size_t kMaxText = size_t{1} << 20;

double read_float(const Json& json, const Where& where) {
    if (json.is_number()) return json.get<double>();
    if (!json.is_object()) refuse(where, std::string("must be a number, found ") + json.type_name());
    Object object(json, where);
    const std::string& name = read_string(object.need("float"), where / "float", 4);
    object.end();
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "-inf") return -std::numeric_limits<double>::infinity();
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    refuse(where / "float", "must be \"inf\", \"-inf\" or \"nan\"");
}

std::vector<int64_t> read_integers(const Json& json, const Where& where, size_t max_items) {
    std::vector<int64_t> out;
    for (const Json& item : read_array(json, where, max_items))
        out.push_back(read_integer(item, where[out.size()]));
    return out;
}

Value read(const Json& json, const Where& where, int depth);

List read_list(const Json& json, const Where& where, int depth) {
    List out;
    for (const Json& item : read_array(json, where, kMaxItems))
        out.push_back(read(item, where[out.size()], depth));
    return out;
}

Dict read_dict(const Json& json, const Where& where, int depth) {
    Dict dict;
    for (const Json& pair : read_array(json, where, kMaxItems)) {
        Where item = where[dict.items.size()];
        if (read_array(pair, item, 2).size() != 2) refuse(item, "must be [\"key\", value]");
        dict.items.emplace_back(read_string(pair[0], item, kMaxText), read(pair[1], item, depth));
    }
    return dict;
}

Descriptor read_descriptor(const Json& json, const Where& where) {
    Object object(json, where);
    Descriptor descriptor;
    descriptor.base = read_tensor(object.need("base"), where / "base");
    descriptor.block = read_integers(object.need("block"), where / "block", 8);
    if (const Json* padding = object.maybe("padding"))
        descriptor.padding = read_string(*padding, where / "padding", 16);
    object.end();
    return descriptor;
}

Value read_symbol(Symbol::Kind kind, const Json& json, const Where& where) {
    return {Symbol{kind, read_string(json, where, 64)}};
}

Value read_tagged(const Json& json, const Where& where, int depth) {
    if (json.size() != 1) refuse(where, "must be an object with one key that names its kind");
    const std::string& tag = json.begin().key();
    const Json& body = *json.begin();
    Where inside = where / tag;
    if (tag == "tensor") return {read_tensor(body, inside)};
    if (tag == "tuple") return {Sequence{read_list(body, inside, depth), true}};
    if (tag == "float") return {read_float(json, where)};
    if (tag == "dtype") return read_symbol(Symbol::Kind::dtype, body, inside);
    if (tag == "device") return read_symbol(Symbol::Kind::device, body, inside);
    if (tag == "layout") return read_symbol(Symbol::Kind::layout, body, inside);
    if (tag == "memory_format") return read_symbol(Symbol::Kind::memory_format, body, inside);
    if (tag == "generator") return read_symbol(Symbol::Kind::generator, body, inside);
    if (tag == "dict") return {read_dict(body, inside, depth)};
    if (tag == "descriptor") return {read_descriptor(body, inside)};
    if (tag == "complex") {
        if (read_array(body, inside, 2).size() != 2) refuse(inside, "must be [real, imaginary]");
        return {std::complex<double>(read_float(body[0], inside[0]), read_float(body[1], inside[1]))};
    }
    if (tag == "pointer") {
        Object object(body, inside);
        Pointer pointer;
        pointer.buffer = read_int(object.need("buffer"), inside / "buffer", 0, kMaxId);
        pointer.offset = read_integer(object.need("offset"), inside / "offset");
        object.end();
        return {pointer};
    }
    refuse(where, "unknown kind of value \"" + shortened(tag, 64) + "\"");
}

Value read(const Json& json, const Where& where, int depth) {
    if (depth >= kMaxNesting) refuse(where, "nested deeper than " + std::to_string(kMaxNesting));
    switch (json.type()) {
        case Json::value_t::null:
            return {};
        case Json::value_t::boolean:
            return {json.get<bool>()};
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
            return {read_integer(json, where)};
        case Json::value_t::number_float:
            return {json.get<double>()};
        case Json::value_t::string:
            return {read_string(json, where, kMaxText)};
        case Json::value_t::array:
            return {Sequence{read_list(json, where, depth + 1), false}};
        case Json::value_t::object:
            return read_tagged(json, where, depth + 1);
        default:
            refuse(where, "not a JSON value");
    }
}

Json float_json(double value) {
    if (std::isfinite(value)) return value;
    return {{"float", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

Json list_json(const List& list) {
    Json out = Json::array();
    for (const Value& value : list) out.push_back(to_json(value));
    return out;
}

const char* symbol_tag(Symbol::Kind kind) {
    switch (kind) {
        case Symbol::Kind::dtype:
            return "dtype";
        case Symbol::Kind::device:
            return "device";
        case Symbol::Kind::layout:
            return "layout";
        case Symbol::Kind::memory_format:
            return "memory_format";
        case Symbol::Kind::generator:
            return "generator";
    }
    return "";
}

struct Writer {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(int64_t value) const { return value; }
    Json operator()(double value) const { return float_json(value); }
    Json operator()(const std::complex<double>& value) const {
        Json parts = Json::array({float_json(value.real()), float_json(value.imag())});
        return {{"complex", parts}};
    }
    Json operator()(const std::string& value) const { return value; }
    Json operator()(const Tensor& value) const { return {{"tensor", tensor_json(value)}}; }
    Json operator()(const Symbol& value) const { return {{symbol_tag(value.kind), value.text}}; }
    Json operator()(const Sequence& value) const {
        if (!value.tuple) return list_json(value.items);
        return {{"tuple", list_json(value.items)}};
    }
    Json operator()(const Dict& value) const {
        Json items = Json::array();
        for (const auto& [key, item] : value.items) {
            Json pair = Json::array();
            pair.push_back(key);
            pair.push_back(to_json(item));
            items.push_back(std::move(pair));
        }
        return {{"dict", items}};
    }
    Json operator()(const Pointer& value) const {
        return {{"pointer", {{"buffer", value.buffer}, {"offset", value.offset}}}};
    }
    Json operator()(const Descriptor& value) const {
        return {{"descriptor",
                 {{"base", tensor_json(value.base)}, {"block", value.block}, {"padding", value.padding}}}};
    }
};

}  // namespace

Tensor read_tensor(const Json& json, const Where& where) {
    Object object(json, where);
    Tensor tensor;
    tensor.buffer = read_int(object.need("buffer"), where / "buffer", 0, kMaxId);
    const std::string& name = read_string(object.need("dtype"), where / "dtype", 16);
    auto dtype = dtype_from_name(name);
    if (!dtype) refuse(where / "dtype", "unknown dtype \"" + name + "\"");
    tensor.dtype = *dtype;
    tensor.shape = read_integers(object.need("shape"), where / "shape", kMaxRank);
    tensor.stride = read_integers(object.need("stride"), where / "stride", kMaxRank);
    if (tensor.stride.size() != tensor.shape.size())
        refuse(where / "stride", "has " + std::to_string(tensor.stride.size()) + " items, shape has " +
                                     std::to_string(tensor.shape.size()));
    tensor.offset = read_integer(object.need("offset"), where / "offset");
    object.end();
    return tensor;
}

Json tensor_json(const Tensor& tensor) {
    return {{"buffer", tensor.buffer},
            {"dtype", dtype_name(tensor.dtype)},
            {"shape", tensor.shape},
            {"stride", tensor.stride},
            {"offset", tensor.offset}};
}

Value read_value(const Json& json, const Where& where) {
    return read(json, where, 0);
}

List read_values(const Json& json, const Where& where) {
    return read_list(json, where, 1);
}

Value value_from_json(const Json& json, const std::string& where) {
    return read(json, Where(where), 0);
}

Json to_json(const Value& value) {
    return std::visit(Writer{}, value.v);
}

}  // namespace tritonsmith::plan
