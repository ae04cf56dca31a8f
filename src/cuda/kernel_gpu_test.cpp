#include <gmock/gmock.h>

#include "cuda/gpu_testing.h"
#include "cuda/kernel.h"
#include "cuda/kernel_testing.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::cuda {
namespace {

using ::testing::HasSubstr;

const std::string kSources = TRITONSMITH_SOURCE_DIR;

/// Device memory that starts as a copy of `values`.
template <typename T>
class Memory {
  public:
    explicit Memory(const std::vector<T>& values) : count_(values.size()) {
        TRITONSMITH_CU(cuMemAlloc, &address_, bytes());
        TRITONSMITH_CU(cuMemcpyHtoD, address_, values.data(), bytes());
        TRITONSMITH_CU(cuCtxSynchronize);  // the copy may still be on its way from a staging buffer
    }
    ~Memory() { driver().cuMemFree(address_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    uint64_t address() const { return address_; }
    size_t bytes() const { return count_ * sizeof(T); }
    std::vector<T> read() const {
        std::vector<T> values(count_);
        TRITONSMITH_CU(cuMemcpyDtoH, values.data(), address_, bytes());
        return values;
    }

  private:
    size_t count_;
    CUdeviceptr address_ = 0;
};

plan::Value tensor_of(int buffer) {
    plan::Tensor tensor;
    tensor.buffer = buffer;
    return {tensor};
}

class Launch : public OnDevice {
  protected:
    void SetUp() override {
        OnDevice::SetUp();
        if (!IsSkipped()) TRITONSMITH_CU(cuStreamCreate, &stream_, CU_STREAM_NON_BLOCKING);
    }
    void TearDown() override {
        if (stream_) driver().cuStreamDestroy(stream_);
    }
    void load(const std::string& path, int num_ctas = 1) {
        const std::string text = read_file(kSources + path, path, 1 << 20);
        module_ = ttir::parse(text);
        compiled_ = compile_for_test(text, devices().at(0).target, num_ctas);
        kernel_ = std::make_unique<Kernel>(compiled_);
    }
    Parameters parameters(plan::List args) {
        plan::LaunchStep launch;
        launch.args = std::move(args);
        return pack(launch, module_, compiled_.tensordesc_meta,
                    [this](int buffer) { return addresses_.at(static_cast<size_t>(buffer)); });
    }

    CUstream stream_ = nullptr;
    ttir::Module module_;
    CompiledKernel compiled_;
    std::unique_ptr<Kernel> kernel_;
    std::vector<uint64_t> addresses_;
};

constexpr int kElements = 1000;  // four programs of 256

class Addition : public Launch {
  protected:
    void SetUp() override {
        Launch::SetUp();
        if (IsSkipped()) return;
        load("/src/ttir/testdata/add_sm90.ttir");
        std::vector<float> x(kElements), y(kElements);
        for (int i = 0; i < kElements; ++i) {
            x[static_cast<size_t>(i)] = static_cast<float>(i);
            y[static_cast<size_t>(i)] = 0.5F;
        }
        x_ = std::make_unique<Memory<float>>(x);
        y_ = std::make_unique<Memory<float>>(y);
        out_ = std::make_unique<Memory<float>>(std::vector<float>(kElements, -1.0F));
        addresses_ = {x_->address(), y_->address(), out_->address()};
        parameters_ = parameters({tensor_of(0), tensor_of(1), tensor_of(2), {int64_t{kElements}}});
    }
    void expect_sums() const {
        const std::vector<float> sums = out_->read();
        for (int i = 0; i < kElements; ++i)
            ASSERT_EQ(sums[static_cast<size_t>(i)], static_cast<float>(i) + 0.5F) << i;
    }
    std::unique_ptr<Memory<float>> x_, y_, out_;
    Parameters parameters_;
};

TEST_F(Addition, RunsOnTheDevice) {
    kernel_->launch({4, 1, 1}, parameters_, stream_, 0);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    expect_sums();
    EXPECT_GT(kernel_->registers(), 0);
    EXPECT_EQ(kernel_->scratch_bytes({4, 1, 1}), 0);
}

TEST_F(Addition, RunsFromACapturedGraph) {
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    TRITONSMITH_CU(cuStreamBeginCapture, stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    kernel_->launch({4, 1, 1}, parameters_, stream_, 0);
    TRITONSMITH_CU(cuStreamEndCapture, stream_, &graph);
    TRITONSMITH_CU(cuGraphInstantiate, &executable, graph, 0);
    EXPECT_EQ(out_->read()[0], -1.0F);
    TRITONSMITH_CU(cuGraphLaunch, executable, stream_);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    expect_sums();
    driver().cuGraphExecDestroy(executable);
    driver().cuGraphDestroy(graph);
}

TEST_F(Addition, RunsCooperatively) {
    compiled_.cooperative = true;
    const Kernel kernel(compiled_);
    kernel.launch({4, 1, 1}, parameters_, stream_, 0);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    expect_sums();
}

TEST_F(Addition, RunsInClusters) {
    if (devices().at(0).major < 9) GTEST_SKIP() << "clusters need sm_90";
    load("/src/ttir/testdata/add_sm90.ttir", 2);
    kernel_->launch({4, 1, 1}, parameters_, stream_, 0);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    expect_sums();
}

TEST_F(Addition, IsRefusedOnImpossibleGridsAndDoesNothingOnEmptyOnes) {
    kernel_->launch({4, 0, 1}, parameters_, stream_, 0);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    EXPECT_EQ(out_->read()[0], -1.0F);
    for (const Grid grid : {Grid{-1, 1, 1}, Grid{1, 65536, 1}, Grid{int64_t{1} << 31, 1, 1}})
        EXPECT_THROW(kernel_->launch(grid, parameters_, stream_, 0), InputError);
}

TEST_F(Addition, IsRefusedWithParametersThatAreNotItsOwn) {
    if (!driver().parameter_info) GTEST_SKIP() << "this driver does not tell a kernel's parameters";
    Parameters fewer;
    fewer.add(uint64_t{0});
    EXPECT_THROW(kernel_->launch({4, 1, 1}, fewer, stream_, 0), InputError);
    Parameters wider;
    for (int i = 0; i < 4; ++i) wider.add(uint64_t{0});
    EXPECT_THROW(kernel_->launch({4, 1, 1}, wider, stream_, 0), InputError);
}

TEST_F(Addition, DoesNotFitWithMoreThanTheDeviceHas) {
    compiled_.shared = int64_t{1} << 20;
    EXPECT_THROW(Kernel{compiled_}, OutOfResources);
}

/// In a process of its own, as a fault takes the context with it.
TEST_F(Addition, FaultsWhereItWritesOutsideOfAllMemory) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto body = [this] {
        addresses_[2] = 0;
        Parameters astray = parameters({tensor_of(0), tensor_of(1), tensor_of(2), {int64_t{kElements}}});
        try {
            kernel_->launch({4, 1, 1}, astray, stream_, 0);
            TRITONSMITH_CU(cuStreamSynchronize, stream_);
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            std::_Exit(error.context_is_lost() && fault_reason(error.code) == "gpu_illegal_address" ? 0 : 2);
        }
        std::_Exit(3);
    };
    EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

class AllParameters : public Launch {};

TEST_F(AllParameters, ArriveWhereTheKernelReadsThem) {
    if (devices().at(0).major < 9) GTEST_SKIP() << "tensor descriptors need sm_90";
    load("/src/cuda/testdata/all_parameters_sm90.ttir");
    const Memory<uint16_t> ones(std::vector<uint16_t>(32 * 32, 0x3c00));  // 1.0 in f16
    const Memory<float> out(std::vector<float>(32, -1.0F));
    addresses_ = {ones.address(), out.address()};
    plan::Descriptor descriptor;
    descriptor.base.buffer = 0;
    descriptor.base.dtype = plan::DType::f16;
    descriptor.base.shape = {32, 16};  // so that half of the box lies outside, and counts as zeros
    descriptor.base.stride = {32, 1};
    descriptor.block = {32, 32};
    const int64_t one = 1;
    Parameters given = parameters({{descriptor},
                                   {int64_t{32}},
                                   {int64_t{16}},
                                   {int64_t{32}},
                                   {one},
                                   tensor_of(1),
                                   {true},
                                   {1.5},
                                   {1.5},
                                   {0.25},
                                   {1.5},
                                   {one},
                                   {one},
                                   {one}});
    kernel_->launch({1, 1, 1}, given, stream_, 0);
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    for (const float sum : out.read()) EXPECT_EQ(sum, 16.25F);
}

/// Programs make their descriptors themselves, in scratch memory.
TEST_F(AllParameters, DeviceMadeDescriptorsLieInScratchMemory) {
    if (devices().at(0).major < 9) GTEST_SKIP() << "tensor descriptors need sm_90";
    load("/src/ttir/testdata/descriptors_sm90.ttir");
    const Memory<float> x(std::vector<float>(64 * 64, 2.0F)), out(std::vector<float>(64 * 64, -1.0F));
    addresses_ = {x.address(), out.address()};
    const Grid grid{2, 1, 1};  // 32 rows each
    const int64_t bytes = kernel_->scratch_bytes(grid);
    ASSERT_EQ(bytes, 2 * compiled_.global_scratch_size);
    ASSERT_GE(compiled_.global_scratch_size, 256);
    const Memory<uint8_t> scratch(std::vector<uint8_t>(static_cast<size_t>(bytes)));
    ASSERT_EQ(scratch.address() % static_cast<uint64_t>(kernel_->scratch_align()), 0U);
    Parameters given = parameters({tensor_of(0), tensor_of(1), {int64_t{64}}, {int64_t{64}}});
    kernel_->launch(grid, given, stream_, scratch.address());
    TRITONSMITH_CU(cuStreamSynchronize, stream_);
    EXPECT_EQ(out.read(), std::vector<float>(64 * 64, 3.0F));
}

}  // namespace
}  // namespace tritonsmith::cuda
