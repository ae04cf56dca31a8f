#include "trace/environment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/process/files.h"

namespace tritonsmith::trace {
namespace {

namespace fs = std::filesystem;

/// A package of empty files.
class PackageScript : public ::testing::Test {
  protected:
    PackageScript() {
        options_.package_dir = folder_.path().string();
        for (const char* file : {"tritonsmith/services/tracer.py", "native/_sandbox.abi3.so",
                                 "native/libfakecudart.so", "native/fake_cuda/libcuda.so.1"}) {
            const fs::path path = folder_.path() / file;
            fs::create_directories(path.parent_path());
            std::ofstream{path};
        }
    }
    TemporaryFolder folder_;
    TracerOptions options_;
};

TEST_F(PackageScript, WithTheDeviceThatComputesNothingHasOneGpu) {
    // PyTorch counts a machine's GPUs by NVML, which does not know of that device.
    const Spawn with = package_script(options_, "tracer.py", "/tmp", true);
    EXPECT_EQ(with.environment.at("CUDA_VISIBLE_DEVICES"), "0");
    const Spawn without = package_script(options_, "tracer.py", "/tmp", false);
    EXPECT_FALSE(without.environment.contains("CUDA_VISIBLE_DEVICES"));
}

TEST_F(PackageScript, NamesTheFileThatIsMissing) {
    fs::remove(folder_.path() / "native/libfakecudart.so");
    try {
        package_script(options_, "tracer.py", "/tmp", true);
        FAIL();
    } catch (const MachineError& error) {
        EXPECT_NE(std::string(error.what()).find("native/libfakecudart.so"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace tritonsmith::trace
