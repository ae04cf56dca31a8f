#include "serve/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace tritonsmith::serve {

Fields::Fields(const std::string& body, size_t max_values) {
    const JsonLimits limits{static_cast<int64_t>(body.size()), 64, static_cast<int64_t>(max_values)};
    std::optional<Json> parsed = parse_untrusted_json(body, limits);
    if (!parsed || !parsed->is_object())
        throw ApiError(400,
                       "the body is not a JSON object in UTF-8 (at most 64 levels deep, no field twice)");
    body_ = std::move(*parsed);
}

const Json* Fields::find(const std::string& name) {
    used_.insert(name);
    const auto found = body_.find(name);
    return found == body_.end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(const std::string& name) const {
    const auto found = body_.find(name);
    return found != body_.end() && !found->is_null();
}

bool Fields::boolean(const std::string& name, bool otherwise) {
    const Json* value = find(name);
    if (!value) return otherwise;
    if (!value->is_boolean()) throw ApiError(400, fmt::format("'{}' must be true or false", name), name);
    return value->get<bool>();
}

double Fields::number(const std::string& name, double otherwise, double least, double most) {
    const Json* value = find(name);
    if (!value) return otherwise;
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most))
        throw ApiError(400, fmt::format("'{}' must be a number from {} to {}", name, least, most), name);
    return value->get<double>();
}

int64_t Fields::integer(const std::string& name, int64_t otherwise, int64_t least, int64_t most) {
    const Json* value = find(name);
    if (!value) return otherwise;
    const bool too_great =
        value->is_number_unsigned() && value->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
    if (!value->is_number_integer() || too_great || value->get<int64_t>() < least ||
        value->get<int64_t>() > most)
        throw ApiError(400, fmt::format("'{}' must be an integer from {} to {}", name, least, most), name);
    return value->get<int64_t>();
}

std::string Fields::text(const std::string& name, const std::string& otherwise) {
    const Json* value = find(name);
    if (!value) return otherwise;
    if (!value->is_string()) throw ApiError(400, fmt::format("'{}' must be a string", name), name);
    return value->get<std::string>();
}

const Json& Fields::any(const std::string& name) {
    static const Json none;
    const Json* value = find(name);
    return value ? *value : none;
}

void Fields::unsupported(const std::string& name, const Json& neutral) {
    const Json* value = find(name);
    if (!value || value->empty() || std::find(neutral.begin(), neutral.end(), *value) != neutral.end())
        return;
    if (value->is_string() && value->get_ref<const std::string&>().empty()) return;
    throw ApiError(400, fmt::format("'{}' is not supported by this server", name), name,
                   "unsupported_parameter");
}

void Fields::refuse_others() const {
    for (const auto& [name, value] : body_.items())
        if (!used_.contains(name))
            throw ApiError(400, fmt::format("unrecognized field '{}'", name), name, "unknown_parameter");
}

}  // namespace tritonsmith::serve
