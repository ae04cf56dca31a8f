// interpreter_run KERNEL.ttir LAUNCH.json: runs one launch and prints its report as JSON, for
// interpreter_vs_triton.py. LAUNCH:
// {"args":[{"file":PATH}|{"i":n}|{"f":x}...],"grid":[x,y,z],"threads":n,"repeat":n}; files hold raw bytes and
// receive what the kernel wrote.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "ttir/interpreter.h"
#include "ttir/parser.h"

using namespace tritonsmith;
using namespace tritonsmith::ttir;

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

int run(const std::string& kernel, const std::string& launch) {
    const Program program(std::make_shared<Module>(parse(contents(kernel))));
    const Json spec = Json::parse(contents(launch));
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<Argument> arguments;
    std::vector<std::string> files;
    uint64_t address = 0x7f0000000000;
    for (const Json& a : spec.at("args")) {
        if (a.contains("file")) {
            const std::string bytes = contents(a["file"]);
            const auto size = static_cast<int64_t>(bytes.size());
            buffers.push_back(
                std::make_unique<Buffer>(size, address, "argument " + std::to_string(arguments.size())));
            address += (bytes.size() / 0x100000 + 1) * 0x100000;
            std::memcpy(buffers.back()->data(), bytes.data(), bytes.size());
            buffers.back()->mark_all_written();
            arguments.emplace_back(PointerArgument{buffers.back().get(), 0});
            files.push_back(a["file"]);
        } else if (a.contains("i")) {
            arguments.emplace_back(a["i"].get<int64_t>());
        } else {
            arguments.emplace_back(a.at("f").get<double>());
        }
    }
    LaunchOptions options;
    options.threads = spec.value("threads", 2);
    const std::array<int64_t, 3> grid = spec.at("grid");
    std::vector<double> wall, cpu;
    LaunchReport report;
    for (int i = 0; i < std::max(spec.value("repeat", 1), 1); ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t cpu_begin = std::clock();
        report = program.launch(grid, arguments, options);
        cpu.push_back(static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
        wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    for (size_t i = 0; i < files.size(); ++i)
        std::ofstream(files[i], std::ios::binary)
            .write(reinterpret_cast<const char*>(buffers[i]->data()), buffers[i]->bytes());
    Json findings = Json::array();
    for (const Finding& f : report.findings) findings.push_back(f.reason + ": " + f.message);
    std::puts(Json({{"seconds", median(wall)},
                    {"cpu_seconds", median(cpu)},
                    {"findings", findings},
                    {"unsupported", report.unsupported},
                    {"flops", report.flops}})
                  .dump()
                  .c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: interpreter_run KERNEL.ttir LAUNCH.json\n", stderr);
        return 2;
    }
    try {
        return run(argv[1], argv[2]);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "interpreter_run: %s\n", e.what());
        return 2;
    }
}
