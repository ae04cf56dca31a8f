// TTIR text: parse and check, print and read again, build the program, and run two of its programs under
// limits.
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "fuzz.h"
#include "ttir/analysis/effects.h"
#include "ttir/interp/interpreter.h"
#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

using namespace tritonsmith;
using namespace tritonsmith::ttir;

namespace {

/// Larger values only cost time: what happens to them happens to smaller ones.
constexpr int64_t kMostElements = 4096, kMostBytes = int64_t{1} << 22;

bool small(const Module& module) {
    int64_t total = 0;
    for (const Function& function : module.functions)
        for (const Type& type : function.values) {
            if (type.is_tensor() && type.count() > kMostElements) return false;
            if (type.pointee && type.pointee->is_tensor() && type.pointee->count() > kMostElements)
                return false;
            total += 8 * (type.is_tensor() ? type.count() : 1);
        }
    return total <= kMostBytes;
}

/// Buffers that are large enough for an honest small kernel, half of them written.
struct Arguments {
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<Argument> list;

    explicit Arguments(const Function& entry) {
        for (ValueId parameter : entry.parameters) {
            const Type& type = entry.values[static_cast<size_t>(parameter)];
            if (type.kind == Type::Kind::pointer) {
                list.emplace_back(PointerArgument{fresh(), 0});
            } else if (type.kind == Type::Kind::descriptor) {
                DescriptorArgument d;
                d.base = {fresh(), 0};
                d.block = type.pointee->shape;
                d.shape.assign(d.block.size(), 16);
                d.stride.assign(d.block.size(), 1);
                for (size_t k = d.block.size(); k-- > 1;) d.stride[k - 1] = d.stride[k] * 16;
                list.emplace_back(std::move(d));
            } else if (type.elem >= Scalar::f8e4m3fn && type.elem <= Scalar::f64) {
                list.emplace_back(1.5);
            } else {
                list.emplace_back(int64_t{16});
            }
        }
    }
    Buffer* fresh() {
        const uint64_t address = 0x7f0000000000 + (buffers.size() << 20);
        buffers.push_back(std::make_unique<Buffer>(1 << 14, address, "b" + std::to_string(buffers.size())));
        Buffer& b = *buffers.back();
        for (int64_t i = 0; i < b.bytes(); ++i) b.data()[i] = static_cast<std::byte>(i % 7);
        if (buffers.size() % 2 == 1) b.mark_all_written();
        return &b;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::shared_ptr<Module> module;
    try {
        module = std::make_shared<Module>(parse({reinterpret_cast<const char*>(data), size}));
    } catch (const ParseError&) {
        return 0;
    }
    const std::string printed = print(*module);
    try {
        fuzz::require(print(parse(printed)) == printed, "what was printed reads as another module");
    } catch (const ParseError& error) {
        std::fprintf(stderr, "%s\n%s\n", error.what(), printed.c_str());
        fuzz::require(false, "what was printed is refused");
    }
    parameter_effects(*module);
    if (!small(*module) || module->entry() == nullptr) return 0;
    const Program program(module);
    Arguments arguments(*module->entry());
    LaunchOptions options;
    options.max_operations_per_program = 1 << 16;
    options.allow_int_to_ptr = size % 2 == 1;
    const LaunchReport report = program.launch({2, 1, 1}, arguments.list, options);
    for (const Finding& finding : report.findings)
        fuzz::require(!finding.reason.empty() && !finding.message.empty(), "a finding without words");
    return 0;
}
