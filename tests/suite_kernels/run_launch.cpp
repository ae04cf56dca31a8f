// run_launch KERNEL.ttir LAUNCH.json: runs one launch in our interpreter and prints its report as JSON.
// LAUNCH:
// {"buffers":[{"file":PATH,"address":n}...],"args":[VALUE...],"grid":[x,y,z],"sample":[program...],"seconds":limit,
//  "threads":n,"repeat":n}; times are medians over the repetitions.
// VALUEs as in docs/plan.md: numbers, tensors, pointers and descriptors. Files hold the buffers' bytes and
// receive what the kernel made of them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>

#include "sanitize/launch_values.h"
#include "ttir/parse/parser.h"

using namespace tritonsmith;
using namespace tritonsmith::ttir;

namespace {

using Buffers = std::vector<std::unique_ptr<Buffer>>;

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Buffers load_buffers(const Json& described) {
    Buffers buffers;
    for (const Json& b : described) {
        const std::string bytes = contents(b.at("file"));
        buffers.push_back(std::make_unique<Buffer>(static_cast<int64_t>(bytes.size()), b.at("address"),
                                                   "buffer " + std::to_string(buffers.size())));
        std::memcpy(buffers.back()->data(), bytes.data(), bytes.size());
        buffers.back()->mark_all_written();
    }
    return buffers;
}

LaunchOptions options_of(const Json& spec) {
    LaunchOptions options;
    options.threads = spec.value("threads", 2);
    if (spec.contains("sample")) options.sample = spec["sample"].get<std::vector<int64_t>>();
    if (spec.contains("seconds"))
        options.deadline =
            std::chrono::steady_clock::now() + std::chrono::seconds(spec["seconds"].get<int64_t>());
    return options;
}

Json described(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& f : findings)
        out.push_back(f.reason + ": " + f.message + " (line " + std::to_string(f.line) + ")");
    return out;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

int run(const std::string& kernel, const std::string& launch) {
    const Program program(std::make_shared<Module>(parse(contents(kernel))));
    const Json spec = Json::parse(contents(launch));
    const Buffers buffers = load_buffers(spec.at("buffers"));
    std::vector<Argument> arguments;
    std::vector<Buffer*> known;
    for (const std::unique_ptr<Buffer>& buffer : buffers) known.push_back(buffer.get());
    for (const Json& value : spec.at("args")) arguments.push_back(sanitize::argument_of(value, known));
    const LaunchOptions options = options_of(spec);
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
    for (size_t i = 0; i < buffers.size(); ++i)
        std::ofstream(spec["buffers"][i].at("file").get<std::string>(), std::ios::binary)
            .write(reinterpret_cast<const char*>(buffers[i]->data()), buffers[i]->bytes());
    std::puts(Json({{"seconds", median(wall)},
                    {"cpu_seconds", median(cpu)},
                    {"findings", described(report.findings)},
                    {"warnings", described(report.warnings)},
                    {"unsupported", report.unsupported},
                    {"timed_out", report.timed_out}})
                  .dump()
                  .c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: run_launch KERNEL.ttir LAUNCH.json\n", stderr);
        return 2;
    }
    try {
        return run(argv[1], argv[2]);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "run_launch: %s\n", e.what());
        return 2;
    }
}
