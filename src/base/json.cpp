#include "base/json.h"

#include <unordered_set>

namespace tritonsmith {
namespace {

/// Counts before anything is built. Valid JSON has at most one value for each comma, colon or opening
/// bracket, and one more.
bool within(std::string_view text, const JsonLimits& limits) {
    if (static_cast<int64_t>(text.size()) > limits.bytes) return false;
    int depth = 0;
    int64_t values = 1;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            ++values;
            if (++depth > limits.depth) return false;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',') {
            ++values;
        }
    }
    return values <= limits.values;
}

}  // namespace

std::optional<Json> parse_untrusted_json(std::string_view text, const JsonLimits& limits) {
    if (!within(text, limits)) return std::nullopt;
    // Two readings of one key are two plans: whoever looked at the other would be deceived.
    std::vector<std::unordered_set<std::string>> open;
    bool duplicate = false;
    auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end && !open.empty()) open.pop_back();
        if (event == Json::parse_event_t::key && !open.empty())
            duplicate |= !open.back().insert(parsed.get_ref<const std::string&>()).second;
        return true;
    };
    Json result = Json::parse(text, watch, false);
    if (result.is_discarded() || duplicate) return std::nullopt;
    return result;
}

}  // namespace tritonsmith
