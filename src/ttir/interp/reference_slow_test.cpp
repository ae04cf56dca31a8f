/// Operation by operation against Triton: every case of tests/ttir_corpus runs on the same random data under
/// Triton's own interpreter (or a float64 reference where that does not define the operation) and under ours.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "ttir/interp/interpreter.h"
#include "ttir/parse/corpus_testing.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

/// An element as a number, and how many representable values lie between two of them.
struct Format {
    int bytes;
    int exponent = 0, mantissa = 0;  ///< of floats; mantissa 0: integers, compared bit for bit
    bool infinity = true;
};

Format format_of(const std::string& dtype) {
    if (dtype == "f64") return {8, 11, 52};
    if (dtype == "f32") return {4, 8, 23};
    if (dtype == "f16") return {2, 5, 10};
    if (dtype == "bf16") return {2, 8, 7};
    if (dtype == "f8e5m2") return {1, 5, 2};
    if (dtype == "f8e4m3fn") return {1, 4, 3, false};
    return {dtype == "b1" ? 1 : std::stoi(dtype.substr(1)) / 8};
}

uint64_t load_bits(const std::byte* from, int bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, static_cast<size_t>(bytes));
    return bits;
}

double value_of(uint64_t bits, const Format& f) {
    if (f.bytes == 8) return std::bit_cast<double>(bits);
    uint64_t magnitude = bits & ((uint64_t{1} << (f.exponent + f.mantissa)) - 1);
    double sign = bits >> (f.exponent + f.mantissa) ? -1 : 1;
    int exponent = static_cast<int>(magnitude >> f.mantissa), top = (1 << f.exponent) - 1;
    double fraction = static_cast<double>(magnitude & ((uint64_t{1} << f.mantissa) - 1));
    if (f.infinity && exponent == top) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    if (!f.infinity && magnitude == (uint64_t{1} << (f.exponent + f.mantissa)) - 1) return std::nan("");
    int bias = (1 << (f.exponent - 1)) - 1;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - f.mantissa);
    return sign * std::ldexp(fraction + std::ldexp(1.0, f.mantissa), exponent - bias - f.mantissa);
}

int64_t ordinal(uint64_t bits, const Format& f) {
    uint64_t sign = uint64_t{1} << (f.exponent + f.mantissa);
    int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
}

bool close(uint64_t expected, uint64_t found, const Format& f, double ulp, double absolute) {
    if (expected == found) return true;
    if (f.mantissa == 0) return false;
    double a = value_of(expected, f), b = value_of(found, f);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::fabs(a - b) <= absolute) return true;
    return static_cast<double>(std::abs(ordinal(expected, f) - ordinal(found, f))) <= ulp;
}

struct Prepared {
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<Argument> arguments;
    std::vector<int> buffer_of;  ///< of each argument; -1: a scalar
};

Prepared prepare(const Json& description, const std::string& data) {
    Prepared out;
    uint64_t address = uint64_t{1} << 40;
    for (const Json& argument : description["arguments"]) {
        out.buffer_of.push_back(-1);
        if (argument.contains("int")) {
            out.arguments.emplace_back(argument["int"].get<int64_t>());
        } else if (argument.contains("float")) {
            out.arguments.emplace_back(argument["float"].get<double>());
        } else {
            int64_t bytes = argument["bytes"];
            auto& buffer = out.buffers.emplace_back(
                std::make_unique<Buffer>(bytes, address, argument["name"].get<std::string>()));
            address += static_cast<uint64_t>(bytes) + (1 << 20) - static_cast<uint64_t>(bytes) % 512;
            std::memcpy(buffer->data(), data.data() + argument["before"].get<size_t>(),
                        static_cast<size_t>(bytes));
            buffer->mark_all_written();
            out.buffer_of.back() = static_cast<int>(out.buffers.size()) - 1;
            out.arguments.emplace_back(PointerArgument{buffer.get(), 0});
        }
    }
    return out;
}

