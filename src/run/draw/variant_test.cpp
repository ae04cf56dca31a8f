#include "run/draw/variant.h"

#include <gtest/gtest.h>

namespace tritonsmith::run {
namespace {

TEST(Variant, SurvivesJson) {
    Variant v{-1, 2, 3};
    v.pattern = Variant::Pattern::rows;
    v.kept = {0, 2};
    v.inputs = {1, 4};
    v.named = {{-100}, {0, 7}};
    v.met = {{}, {3}};
    v.by_rows = v.everywhere = true;
    EXPECT_EQ(variant_json(variant_from_json(variant_json(v))), variant_json(v));
}

TEST(Variant, SaysWhichInputsKeepToTheirLaw) {
    Variant v{1, 1, 100};
    v.kept = {1};
    EXPECT_EQ(describe(v), "sign 1 scale 1 offset 100, floating input 2 within its law's range");
}

}  // namespace
}  // namespace tritonsmith::run
