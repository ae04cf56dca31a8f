#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tritonsmith::train {

/// The lines of a text file, or of a zstd file (by its ending, .zst), read piece by piece: a file of any size
/// takes the memory of its longest line.
class LineReader {
  public:
    /// @throws InputError if it cannot be read
    explicit LineReader(std::filesystem::path path);
    ~LineReader();
    LineReader(LineReader&&) noexcept;
    LineReader& operator=(LineReader&&) noexcept;

    /// Without its end. Nothing at the file's end. @throws InputError for a damaged file or a line above
    /// 64 MiB
    std::optional<std::string> next();
    /// Lines that were returned.
    int64_t line() const { return line_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    struct Input;
    bool read_more();

    std::filesystem::path path_;
    std::unique_ptr<Input> input_;
    std::string held_;
    size_t begin_ = 0;  ///< of the next line in held_
    int64_t line_ = 0;
};

}  // namespace tritonsmith::train
