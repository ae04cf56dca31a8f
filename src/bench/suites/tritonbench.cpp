#include <fmt/format.h>

#include "base/error.h"
#include "base/process/files.h"
#include "bench/suites/family.h"
#include "bench/suites/readers.h"
#include "bench/suites/rows.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

/// The suite's own file in a checkout or in its data folder.
fs::path suite_file(const fs::path& path, char part) {
    if (!fs::is_directory(path)) return path;
    for (const char* folder : {"data", "."})
        for (const char* ending : {"json", "jsonl"})
            if (const fs::path file = path / folder / fmt::format("TritonBench_{}_v1.{}", part, ending);
                fs::is_regular_file(file))
                return file;
    throw InputError(fmt::format(
        "{}: no TritonBench_{}_v1.json; name a checkout of TritonBench, its data folder, or a JSONL file",
        path.string(), part));
}

std::string first_text(const Json& row, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (std::string text = text_of(row, key); !text.empty()) return text;
    return "";
}

/// The repaired programs were made for ROCm, and name its device functions; NVIDIA's have the same names.
std::string for_nvidia(std::string program) {
    constexpr std::string_view rocm = "extra.hip.libdevice", ours = "extra.cuda.libdevice";
    for (size_t at = 0; (at = program.find(rocm, at)) != std::string::npos; at += ours.size())
        program.replace(at, rocm.size(), ours);
    return program;
}

/// The golden program and its tests: repaired ones (seeded, returning what they compute) where the row has
/// them, else the row's own, else the checkout's file.
std::shared_ptr<const TestedProgram> tested_program(const Json& row, const fs::path& file) {
    for (const char* key : {"code_repaired", "code", "output"})
        if (std::optional<TestedProgram> found = split_program(for_nvidia(text_of(row, key))))
            return std::make_shared<const TestedProgram>(std::move(*found));
    if (!fs::is_regular_file(file)) return nullptr;
    std::optional<TestedProgram> found = split_program(read_file(file, "program", int64_t{1} << 20));
    return found ? std::make_shared<const TestedProgram>(std::move(*found)) : nullptr;
}

/// TritonBench-G's instruction, the longer one; of -T what its prompt is made of.
std::string instruction_of(const Json& row) {
    if (std::string text = first_text(
            row, {"complex_instruction", "comp_instru", "instruction", "simple_instruction", "simp_instru"});
        !text.empty())
        return text;
    std::string out;
    for (const auto& [key, title] :
         {std::pair("description", "Functional description"), std::pair("func_inputs", "Wrapper entry"),
          std::pair("math", "Math"), std::pair("other", "Other")})
        if (const std::string text = text_of(row, key); !text.empty())
            out += fmt::format("{}: {}\n", title, text);
    return out;
}

}  // namespace

std::vector<Problem> read_tritonbench(const fs::path& path, char part) {
    const std::string suite = part == 'G' ? "tritonbench-g" : "tritonbench-t";
    const fs::path file = suite_file(path, part);
    std::vector<Problem> out;
    for (const Row& row : read_rows(file)) {
        const std::string of = text_of(row.json, "suite");
        if (!of.empty() && of != suite) continue;  // a file with both
        Problem one;
        one.suite = suite;
        one.name = fs::path(first_text(row.json, {"file", "name"})).stem().string();
        if (one.name.empty())
            throw InputError(fmt::format("{}:{}: needs \"file\" or \"name\"", file.string(), row.line));
        one.id = fmt::format("{}-{}", part, one.name);
        one.difficulty = text_of(row.json, "difficulty");
        const std::string code = first_text(row.json, {"torch_code", "code", "output"});
        one.family = family_of(code);
        one.no_task = "a program with tests, and no task: give its task with --tasks";
        one.instruction = instruction_of(row.json);
        one.tested = tested_program(
            row.json, file.parent_path() / fmt::format("TritonBench_{}_v1", part) / (one.name + ".py"));
        for (const char* key : {"code", "output", "instruction", "simple_instruction", "complex_instruction",
                                "simp_instru", "comp_instru", "description"})
            if (std::string text = text_of(row.json, key); !text.empty()) one.keys.push_back(std::move(text));
        out.push_back(std::move(one));
    }
    if (out.empty()) throw InputError(fmt::format("{}: no problems of {}", file.string(), suite));
    return out;
}

}  // namespace tritonsmith::bench
