#pragma once

#include <string>

namespace tritonsmith::bench {

/// For text and quoted attributes of HTML and SVG.
inline std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

}  // namespace tritonsmith::bench
