#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::ttir::testing {

/// Buffers and arguments of one kernel under test. Buffers are called "b0", "b1", ...
class Kernel {
  public:
    explicit Kernel(const std::string& text) : program(std::make_shared<Module>(parse(text))) {}

    template <class T>
    Buffer& in(const std::vector<T>& values) {
        Buffer& b = fresh(static_cast<int64_t>(values.size() * sizeof(T)));
        std::memcpy(b.data(), values.data(), values.size() * sizeof(T));
        b.mark_all_written();
        return b;
    }
    template <class T>
    Buffer& out(int64_t count) {
        return fresh(count * static_cast<int64_t>(sizeof(T)));
    }
    Buffer& fresh(int64_t bytes) {
        buffers.push_back(
            std::make_unique<Buffer>(bytes, next_address, "b" + std::to_string(buffers.size())));
        next_address += static_cast<uint64_t>((bytes + 0xFFFFF) & ~int64_t{0xFFFFF}) + 0x100000;
        arguments.emplace_back(PointerArgument{buffers.back().get(), 0});
        return *buffers.back();
    }
    void arg(int64_t v) { arguments.emplace_back(v); }
    void arg(double v) { arguments.emplace_back(v); }

    LaunchReport run(int64_t x = 1, int64_t y = 1, int64_t z = 1) {
        return program.launch({x, y, z}, arguments, options);
    }
    /// Runs and expects nothing wrong.
    LaunchReport clean(int64_t x = 1, int64_t y = 1, int64_t z = 1) {
        LaunchReport r = run(x, y, z);
        for (const Finding& f : r.findings) ADD_FAILURE() << f.reason << ": " << f.message;
        EXPECT_EQ(r.unsupported, "");
        EXPECT_FALSE(r.timed_out);
        EXPECT_EQ(r.programs, options.sample ? static_cast<int64_t>(options.sample->size()) : x * y * z);
        return r;
    }

    Program program;
    LaunchOptions options;
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<Argument> arguments;
    uint64_t next_address = 0x7f0000000000;
};

template <class T>
std::vector<T> values(const Buffer& b) {
    std::vector<T> v(static_cast<size_t>(b.bytes()) / sizeof(T));
    std::memcpy(v.data(), b.data(), v.size() * sizeof(T));
    return v;
}

inline const Finding* find(const std::vector<Finding>& findings, const std::string& reason) {
    for (const Finding& f : findings)
        if (f.reason == reason) return &f;
    return nullptr;
}

/// A kernel of `n` lanes: loads b0[i], b1[i] ... of the types in `in`, runs `body` on %v0, %v1 ..., stores %r
/// of type `out`.
inline std::string elementwise(const std::vector<std::string>& in, const std::string& out,
                               const std::string& body, int n = 64) {
    const std::string size = std::to_string(n);
    std::string params, text;
    for (size_t i = 0; i <= in.size(); ++i) {
        const std::string type = i < in.size() ? in[i] : out;
        params += (i != 0 ? ", " : "") + ("%p" + std::to_string(i)) + ": !tt.ptr<" + type + ">";
    }
    text = "module {\n tt.func public @k(" + params + ") {\n %i = tt.make_range {end = " + size +
           " : i32, start = 0 : i32} : tensor<" + size + "xi32>\n";
    const auto pointer = [&](size_t i, const std::string& type) {
        const std::string k = std::to_string(i), t = "tensor<" + size + "x!tt.ptr<" + type + ">>";
        return " %s" + k + " = tt.splat %p" + k + " : !tt.ptr<" + type + "> -> " + t + "\n %a" + k +
               " = tt.addptr %s" + k + ", %i : " + t + ", tensor<" + size + "xi32>\n";
    };
    for (size_t i = 0; i < in.size(); ++i)
        text += pointer(i, in[i]) + " %v" + std::to_string(i) + " = tt.load %a" + std::to_string(i) +
                " : tensor<" + size + "x!tt.ptr<" + in[i] + ">>\n";
    text += body + "\n" + pointer(in.size(), out) + " tt.store %a" + std::to_string(in.size()) +
            ", %r : tensor<" + size + "x!tt.ptr<" + out + ">>\n tt.return\n }\n}\n";
    return text;
}

}  // namespace tritonsmith::ttir::testing
