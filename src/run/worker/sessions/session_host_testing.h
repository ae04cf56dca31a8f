#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "run/worker/sessions/session_testing.h"

/// Workers for the CPU, which stands in for a device, and what they sent.
namespace tritonsmith::run::testing {

inline const std::string kProgram = std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker";

inline std::unique_ptr<DeviceWorker> of_references, of_candidates;
inline DeviceWorker& references() {
    return *of_references;
}
inline DeviceWorker& candidates() {
    return *of_candidates;
}

/// Two processes, as the judge has them, for as long as a suite runs.
class Sessions : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        of_references = std::make_unique<DeviceWorker>(kProgram, "cpu");
        of_candidates = std::make_unique<DeviceWorker>(kProgram, "cpu");
    }
    static void TearDownTestSuite() {
        of_references.reset();
        of_candidates.reset();
    }
};

template <class T>
std::vector<T> values(const Pack& pack, const std::string& name) {
    const PackEntry* entry = pack.find(name);
    if (!entry) throw std::runtime_error("the pack holds no " + name);
    std::vector<T> out(static_cast<size_t>(Pack::element_count(*entry)));
    std::memcpy(out.data(), pack.bytes(*entry), out.size() * sizeof(T));
    return out;
}
/// On the CPU a remote pack is a file of memory like any other.
inline Pack mapped(RemotePack pack) {
    return Pack(pack.fd.release(), pack.where.at("index"));
}

}  // namespace tritonsmith::run::testing
