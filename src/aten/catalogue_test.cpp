#include "aten/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tritonsmith::aten {
namespace {

bool in_place(std::string_view name) {
    return name.ends_with('_') && !name.ends_with("__");
}

TEST(Catalogue, EveryLineIsRead) {
    EXPECT_GT(names().size(), 900U);
    const Operator* softmax = find("_softmax");
    ASSERT_TRUE(softmax);
    EXPECT_EQ(softmax->sum, Sum::dimension);
    EXPECT_EQ(softmax->magnitude, Magnitude::softmax);
    EXPECT_EQ(find("copy_")->kind, Kind::copy);
    EXPECT_EQ(find("exp")->element, Element::relative);
    EXPECT_TRUE(is("argmax", Trait::chooses));
    EXPECT_FALSE(is("argmax", Trait::ties));
    EXPECT_EQ(find("no_such_operator"), nullptr);
    EXPECT_FALSE(is("no_such_operator", Trait::exact));
}

TEST(Catalogue, OverloadsThatAreNamedAreExecuted) {
    EXPECT_TRUE(executed("add", "Tensor"));
    EXPECT_TRUE(executed("mm", ""));
    EXPECT_FALSE(executed("add", ""));
    EXPECT_FALSE(executed("mm", "-"));
    EXPECT_FALSE(executed("mm", "Tensor"));
    EXPECT_FALSE(executed("rand", ""));  // draws are made by counter
    EXPECT_FALSE(executed("from_file", ""));
}

TEST(Catalogue, DropoutIsFoundByOverload) {
    EXPECT_EQ(dropout_position("lstm", "input"), 5);
    EXPECT_EQ(dropout_position("lstm", "data"), 6);
    EXPECT_EQ(dropout_position("scaled_dot_product_attention", ""), 4);
    EXPECT_EQ(dropout_position("mm", ""), -1);
}

TEST(Catalogue, WhatRoundsChoosesOrComparesIsNotListedInPlace) {
    for (std::string_view name : names())
        for (Trait trait : {Trait::rounds, Trait::chooses, Trait::ties, Trait::compares, Trait::exact})
            EXPECT_FALSE(in_place(name) && is(name, trait))
                << name << ": asked of the form that is not in place";
}

TEST(Catalogue, WhatIsExactHasNoRoundingErrorOfAnElement) {
    for (std::string_view name : names()) {
        const Operator& op = *find(name);
        const bool rounds = op.element == Element::relative || op.element == Element::sqrt;
        EXPECT_FALSE(rounds && op.is(Trait::exact)) << name;
    }
}

}  // namespace
}  // namespace tritonsmith::aten
