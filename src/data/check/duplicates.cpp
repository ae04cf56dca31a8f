#include "data/check/duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_set>

#include "base/error.h"
#include "base/json.h"
#include "base/process/files.h"
#include "base/process/progress.h"
#include "base/zstd.h"
#include "lint/lint.h"

namespace tritonsmith::data {
namespace {

uint64_t form_of(const std::string& code) {
    return std::hash<std::string>()(lint::lint(code, {.normal_form = true}).normal_form);
}

/// Of a row: its task, its first solution, both.
struct Forms {
    uint64_t task, solution, row;
};

struct FileForms {
    std::vector<Forms> forms;
    int64_t solutions = 0;
};

FileForms forms_of(const std::string& path) {
    std::string text = read_file(path, path, int64_t{4} << 30);
    if (path.ends_with(".zst")) text = decompressed(text, path);
    FileForms out;
    int64_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::optional<Json> row = parse_untrusted_json(std::string_view(text).substr(at, end - at));
        at = end + 1;
        ++number;
        try {
            if (!row) throw InputError("not valid JSON");
            const Json& solutions = row->at("solutions");
            Forms forms{form_of(row->at("code").get<std::string>()),
                        form_of(solutions.at(0).at("code").get<std::string>()), 0};
            forms.row = (forms.task ^ (forms.solution >> 7)) * 0x100000001b3ULL + forms.solution;
            out.forms.push_back(forms);
            out.solutions += static_cast<int64_t>(solutions.size());
        } catch (const std::exception& error) {
            throw InputError(fmt::format("{}: row {} is none of data synth: {}", path, number, error.what()));
        }
    }
    return out;
}

}  // namespace

Duplicates count_duplicates(const std::vector<std::string>& files, int threads,
                            const std::atomic<bool>& stopped) {
    Duplicates out;
    std::unordered_set<uint64_t> tasks, solutions, rows;
    std::mutex mutex;
    std::exception_ptr failure;
    std::atomic<size_t> next = 0;
    Progress progress("files", static_cast<int64_t>(files.size()));
    auto work = [&] {
        for (size_t i = next++; i < files.size() && !stopped; i = next++) try {
                const FileForms made = forms_of(files[i]);
                const std::lock_guard lock(mutex);
                out.rows += static_cast<int64_t>(made.forms.size());
                out.solutions += made.solutions;
                for (const Forms& forms : made.forms) {
                    out.same_tasks += !tasks.insert(forms.task).second;
                    out.same_solutions += !solutions.insert(forms.solution).second;
                    out.same_rows += !rows.insert(forms.row).second;
                }
                progress.advance();
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                next = files.size();
            }
    };
    std::vector<std::thread> running;
    for (int i = 0; i < std::max(1, threads); ++i) running.emplace_back(work);
    for (std::thread& thread : running) thread.join();
    if (failure) std::rethrow_exception(failure);
    return out;
}

}  // namespace tritonsmith::data
