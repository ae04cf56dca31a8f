#include <unistd.h>

#include <vector>

#include "cuda/gpu_testing.h"
#include "cuda/shared_memory.h"

namespace tritonsmith::cuda {
namespace {

class Shared : public OnDevice {
  protected:
    void SetUp() override {
        OnDevice::SetUp();
        if (!IsSkipped() && !devices().at(0).shares_memory)
            GTEST_SKIP() << "this device's memory cannot be shared";
    }
};

TEST_F(Shared, IsOneMemoryUnderTwoAddresses) {
    const std::vector<uint8_t> written(1000, 42);
    std::vector<uint8_t> read(1000);
    SharedMemory ours = SharedMemory::create(0, 1000);
    Fd fd = ours.export_fd();
    SharedMemory theirs = SharedMemory::import(0, fd.get(), 1000);
    fd.reset();
    EXPECT_NE(ours.address(), theirs.address());
    EXPECT_EQ(theirs.bytes(), 1000);
    TRITONSMITH_CU(cuMemcpyHtoD, ours.address(), written.data(), written.size());
    TRITONSMITH_CU(cuCtxSynchronize);
    {
        const SharedMemory gone = std::move(ours);  // it outlives whoever made it
    }
    TRITONSMITH_CU(cuMemcpyDtoH, read.data(), theirs.address(), read.size());
    EXPECT_EQ(read, written);
}

TEST_F(Shared, IsWrittenByItsMakerAlone) {
    const std::vector<uint8_t> written(4096, 42);
    std::vector<uint8_t> read(4096);
    const SharedMemory ours = SharedMemory::create(0, 4096);
    const Fd fd = ours.export_fd();
    const SharedMemory theirs = SharedMemory::import(0, fd.get(), 4096);
    TRITONSMITH_CU(cuMemcpyHtoD, ours.address(), written.data(), written.size());
    EXPECT_NE(driver().cuMemcpyHtoD(theirs.address(), read.data(), read.size()), CUDA_SUCCESS);
    TRITONSMITH_CU(cuMemcpyDtoH, read.data(), ours.address(), read.size());
    EXPECT_EQ(read, written);
}

TEST_F(Shared, IsNotImportedLargerThanItIs) {
    const SharedMemory small = SharedMemory::create(0, 1);
    const Fd fd = small.export_fd();
    EXPECT_THROW(SharedMemory::import(0, fd.get(), int64_t{1} << 30), Error);
    EXPECT_THROW(SharedMemory::create(0, 0), InputError);
}

TEST_F(Shared, IsNotImportedFromOtherFiles) {
    const Pipe pipe = make_pipe();
    EXPECT_THROW(SharedMemory::import(0, pipe.read.get(), 4096), Error);
}

}  // namespace
}  // namespace tritonsmith::cuda
