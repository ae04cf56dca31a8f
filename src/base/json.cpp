#include "base/json.h"

#include <unordered_set>

namespace tritonsmith {
namespace {

/// A first reading that builds nothing. (nlohmann's parse callback would do it in one, but is quadratic in an
/// array's length.)
class Inspector : public nlohmann::json_sax<Json> {
  public:
    explicit Inspector(const JsonLimits& limits) : limits_(limits) {}

    bool null() override { return one(); }
    bool boolean(bool) override { return one(); }
    bool number_integer(number_integer_t) override { return one(); }
    bool number_unsigned(number_unsigned_t) override { return one(); }
    bool number_float(number_float_t, const string_t&) override { return one(); }
    bool string(string_t&) override { return one(); }
    bool binary(binary_t&) override { return false; }
    bool start_array(std::size_t) override { return deeper(); }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return deeper();
    }
    bool end_object() override {
        --depth_;
        keys_.pop_back();
        return true;
    }
    /// Two readings of one key are two plans: whoever looked at the other would be deceived.
    bool key(string_t& name) override { return keys_.back().insert(name).second && one(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

  private:
    bool one() { return ++values_ <= limits_.values; }
    bool deeper() { return ++depth_ <= limits_.depth && one(); }

    const JsonLimits limits_;
    int depth_ = 0;
    int64_t values_ = 0;
    std::vector<std::unordered_set<std::string>> keys_;
};

}  // namespace

std::string dump(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::optional<Json> parse_untrusted_json(std::string_view text, const JsonLimits& limits) {
    if (static_cast<int64_t>(text.size()) > limits.bytes) return std::nullopt;
    Inspector inspector(limits);
    if (!Json::sax_parse(text, &inspector)) return std::nullopt;
    Json result = Json::parse(text, nullptr, false);
    if (result.is_discarded()) return std::nullopt;
    return result;
}

}  // namespace tritonsmith
