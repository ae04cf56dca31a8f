#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/process/files.h"
#include "judge/services/as_written.h"
#include "run/client/pack_writer.h"

namespace tritonsmith::judge {
namespace {

using namespace std::chrono_literals;

const std::string kImports =
    "import torch\nimport triton\nimport triton.language as tl\nfrom torch import nn\n";

std::string forward(const std::string& body) {
    return kImports + "class ModelNew(nn.Module):\n    def forward(self, x):\n        " + body + "\n";
}

class AsWrittenProcess : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        trace::TracerOptions options;
        options.python = TRITONSMITH_PYTHON;
        options.package_dir = std::string(TRITONSMITH_BINARY_DIR) + "/package";
        process_ = new AsWritten(options);
    }
    static void TearDownTestSuite() { delete process_; }

    /// One f32 input [rows, columns], and weights.
    AsWrittenRequest request(const std::string& source, int64_t rows, int64_t columns,
                             const std::map<std::string, std::vector<float>>& weights = {}) {
        AsWrittenRequest request;
        request.source = source;
        request.filename = "candidate.py";
        plan::Tensor tensor;
        tensor.buffer = 0;
        tensor.shape = {rows, columns};
        tensor.stride = {columns, 1};
        request.inputs = {plan::Value{tensor}};
        request.output_bytes = 2 * rows * columns * 4 + 1024;
        run::PackWriter writer;
        writer.add("input/0", plan::DType::f32, {rows, columns});
        for (const auto& [name, values] : weights) {
            writer.add("weight/" + name, plan::DType::f32, {static_cast<int64_t>(values.size())});
            request.links[name] = name;
        }
        writer.map();
        for (int64_t i = 0; i < rows * columns; ++i) {
            input_.push_back(std::sin(static_cast<float>(i)));
            std::memcpy(writer.data(0) + 4 * i, &input_.back(), 4);
        }
        size_t ordinal = 1;
        for (const auto& [name, values] : weights)
            std::memcpy(writer.data(ordinal++), values.data(), 4 * values.size());
        const Json index = writer.index();
        given_ = run::Pack(writer.seal().release(), index);
        request.given = &given_;
        return request;
    }

    Finding finding(const AsWrittenRequest& request) {
        auto result = process_->run(request);
        if (auto* found = std::get_if<Finding>(&result)) return *found;
        ADD_FAILURE() << "the file ran";
        return {};
    }
    std::string how(const AsWrittenRequest& request) {
        const Finding found = finding(request);
        EXPECT_EQ(found.reason, "as_written_failed");
        return found.evidence.value("how", "none");
    }
    std::vector<float> output(const AsWrittenRequest& request) {
        auto result = process_->run(request);
        if (auto* found = std::get_if<Finding>(&result)) {
            ADD_FAILURE() << found->message << found->evidence.dump(1);
            return {};
        }
        const run::Pack& pack = std::get<AsWrittenResult>(result).outputs;
        const run::PackEntry* entry = pack.find("output/0");
        std::vector<float> values(static_cast<size_t>(run::Pack::element_count(*entry)));
        std::memcpy(values.data(), pack.bytes(*entry), 4 * values.size());
        return values;
    }

    static AsWritten* process_;
    run::Pack given_;
    std::vector<float> input_;
};
AsWritten* AsWrittenProcess::process_ = nullptr;

TEST_F(AsWrittenProcess, AnExampleGivesTheRightOutputs) {
    std::vector<float> bias(40);
    for (size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i) / 8;
    AsWrittenRequest what =
        request(read_file(TRITONSMITH_SOURCE_DIR "/examples/kernels/bias_gelu.py", "candidate", 1 << 20), 3,
                40, {{"bias", bias}});
    what.init_inputs = {plan::Value{int64_t{40}}};
    const std::vector<float> found = output(what);
    ASSERT_EQ(found.size(), input_.size());
    for (size_t i = 0; i < found.size(); ++i) {
        const double x = input_[i] + bias[i % 40];
        EXPECT_NEAR(found[i], 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))), 1e-5) << i;
    }
}

TEST_F(AsWrittenProcess, TheDeviceIsChecked) {
    EXPECT_NO_THROW(process_->check("cpu"));
}

TEST_F(AsWrittenProcess, AFileThatLooksAtValuesIsSeenToDoAnotherThing) {
    const std::vector<float> found = output(request(forward("return x + (1 if x[0, 0] == 0 else 0)"), 2, 8));
    ASSERT_EQ(found.size(), 16u);
    EXPECT_EQ(found[0], 1);
}

TEST_F(AsWrittenProcess, ErrorsAreToldWithTheirLine) {
    const Finding found = finding(request(forward("return x.view(7)"), 2, 8));
    EXPECT_EQ(found.evidence.value("how", ""), "run_error");
    EXPECT_EQ(found.line, 7);
    EXPECT_NE(found.message.find("shape '[7]' is invalid"), std::string::npos) << found.message;
}

TEST_F(AsWrittenProcess, AFileThatHangsMeetsItsDeadline) {
    AsWrittenRequest what = request(forward("\n        while True: pass"), 2, 8);
    what.deadline = 3s;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(how(what), "trace_timeout");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST_F(AsWrittenProcess, AFileThatDiesIsNamed) {
    EXPECT_EQ(how(request(forward("import os; os.abort()"), 2, 8)), "trace_crash");
    EXPECT_EQ(how(request(forward("import os; os._exit(0)"), 2, 8)), "trace_protocol");
}

/// Finds the result pipe among its descriptors and answers for itself.
std::string forged(const std::string& answer) {
    return forward(
        "import os, json, struct, stat\n"
        "        body = json.dumps(" +
        answer +
        ").encode()\n"
        "        for fd in range(3, 64):\n"
        "            try:\n"
        "                if stat.S_ISFIFO(os.fstat(fd).st_mode): os.write(fd, struct.pack('<I', len(body)) + "
        "body)\n"
        "            except OSError: pass\n"
        "        os._exit(0)");
}

TEST_F(AsWrittenProcess, ForgedAnswersAreRead) {
    const std::string rest = ", 'seconds': 1.0, 'unlinked_draws': 0, 'derived': False}";
    const std::string outside = "[{'name': 'output/0', 'dtype': 'f32', 'shape': [1 << 40], 'offset': 0}]";
    EXPECT_EQ(how(request(forged("{'ok': True, 'outputs': " + outside + rest), 2, 8)), "trace_protocol");
    EXPECT_EQ(how(request(forged("{'ok': True, 'outputs': 5" + rest), 2, 8)), "trace_protocol");
    EXPECT_EQ(how(request(forged("{'ok': True}"), 2, 8)), "trace_protocol");
    EXPECT_EQ(how(request(forged("[1, 2]"), 2, 8)), "trace_protocol");
}

TEST_F(AsWrittenProcess, MemoryFilesCanBeNeitherShrunkNorOverwritten) {
    // The outputs' own bytes it may write: they are compared like any output.
    const std::string source = forward(
        "import os, json\n"
        "        for fd in range(3, 64):\n"
        "            try: os.ftruncate(fd, 0)\n"
        "            except OSError: pass\n"
        "            try: os.pwrite(fd, b'\\xff' * 4096, 0)\n"
        "            except OSError: pass\n"
        "        return x");
    const AsWrittenRequest what = request(source, 2, 8);
    EXPECT_EQ(output(what), input_);
    EXPECT_EQ(given_.entries().size(), 1u);
    EXPECT_EQ(std::memcmp(given_.bytes(given_.entries()[0]), input_.data(), 64), 0);
}

}  // namespace
}  // namespace tritonsmith::judge
