#include "cuda/driver.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "cuda/device_info.h"

namespace tritonsmith::cuda {
namespace {

using ::testing::HasSubstr;

TEST(Driver, IsThereOrSaysWhyNot) {
    std::string why;
    Absence absence = Absence::none;
    const Driver* found = find_driver(&why, &absence);
    if (found) {
        EXPECT_EQ(absence, Absence::none);
        EXPECT_EQ(why, "");
        EXPECT_GE(found->version, 12000);
        EXPECT_EQ(&driver(), found);
        return;
    }
    EXPECT_NE(absence, Absence::none);
    EXPECT_THAT(why, ::testing::AnyOf(HasSubstr("libcuda.so.1"), HasSubstr("driver for CUDA")));
    EXPECT_TRUE(devices().empty());
    try {
        driver();
        FAIL() << "there is no driver";
    } catch (const MachineError& error) {
        EXPECT_THAT(error.what(), HasSubstr(why));
    }
}

TEST(Driver, VersionsAreWrittenAsPeopleWriteThem) {
    Driver driver;
    driver.version = 12080;
    EXPECT_EQ(driver.version_text(), "CUDA 12.8");
}

TEST(Errors, NameTheCallAndTheNumber) {
    const Error error(CUDA_ERROR_ILLEGAL_ADDRESS, "cuStreamSynchronize");
    EXPECT_THAT(error.what(), HasSubstr("cuStreamSynchronize"));
    EXPECT_THAT(error.what(), HasSubstr("700"));
    EXPECT_EQ(error.code, 700);
    EXPECT_NO_THROW(check(CUDA_SUCCESS, "cuInit"));
    EXPECT_THROW(check(CUDA_ERROR_NOT_FOUND, "cuModuleGetFunction"), Error);
}

TEST(Errors, TellLostContextsFromRefusedCalls) {
    EXPECT_TRUE(Error(CUDA_ERROR_ILLEGAL_ADDRESS, "x").context_is_lost());
    EXPECT_TRUE(Error(CUDA_ERROR_LAUNCH_FAILED, "x").context_is_lost());
    EXPECT_TRUE(Error(CUDA_ERROR_ASSERT, "x").context_is_lost());
    EXPECT_FALSE(Error(CUDA_ERROR_OUT_OF_MEMORY, "x").context_is_lost());
    EXPECT_FALSE(Error(CUDA_ERROR_INVALID_VALUE, "x").context_is_lost());
    EXPECT_FALSE(Error(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "x").context_is_lost());
}

TEST(Errors, HaveStableReasons) {
    EXPECT_EQ(fault_reason(CUDA_ERROR_ILLEGAL_ADDRESS), "gpu_illegal_address");
    EXPECT_EQ(fault_reason(CUDA_ERROR_MISALIGNED_ADDRESS), "gpu_misaligned_address");
    EXPECT_EQ(fault_reason(CUDA_ERROR_LAUNCH_TIMEOUT), "gpu_timeout");
    EXPECT_EQ(fault_reason(CUDA_ERROR_OUT_OF_MEMORY), "out_of_memory");
    EXPECT_EQ(fault_reason(CUDA_ERROR_ECC_UNCORRECTABLE), "gpu_lost");
    EXPECT_EQ(fault_reason(CUDA_ERROR_LAUNCH_FAILED), "gpu_fault");
}

}  // namespace
}  // namespace tritonsmith::cuda
