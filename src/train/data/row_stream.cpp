#include "train/data/row_stream.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace tritonsmith::train {
namespace fs = std::filesystem;

RowStream::RowStream(std::vector<fs::path> files, uint64_t seed) : files_(std::move(files)), seed_(seed) {
    seek(0);
}

void RowStream::seek(int64_t epoch, const RowPlace& place) {
    order_ = shuffled(files_.size(), seed_, static_cast<uint64_t>(epoch));
    file_ = place.file;
    reader_.reset();
    if (place.line == 0) return;
    reader_.emplace(files_[order_[static_cast<size_t>(file_)]]);
    while (reader_->line() < place.line)
        if (!reader_->next())
            throw InputError(
                fmt::format("{}: has {} lines, and the run that goes on had read {}; was it changed?",
                            reader_->path().string(), reader_->line(), place.line));
}

std::optional<Row> RowStream::next() {
    while (static_cast<size_t>(file_) < files_.size()) {
        if (!reader_) reader_.emplace(files_[order_[static_cast<size_t>(file_)]]);
        while (std::optional<std::string> line = reader_->next()) {
            if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
            return Row{std::move(*line), fmt::format("{}:{}", reader_->path().string(), reader_->line())};
        }
        reader_.reset();
        ++file_;
    }
    return std::nullopt;
}

RowPlace RowStream::place() const {
    return {file_, reader_ ? reader_->line() : 0};
}

std::vector<size_t> shuffled(size_t count, uint64_t seed, uint64_t number) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    Random random(seed, number);
    for (size_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
    return order;
}

std::vector<fs::path> matching_files(const std::string& pattern) {
    const fs::path path(pattern);
    const std::string name = path.filename().string();
    if (name.find_first_of("*?[") == std::string::npos) {
        if (!fs::is_regular_file(path)) throw InputError(pattern + ": there is no such file");
        return {path};
    }
    std::vector<fs::path> files;
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file() &&
            ::fnmatch(name.c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0)
            files.push_back(entry.path());
    if (files.empty()) throw InputError(pattern + ": no file matches");
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tritonsmith::train
