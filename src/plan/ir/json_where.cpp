#include "plan/ir/json_where.h"

#include "base/text.h"

namespace tritonsmith::plan {

int64_t read_integer(const Json& json, const Where& where) {
    if (!json.is_number_integer())
        refuse(where, std::string("must be an integer, found ") + json.type_name());
    if (json.is_number_unsigned() && json.get<uint64_t>() > uint64_t{INT64_MAX})
        refuse(where, "integer beyond 64 bits");
    return json.get<int64_t>();
}

int read_int(const Json& json, const Where& where, int low, int high) {
    int64_t value = read_integer(json, where);
    if (value < low || value > high)
        refuse(where, "must be between " + std::to_string(low) + " and " + std::to_string(high) + ", found " +
                          std::to_string(value));
    return static_cast<int>(value);
}

const std::string& read_string(const Json& json, const Where& where, size_t max_bytes) {
    if (!json.is_string()) refuse(where, std::string("must be a string, found ") + json.type_name());
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() > max_bytes) refuse(where, "longer than " + std::to_string(max_bytes) + " bytes");
    return text;
}

bool read_bool(const Json& json, const Where& where) {
    if (!json.is_boolean()) refuse(where, std::string("must be true or false, found ") + json.type_name());
    return json.get<bool>();
}

const Json& read_array(const Json& json, const Where& where, size_t max_items) {
    if (!json.is_array()) refuse(where, std::string("must be a list, found ") + json.type_name());
    if (json.size() > max_items) refuse(where, "more than " + std::to_string(max_items) + " items");
    return json;
}

const Json& read_object(const Json& json, const Where& where) {
    if (!json.is_object()) refuse(where, std::string("must be an object, found ") + json.type_name());
    return json;
}

const Json& Object::need(const char* key) {
    const Json* value = maybe(key);
    if (!value) refuse(where_, std::string("missing \"") + key + "\"");
    return *value;
}

const Json* Object::maybe(const char* key) {
    known_.insert(key);
    auto it = json_.find(key);
    if (it == json_.end()) return nullptr;
    ++used_;
    return &*it;
}

void Object::end() const {
    if (used_ == json_.size()) return;
    for (const auto& item : json_.items())
        if (!known_.count(item.key())) refuse(where_, "unknown key \"" + shortened(item.key(), 64) + "\"");
}

}  // namespace tritonsmith::plan
