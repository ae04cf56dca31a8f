#include "bench/report/filled_page.h"

namespace tritonsmith::bench {

std::string embedded(const Json& value) {
    std::string out;
    for (const char c : dump(value)) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string filled_page(std::string_view page, const std::map<std::string, std::string>& parts) {
    std::string out;
    for (size_t at = 0;;) {
        const size_t open = page.find("{{", at), close = page.find("}}", open);
        if (close == std::string_view::npos) return out += page.substr(at);
        out += page.substr(at, open - at);
        out += parts.at(std::string(page.substr(open + 2, close - open - 2)));
        at = close + 2;
    }
}

}  // namespace tritonsmith::bench