void run(const Json& description, const std::string& data, const std::string& text) {
    auto module = std::make_shared<const Module>(parse(text));
    Prepared prepared = prepare(description, data);
    LaunchOptions options;
    options.seed = 1;
    options.threads = 2;
    options.allow_int_to_ptr = true;
    options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::array<int64_t, 3> grid = description["grid"];
    LaunchReport report = Program(module).launch(grid, prepared.arguments, options);
    if (std::string refused = description["refused"]; !refused.empty()) {
        // A gap of the interpreter must be said, never a silent wrong result. Once it is filled, `refused`
        // leaves the case.
        bool said = report.unsupported.find(refused) != std::string::npos;
        for (const Finding& finding : report.findings) said |= finding.reason == refused;
        EXPECT_TRUE(said) << "no longer refused: " << refused;
        return;
    }
    ASSERT_EQ(report.unsupported, "");
    ASSERT_FALSE(report.timed_out);
    for (const Finding& finding : report.findings)
        ADD_FAILURE() << finding.reason << ": " << finding.message << " (line " << finding.line << ")";
    for (size_t i = 0; i < prepared.buffer_of.size(); ++i) {
        if (prepared.buffer_of[i] < 0) continue;
        const Json& argument = description["arguments"][i];
        const Buffer& buffer = *prepared.buffers[static_cast<size_t>(prepared.buffer_of[i])];
        Format format = format_of(argument["dtype"]);
        const auto* expected =
            reinterpret_cast<const std::byte*>(data.data()) + argument["after"].get<size_t>();
        int64_t count = argument["bytes"].get<int64_t>() / format.bytes, wrong = 0, first = -1;
        for (int64_t k = 0; k < count; ++k) {
            uint64_t a = load_bits(expected + k * format.bytes, format.bytes),
                     b = load_bits(buffer.data() + k * format.bytes, format.bytes);
            if (close(a, b, format, description["ulp"], description["absolute"])) continue;
            if (wrong++ == 0) first = k;
        }
        if (wrong == 0) continue;
        uint64_t a = load_bits(expected + first * format.bytes, format.bytes),
                 b = load_bits(buffer.data() + first * format.bytes, format.bytes);
        auto shown = [&](uint64_t bits) {
            return format.mantissa ? value_of(bits, format) : static_cast<double>(static_cast<int64_t>(bits));
        };
        ADD_FAILURE() << argument["name"] << ": " << wrong << " of " << count << " elements differ, first at "
                      << first << ": expected " << shown(a) << ", found " << shown(b);
    }
}

TEST(ReferenceSlow, AgreesWithTriton) {
    if (run_corpus_script("reference.py --usable") != 0)
        GTEST_SKIP() << "Triton's interpreter does not work with this numpy: install numpy<2.4";
    TemporaryFolder folder;
    const char* chosen = std::getenv("TRITONSMITH_CASES");  // names, separated by spaces
    std::string only = chosen ? std::string(" ") + chosen : "";
    ASSERT_EQ(run_corpus_script("generate.py " + (folder.path() / "texts").string() + only), 0);
    ASSERT_EQ(run_corpus_script("reference.py " + (folder.path() / "data").string() + only + " > /dev/null"),
              0);
    int runs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "data")) {
        if (entry.path().extension() != ".json") continue;
        Json description = Json::parse(read_file(entry.path()));
        std::string name = description["name"];
        std::string data = read_file(folder.path() / "data" / (name + ".bin"));
        for (int target : description["targets"].get<std::vector<int>>()) {
            std::string file = name + "_sm" + std::to_string(target) + ".ttir";
            SCOPED_TRACE(file);
            run(description, data, read_file(folder.path() / "texts" / file));
            ++runs;
        }
    }
    EXPECT_GE(runs, chosen ? 1 : 250);
}

}  // namespace
}  // namespace tritonsmith::ttir
