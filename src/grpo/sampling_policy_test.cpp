#include "grpo/sampling_policy.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "base/process/files.h"
#include "engine/testing.h"

namespace tritonsmith::grpo {
namespace {

/// Adds to all weights, as an update does.
void change(const model::Model& model) {
    for (const at::Tensor& tensor : model.tensors()) tensor.add_(0.25);
}

bool same(const model::Model& one, const model::Model& other) {
    const std::vector<at::Tensor> a = one.tensors(), b = other.tensors();
    for (size_t i = 0; i < a.size(); ++i)
        if (!at::equal(a[i], b[i])) return false;
    return a.size() == b.size();
}

TEST(SamplingPolicy, ChangesOnlyWhenTold) {
    const model::Model trained = engine::small_model();
    SamplingPolicy policy(trained, std::nullopt);
    // What samples shares its weights, and sees what they become.
    const model::Model sampler = policy.model().sharing({.dtype = at::kFloat});
    EXPECT_TRUE(same(sampler, trained));
    EXPECT_TRUE(sampler.weights().head.values.is_alias_of(sampler.weights().embedding.values))
        << "it is tied";
    change(trained);
    EXPECT_FALSE(same(sampler, trained));
    policy.renew();
    EXPECT_TRUE(same(sampler, trained));
}

TEST(SamplingPolicy, IsTheNewestForAWhile) {
    const model::Model trained = engine::small_model(), first = trained.copy();
    SamplingPolicy policy(trained, std::nullopt);
    change(trained);
    {
        const SamplingPolicy::Renewed renewed(policy);
        EXPECT_TRUE(same(policy.model(), trained));
    }
    EXPECT_TRUE(same(policy.model(), first));
}

TEST(SamplingPolicy, IsReadFromACheckpoint) {
    const TemporaryFolder folder;
    const model::Model trained = engine::small_model(), first = trained.copy();
    trained.save(folder.path() / "sampler");
    change(trained);
    EXPECT_TRUE(same(SamplingPolicy(trained, folder.path()).model(), first));
    EXPECT_THROW(SamplingPolicy(trained, folder.path() / "other"), InputError);
}

}  // namespace
}  // namespace tritonsmith::grpo
