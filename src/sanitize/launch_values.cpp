#include "sanitize/launch_values.h"

#include <cmath>
#include <limits>

namespace tritonsmith::sanitize {
namespace {

int64_t element_bytes(const std::string& dtype) {
    if (dtype == "b1" || dtype.starts_with("f8")) return 1;
    const size_t digit = dtype.find_first_of("0123456789");
    if (digit == std::string::npos) throw InputError("'" + dtype + "' is not an element type");
    return std::stoi(dtype.substr(digit)) / 8;
}

ttir::PointerArgument pointer_to(const Json& tensor, const std::vector<ttir::Buffer*>& buffers) {
    return {buffers.at(tensor.at("buffer")),
            tensor.at("offset").get<int64_t>() * element_bytes(tensor.at("dtype"))};
}

double named_float(const std::string& name) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return name == "inf" ? infinity : name == "-inf" ? -infinity : std::nan("");
}

}  // namespace

ttir::Argument argument_of(const Json& value, const std::vector<ttir::Buffer*>& buffers) {
    if (value.is_boolean()) return int64_t{value.get<bool>()};
    if (value.is_number_integer()) return value.get<int64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.contains("float")) return named_float(value["float"]);
    if (value.contains("tensor")) return pointer_to(value["tensor"], buffers);
    if (value.contains("pointer"))
        return ttir::PointerArgument{buffers.at(value["pointer"].at("buffer")),
                                     value["pointer"].at("offset")};
    const Json& descriptor = value.at("descriptor");
    const Json& base = descriptor.at("base");
    return ttir::DescriptorArgument{pointer_to(base, buffers), base.at("shape"), base.at("stride"),
                                    descriptor.at("block"), descriptor.at("padding") == "nan"};
}

}  // namespace tritonsmith::sanitize
