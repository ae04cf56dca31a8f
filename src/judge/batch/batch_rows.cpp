#include "judge/batch/batch_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/hash.h"
#include "base/json.h"
#include "base/process/files.h"
#include "base/text.h"

namespace tritonsmith::judge {
namespace {

constexpr int64_t kMostRowBytes = int64_t{1} << 30;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

/// The four digits of a \u escape; -1 where there is none.
int unicode_escape(std::string_view text, size_t at) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
    int value = 0;
    for (size_t i = at + 2; i < at + 6; ++i) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

bool is_high(int unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(int unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

/// JSON text in which bytes that are no UTF-8, and halves of surrogate pairs (which Python's json writes),
/// are U+FFFD.
std::string with_replacements(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        size_t length = utf8_length(text, i);
        bool kept = length > 0;
        if (text[i] == '\\') {
            const int unit = unicode_escape(text, i);
            const bool pair = is_high(unit) && is_low(unicode_escape(text, i + 6));
            kept = pair || (!is_high(unit) && !is_low(unit));
            // Of any other escape two bytes, so that "\\\\u" is none: what follows it is text again.
            length = pair ? 12 : !kept ? 6 : 1 + (i + 1 < text.size() && utf8_length(text, i + 1) == 1);
        }
        out += kept ? text.substr(i, length) : kReplacement;
        i += std::max<size_t>(length, 1);
    }
    return out;
}

/// A candidate that came as something else than text stays no text, so that the judge says so.
std::string as_no_text(std::string text) {
    for (size_t at = 0; (at = text.find(kReplacement, at)) != std::string::npos; ++at)
        text.replace(at, kReplacement.size(), "\xff");
    return text;
}

class RowReader {
  public:
    /// @throws InputError for what is not such a row
    BatchRow read(const std::string& line) {
        BatchRow row;
        bool replaced = false;
        std::optional<Json> json = parse_untrusted_json(line);
        if (!json) {
            json = parse_untrusted_json(with_replacements(line));
            replaced = true;
        }
        if (!json || !json->is_object())
            throw InputError("not a JSON object: give {\"task\": ..., \"candidate\": ...}");
        const bool coded = json->contains("code") && !(*json)["code"].is_null();
        row.task_spec = name_in(*json, "task", replaced);
        row.candidate = name_in(*json, "candidate", replaced);
        if (row.task_spec.empty()) throw InputError("\"task\" is missing");
        if (row.candidate.empty() != coded)
            throw InputError("give either \"candidate\" (a file) or \"code\" (its text)");
        if (coded) {
            if (!(*json)["code"].is_string()) throw InputError("\"code\" must be a string");
            row.code = (*json)["code"].get<std::string>();
            if (replaced) row.code = as_no_text(row.code);
        }
        return row;
    }

    /// Of the row's task and candidate. @throws InputError
    void load(BatchRow& row) {
        std::shared_ptr<const task::Task>& task = tasks_[row.task_spec];
        if (!task) task = std::make_shared<const task::Task>(task::load(row.task_spec));
        if (!row.candidate.empty()) (void)row.text();
        row.task = task;
    }

  private:
    static std::string name_in(const Json& row, const char* field, bool replaced) {
        const auto found = row.find(field);
        if (found == row.end()) return "";
        if (!found->is_string() || found->get_ref<const std::string&>().empty())
            throw InputError(fmt::format("\"{}\" must be a string that is not empty", field));
        const std::string& text = found->get_ref<const std::string&>();
        if (replaced && text.find(kReplacement) != std::string::npos)
            throw InputError(fmt::format("\"{}\" is not UTF-8 text", field));
        return text;
    }

    std::map<std::string, std::shared_ptr<const task::Task>> tasks_;
};

}  // namespace

std::string BatchRow::name() const {
    return candidate.empty() ? fmt::format("row {}", line) : candidate;
}

std::string BatchRow::text() const {
    return candidate.empty() ? code : task::read_candidate(candidate);
}

std::string BatchRow::sha() const {
    return wrong ? "" : sha256(text());
}

std::vector<BatchRow> read_batch(const std::filesystem::path& file, bool keep_going) {
    std::istringstream lines(read_file(file, "batch", kMostRowBytes));
    std::vector<BatchRow> rows;
    RowReader reader;
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        BatchRow row;
        // A row of the wrong form, or with a candidate that is not there, is the batch's fault.
        std::string reason = "bad_row";
        try {
            row = reader.read(line);
            row.line = number;
            reader.load(row);
        } catch (const InputError& error) {
            if (!keep_going) throw InputError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
            if (std::string_view(error.what()).starts_with("task ")) reason = "task_error";
            row.line = number;
            row.wrong = Finding{reason, error.what(), 0, Json::object()};
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) throw InputError(file.string() + ": the batch has no rows");
    return rows;
}

}  // namespace tritonsmith::judge
