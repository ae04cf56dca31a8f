#include "model/json_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tritonsmith::model {

JsonFields::JsonFields(const Json& object, std::string where) : object_(&object), where_(std::move(where)) {
    if (!object.is_object()) wrong("not a JSON object");
}

void JsonFields::wrong(const std::string& what) const {
    throw InputError(where_ + ": " + what);
}

bool JsonFields::has(const char* name) const {
    const auto found = object_->find(name);
    return found != object_->end() && !found->is_null();
}

const Json& JsonFields::value(const char* name) const {
    const auto found = object_->find(name);
    if (found == object_->end() || found->is_null()) wrong(fmt::format("no field {}", name));
    return *found;
}

int64_t JsonFields::integer(const char* name, int64_t least, int64_t most) const {
    const Json& field = value(name);
    const bool huge = field.is_number_unsigned() && field.get<uint64_t>() > uint64_t{1} << 62;
    if (!field.is_number_integer() || huge || field.get<int64_t>() < least || field.get<int64_t>() > most)
        wrong(fmt::format("{} must be an integer from {} to {}", name, least, most));
    return field.get<int64_t>();
}

int64_t JsonFields::integer_or(const char* name, int64_t otherwise, int64_t least, int64_t most) const {
    return has(name) ? integer(name, least, most) : otherwise;
}

double JsonFields::number(const char* name, double least, double most) const {
    const Json& field = value(name);
    const double number = field.is_number() ? field.get<double>() : NAN;
    if (!(number >= least && number <= most))
        wrong(fmt::format("{} must be a number from {} to {}", name, least, most));
    return number;
}

double JsonFields::number_or(const char* name, double otherwise, double least, double most) const {
    return has(name) ? number(name, least, most) : otherwise;
}

bool JsonFields::boolean_or(const char* name, bool otherwise) const {
    if (!has(name)) return otherwise;
    const Json& field = value(name);
    if (!field.is_boolean()) wrong(fmt::format("{} must be true or false", name));
    return field.get<bool>();
}

std::string JsonFields::text(const char* name) const {
    const Json& field = value(name);
    if (!field.is_string()) wrong(fmt::format("{} must be a string", name));
    return field.get<std::string>();
}

std::string JsonFields::text_or(const char* name, const std::string& otherwise) const {
    return has(name) ? text(name) : otherwise;
}

JsonFields JsonFields::object(const char* name) const {
    return {value(name), where_ + ": " + name};
}

}  // namespace tritonsmith::model
