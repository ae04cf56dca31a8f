#include "text/fields.h"

#include "text/unicode.h"

namespace tritonsmith::text {

std::string one_line(std::string text) {
    constexpr size_t most = 2000;
    if (text.size() > most) text.resize(most);
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
    std::string buffer;
    return std::string(utf8_lossy(text, buffer));
}

void Field::fail(const std::string& what) const {
    throw InputError(one_line(name_ + (name_.ends_with(' ') ? "" : ": ") + what));
}

Field Field::at(const char* key) const {
    object();
    const auto found = value_->find(key);
    if (found == value_->end()) fail(std::string("the field \"") + key + "\" is missing");
    return {*found, name_ + (name_.ends_with(' ') ? "" : ".") + key};
}

bool Field::has(const char* key) const {
    object();
    const auto found = value_->find(key);
    return found != value_->end() && !found->is_null();
}

const std::string& Field::string() const {
    if (!value_->is_string()) fail(std::string("must be a string, and is ") + value_->type_name());
    return value_->get_ref<const std::string&>();
}

bool Field::boolean() const {
    if (!value_->is_boolean()) fail(std::string("must be true or false, and is ") + value_->type_name());
    return value_->get<bool>();
}

int64_t Field::integer(int64_t least, int64_t most) const {
    const std::string range =
        "must be an integer from " + std::to_string(least) + " to " + std::to_string(most);
    if (!value_->is_number_integer()) fail(range);
    if (value_->is_number_unsigned() && value_->get<uint64_t>() > static_cast<uint64_t>(most)) fail(range);
    const auto number = value_->get<int64_t>();
    if (number < least || number > most) fail(range);
    return number;
}

const Field& Field::array() const {
    if (!value_->is_array()) fail(std::string("must be an array, and is ") + value_->type_name());
    return *this;
}

const Field& Field::object() const {
    if (!value_->is_object()) fail(std::string("must be an object, and is ") + value_->type_name());
    return *this;
}

}  // namespace tritonsmith::text
