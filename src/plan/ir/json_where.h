#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tritonsmith::plan {

/// The path of a JSON field for error messages, as a chain on the stack: nothing is allocated until something
/// is wrong.
class Where {
  public:
    explicit Where(std::string_view root) : name_(root) {}
    Where operator/(std::string_view key) const { return {this, key, -1}; }
    Where operator[](size_t index) const { return {this, {}, static_cast<int64_t>(index)}; }
    int depth() const { return depth_; }

    std::string text() const {
        if (!parent_) return std::string(name_);
        std::string before = parent_->text();
        if (index_ >= 0) return before + "[" + std::to_string(index_) + "]";
        return before.empty() ? std::string(name_) : before + "." + std::string(name_);
    }

  private:
    Where(const Where* parent, std::string_view name, int64_t index)
        : parent_(parent), name_(name), index_(index), depth_(parent->depth_ + 1) {}
    const Where* parent_ = nullptr;
    std::string_view name_;
    int64_t index_ = -1;
    int depth_ = 0;
};

[[noreturn]] inline void refuse(const Where& where, const std::string& what) {
    throw InputError("plan: " + (where.text().empty() ? "" : where.text() + ": ") + what);
}

/// Checked reads of one JSON value. @throws InputError naming the field.
int64_t read_integer(const Json& json, const Where& where);
int read_int(const Json& json, const Where& where, int low, int high);
const std::string& read_string(const Json& json, const Where& where, size_t max_bytes);
bool read_bool(const Json& json, const Where& where);
const Json& read_array(const Json& json, const Where& where, size_t max_items);
const Json& read_object(const Json& json, const Where& where);

/// An object whose keys are all to be used: `end` refuses those that nobody asked for.
class Object {
  public:
    Object(const Json& json, const Where& where) : json_(read_object(json, where)), where_(where) {}
    const Where& where() const { return where_; }
    const Json& need(const char* key);
    const Json* maybe(const char* key);
    void end() const;

  private:
    const Json& json_;
    const Where& where_;
    size_t used_ = 0;
    std::set<std::string_view> known_;
};

}  // namespace tritonsmith::plan
