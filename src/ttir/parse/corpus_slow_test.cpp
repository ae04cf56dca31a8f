/// The text of every kernel of tests/ttir_corpus is read and printed, and Triton compiles what was printed to
/// the same PTX. With TRITONSMITH_DEV_DATA (a folder with tritonbench_dev.jsonl) also what those programs
/// launch.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ttir/parse/corpus_testing.h"
#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::ttir {

TemporaryFolder::TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "ttir_corpus_XXXXXX";
    if (!mkdtemp(name.data())) ADD_FAILURE() << "no temporary folder";
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

int run_corpus_script(const std::string& script_and_arguments, const std::string& environment) {
    std::string command = environment +
                          " " TRITONSMITH_PYTHON " -W ignore " TRITONSMITH_SOURCE_DIR "/tests/ttir_corpus/" +
                          script_and_arguments;
    int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

namespace {

/// Reads and prints every text of a folder into another; returns how many there were.
int reprint(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::create_directories(to);
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(from)) {
        SCOPED_TRACE(entry.path().filename());
        try {
            Module module = parse(read_file(entry.path()));
            std::string text = print(module);
            EXPECT_EQ(print(parse(text)), text);
            std::ofstream(to / entry.path().filename()) << text;
        } catch (const ParseError& error) {
            ADD_FAILURE() << error.what();
        }
        ++count;
    }
    return count;
}

TEST(CorpusSlow, CompilesToTheSamePtx) {
    TemporaryFolder folder;
    ASSERT_EQ(run_corpus_script("generate.py " + (folder.path() / "texts").string()), 0);
    EXPECT_GE(reprint(folder.path() / "texts", folder.path() / "printed"), 250);
    EXPECT_EQ(run_corpus_script("ptx.py " + (folder.path() / "texts").string() + " " +
                                (folder.path() / "printed").string()),
              0);
}

/// Operations that Triton 3.6 knows but seldom prints: testdata/rare_sm90.ttir has them.
TEST(CorpusSlow, TritonReadsWhatIsPrinted) {
    TemporaryFolder folder;
    std::filesystem::path texts = TRITONSMITH_SOURCE_DIR "/src/ttir/testdata";
    EXPECT_GE(reprint(texts, folder.path()), 20);
    EXPECT_EQ(run_corpus_script("ptx.py --read " + texts.string() + " " + folder.path().string()), 0);
}

TEST(CorpusSlow, ProgramsOfTheDevelopmentData) {
    const char* data = std::getenv("TRITONSMITH_DEV_DATA");
    if (!data) GTEST_SKIP() << "TRITONSMITH_DEV_DATA names no folder";
    TemporaryFolder folder;
    std::filesystem::path texts = folder.path() / "texts", printed = folder.path() / "printed";
    std::string package = std::string("TRITONSMITH_PACKAGE=") + TRITONSMITH_BINARY_DIR + "/package";
    ASSERT_EQ(run_corpus_script(
                  "foreign.py " + std::string(data) + "/tritonbench_dev.jsonl " + texts.string(), package),
              0);
    EXPECT_GE(reprint(texts, printed), 100);
    // Compiling all of them takes long: every tenth.
    std::string names;
    int i = 0;
    for (const auto& entry : std::filesystem::directory_iterator(texts)) {
        if (i++ % 10 == 0) names += " " + entry.path().filename().string();
    }
    EXPECT_EQ(run_corpus_script("ptx.py " + texts.string() + " " + printed.string() + names), 0);
}

}  // namespace
}  // namespace tritonsmith::ttir
