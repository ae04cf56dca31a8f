#include "task/row.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <vector>

#include "base/json.h"

namespace tritonsmith::task {
namespace {

/// Levenshtein distance, case ignored.
size_t distance(const std::string& a, const std::string& b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
            size_t cost = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
            diagonal = row[j];
            row[j] = cost;
        }
    }
    return row[b.size()];
}

/// Keeps the few ids nearest to the one that was asked for.
class Nearest {
  public:
    explicit Nearest(const std::string& wanted) : wanted_(wanted) {}
    void offer(const std::string& id) {
        ++rows_;
        if (id.size() > 256 || wanted_.size() > 256) return;
        size_t far = distance(wanted_, id);
        if (id.find(wanted_) != std::string::npos) far = std::min<size_t>(far, 1);
        best_.emplace_back(far, id);
        std::stable_sort(best_.begin(), best_.end(), [](auto& a, auto& b) { return a.first < b.first; });
        if (best_.size() > 3) best_.pop_back();
    }
    std::string text() const {
        std::string names;
        for (const auto& [far, id] : best_) {
            if (far > std::max<size_t>(2, wanted_.size() / 2)) break;
            names += (names.empty() ? "" : ", ") + id;
        }
        std::string rows = " among its " + std::to_string(rows_) + " rows";
        return names.empty() ? rows : rows + "; near: " + names;
    }

  private:
    const std::string& wanted_;
    std::vector<std::pair<size_t, std::string>> best_;
    size_t rows_ = 0;
};

std::string id_of(const Json& row) {
    auto it = row.find("id");
    if (it == row.end()) return "";
    return it->is_string() ? it->get<std::string>() : dump(*it);
}

/// Only lines that hold the id's text are parsed: each row of a batch looks for its own. Nothing where there
/// is none, or one that is written with escapes.
std::optional<Json> row_that_holds(std::istream& file, const std::string& id) {
    std::string line;
    while (std::getline(file, line)) {
        if (line.find(id) == std::string::npos) continue;
        Json row = Json::parse(line, nullptr, false);
        if (row.is_object() && id_of(row) == id) return row;
    }
    return std::nullopt;
}

}  // namespace

Json find_row(const std::filesystem::path& path, const std::string& id) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        throw InputError("task file " + path.string() + ": no such file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError("task file " + path.string() + ": cannot be read; check its permissions");
    if (std::optional<Json> row = row_that_holds(file, id)) return *std::move(row);
    file.clear();
    file.seekg(0);
    Nearest nearest(id);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        std::string where = path.string() + ":" + std::to_string(number);
        Json row;
        try {
            row = Json::parse(line);
        } catch (const Json::parse_error& problem) {
            throw InputError(where + ": not JSON at column " + std::to_string(problem.byte) +
                             "; one object a line is expected");
        }
        if (!row.is_object()) throw InputError(where + ": must be a JSON object, found " + row.type_name());
        std::string here = id_of(row);
        if (here.empty()) throw InputError(where + ": has no \"id\"");
        if (here == id) return row;
        nearest.offer(here);
    }
    throw InputError("task file " + path.string() + ": no row with id \"" + id + "\"" + nearest.text());
}

}  // namespace tritonsmith::task
