#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "cuda/context.h"
#include "cuda/device_info.h"

namespace tritonsmith::cuda {

/// Tests that need a device: each has the first one's primary context current, or is skipped and says why.
class OnDevice : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string why;
        if (!find_driver(&why)) GTEST_SKIP() << "no GPU: " << why;
        if (devices().empty()) GTEST_SKIP() << "no GPU: the driver knows no device";
        context_ = std::make_unique<PrimaryContext>(0);
    }
    std::unique_ptr<PrimaryContext> context_;
};

}  // namespace tritonsmith::cuda
