#include "bench/suites/rows.h"

#include <fmt/format.h>

#include <optional>

#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::bench {
namespace {

constexpr int64_t kMostRowsBytes = int64_t{2} << 30;

/// An array of a suite is one value of many megabytes.
std::optional<std::vector<Row>> rows_of_array(const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos ||
        text[text.find_first_not_of(" \t\r\n")] != '[')
        return std::nullopt;
    const std::optional<Json> array = parse_untrusted_json(text, {kMostRowsBytes, 256, int64_t{1} << 24});
    if (!array || !array->is_array()) return std::nullopt;
    std::vector<Row> rows;
    for (const Json& one : *array) rows.push_back({static_cast<int>(rows.size()) + 1, one});
    return rows;
}

}  // namespace

std::vector<Row> read_rows(const std::filesystem::path& file) {
    const std::string text = read_file(file, "rows", kMostRowsBytes);
    std::vector<Row> rows;
    if (std::optional<std::vector<Row>> array = rows_of_array(text)) {
        rows = std::move(*array);
    } else {
        int line = 0;
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view one = std::string_view(text).substr(begin, end - begin);
            begin = end + 1;
            ++line;
            if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
            std::optional<Json> json = parse_untrusted_json(one);
            if (!json)
                throw InputError(
                    fmt::format("{}:{}: not JSON; one object a line is expected", file.string(), line));
            rows.push_back({line, std::move(*json)});
        }
    }
    for (const Row& row : rows)
        if (!row.json.is_object())
            throw InputError(fmt::format("{}:{}: must be a JSON object", file.string(), row.line));
    if (rows.empty()) throw InputError(file.string() + ": has no rows");
    return rows;
}

std::string text_of(const Json& row, const char* key) {
    const auto found = row.find(key);
    if (found == row.end()) return "";
    if (found->is_string()) return found->get<std::string>();
    return found->is_number_integer() ? dump(*found) : "";
}

}  // namespace tritonsmith::bench
