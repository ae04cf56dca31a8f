#pragma once

#include <filesystem>
#include <string>

namespace tritonsmith::ttir {

/// A fresh folder that is removed at the end of the test.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Runs a script of tests/ttir_corpus with the Python that has triton; returns its exit code. `environment`:
/// NAME=VALUE words.
int run_corpus_script(const std::string& script_and_arguments, const std::string& environment = "");

std::string read_file(const std::filesystem::path& path);

}  // namespace tritonsmith::ttir
