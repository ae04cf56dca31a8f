#include "task/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::task {
namespace {

using Constants = std::map<std::string, int64_t>;

/// A program whose cost is a function of its constants and that runs only where `runs` holds.
struct Program {
    Constants constants;
    std::function<plan::Cost(const Constants&)> cost;
    std::function<bool(const Constants&)> runs = [](const Constants&) { return true; };
    int probes = 0;

    Constants with(const Constants& overrides) const {
        Constants out = constants;
        for (const auto& [name, value] : overrides) {
            EXPECT_TRUE(out.contains(name)) << name;
            EXPECT_LE(value, out[name]) << name;
            EXPECT_GT(value, 0) << name;
            out[name] = value;
        }
        return out;
    }
    Shrunk shrink(ShrinkLimits limits = {}, const std::set<std::string>& outer = {}) {
        probes = 0;
        Probe probe = [&](const Constants& overrides) -> std::optional<plan::Cost> {
            ++probes;
            Constants now = with(overrides);
            if (!runs(now)) return std::nullopt;
            return cost(now);
        };
        Shrunk out = task::shrink(constants, cost(constants), probe, limits, outer);
        EXPECT_EQ(out.probes, probes);
        EXPECT_LE(probes, limits.max_probes);
        EXPECT_TRUE(runs(with(out.overrides)));
        EXPECT_EQ(out.cost.bytes, cost(with(out.overrides)).bytes);
        if (out.fits) {
            EXPECT_LE(out.cost.bytes, std::max(limits.bytes, limits.most_bytes));
            EXPECT_LE(out.cost.flops, std::max(limits.flops, limits.most_flops));
        } else {
            EXPECT_NE(out.why, "");
        }
        return out;
    }
};

plan::Cost bytes_and_flops(double bytes, double flops) {
    plan::Cost cost;
    cost.bytes = static_cast<int64_t>(bytes);
    cost.flops = flops;
    return cost;
}

Program matmul(int64_t n) {
    return {{{"M", n}, {"K", n}, {"N", n}}, [](const Constants& c) {
                double m = static_cast<double>(c.at("M")), k = static_cast<double>(c.at("K")),
                       n = static_cast<double>(c.at("N"));
                return bytes_and_flops(4 * (m * k + k * n + m * n), 2 * m * n * k);
            }};
}

TEST(Shrink, WhatFitsStays) {
    Program program = matmul(256);
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_TRUE(out.overrides.empty());
    EXPECT_EQ(out.probes, 0);
}

TEST(Shrink, EqualConstantsGoTogether) {
    Program program = matmul(8192);
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_EQ(out.overrides.at("M"), out.overrides.at("K"));
    EXPECT_EQ(out.overrides.at("M"), out.overrides.at("N"));
    EXPECT_GE(out.overrides.at("M"), 256) << "more than needed was taken away";
    EXPECT_LE(out.probes, 6);
}

TEST(Shrink, BatchGoesFirst) {
    Program program{{{"batch_size", 4096}, {"features", 16384}}, [](const Constants& c) {
                        double b = static_cast<double>(c.at("batch_size")),
                               f = static_cast<double>(c.at("features"));
                        return bytes_and_flops(8 * b * f, b * f);
                    }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_FALSE(out.overrides.contains("features"));
    EXPECT_EQ(out.overrides.at("batch_size"), 32);
    EXPECT_EQ(out.probes, 1);
}

TEST(Shrink, NoSizeGoesFarDownWhileAnotherIsLarge) {
    Program program{{{"rows", 4096}, {"cols", 12000}}, [](const Constants& c) {
                        double r = static_cast<double>(c.at("rows")), n = static_cast<double>(c.at("cols"));
                        return bytes_and_flops(4 * r * n, r * n);
                    }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_EQ(out.overrides, (Constants{{"rows", 1024}, {"cols", 800}}));
}

TEST(Shrink, RowsGoBeforeWhatTheyConsistOf) {
    Program program{{{"rows", 6144}, {"cols", 8192}}, [](const Constants& c) {
                        double r = static_cast<double>(c.at("rows")), n = static_cast<double>(c.at("cols"));
                        return bytes_and_flops(4 * r * n + 4 * n, r * n);
                    }};
    EXPECT_EQ(program.shrink().overrides, (Constants{{"rows", 3072}, {"cols", 256}}));
    EXPECT_EQ(program.shrink({}, {"rows"}).overrides, (Constants{{"rows", 256}, {"cols", 4096}}));
}

TEST(Shrink, OneByOneOnlyTouchesTheNextWhereItMust) {
    ShrinkLimits limits;
    limits.one_by_one = true;
    Program program{{{"rows", 6144}, {"cols", 8192}}, [](const Constants& c) {
                        double r = static_cast<double>(c.at("rows")), n = static_cast<double>(c.at("cols"));
                        return bytes_and_flops(4 * r * n, r * n);
                    }};
    EXPECT_EQ(program.shrink(limits, {"rows"}).overrides, (Constants{{"rows", 128}}));
    EXPECT_EQ(program.shrink(limits, {"cols"}).overrides, (Constants{{"cols", 128}}));
    // Weights alone are more than `bytes`, and fewer than `enough_bytes`.
    Program product = matmul(1024);
    EXPECT_EQ(product.shrink(limits).overrides.size(), 1);
    limits.enough_bytes = 1 << 20;
    EXPECT_GT(product.shrink(limits).overrides.size(), 1);
}

TEST(Shrink, ConstantsThatAreNoSizesStay) {
    Program program{{{"seed", 123456}, {"dim", 1 << 26}}, [](const Constants& c) {
                        return bytes_and_flops(8.0 * static_cast<double>(c.at("dim")),
                                               static_cast<double>(c.at("dim")));
                    }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_EQ(out.overrides, (Constants{{"dim", 1 << 19}}));
}

TEST(Shrink, SizesThatDependOnEachOtherGoDownTogether) {
    // width must be heads · size with heads fixed, and both are constants of their own.
    Program program{{{"width", 8192}, {"size", 1024}, {"heads", 8}},
                    [](const Constants& c) {
                        double w = static_cast<double>(c.at("width"));
                        return bytes_and_flops(4 * w * w, 2 * w * w);
                    },
                    [](const Constants& c) { return c.at("width") == c.at("size") * c.at("heads"); }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_EQ(out.overrides.at("width"), 8 * out.overrides.at("size"));
    EXPECT_FALSE(out.overrides.contains("heads"));
}

TEST(Shrink, EqualConstantsOfDifferentMeaningAreToldApart) {
    // The width may shrink, the channels of the same value may not.
    Program program{{{"width", 512}, {"channels", 512}},
                    [](const Constants& c) {
                        double w = static_cast<double>(c.at("width")),
                               k = static_cast<double>(c.at("channels"));
                        return bytes_and_flops(4 * w * w * k, w * w * k);
                    },
                    [](const Constants& c) { return c.at("channels") == 512; }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_FALSE(out.overrides.contains("channels"));
    EXPECT_LE(out.overrides.at("width"), 128);
}

TEST(Shrink, ProgramsThatNeedASmallestSizeKeepIt) {
    // Five halvings by pooling: below 64 the program does not run.
    Program program{{{"batch", 64}, {"height", 1024}, {"width", 1024}},
                    [](const Constants& c) {
                        double n = static_cast<double>(c.at("batch") * c.at("height") * c.at("width"));
                        return bytes_and_flops(12 * n, 3000 * n);
                    },
                    [](const Constants& c) {
                        return c.at("height") >= 64 && c.at("width") >= 64 && c.at("height") == c.at("width");
                    }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_GE(out.overrides.at("height"), 64);
}

TEST(Shrink, HowMuchIsTooLargeIsSaidOfAnySize) {
    Program vast{{{"N", INT64_MAX}, {"M", INT64_MAX - 1}},
                 [](const Constants&) { return bytes_and_flops(1, 1e60); }};
    const Shrunk out = vast.shrink();
    EXPECT_FALSE(out.fits);
    EXPECT_NE(out.why.find("more than 10^15 times"), std::string::npos) << out.why;
}

TEST(Shrink, FloorsHold) {
    Program program{{{"batch", 1 << 20}, {"n", 1 << 20}}, [](const Constants& c) {
                        return bytes_and_flops(1e12 + static_cast<double>(c.at("batch") + c.at("n")) * 1e6,
                                               1);
                    }};
    Shrunk out = program.shrink();
    EXPECT_FALSE(out.fits);
    EXPECT_GE(out.overrides.at("batch"), 1);
    EXPECT_GE(out.overrides.at("n"), 16);
    EXPECT_THAT(out.why, testing::HasSubstr("times too large"));
}

TEST(Shrink, ABatchOfOneIsTheLastResort) {
    const auto at = [](double flops) {
        Program program{{{"batch_size", 10}}, [flops](const Constants& c) {
                            return bytes_and_flops(1e6, flops * static_cast<double>(c.at("batch_size")));
                        }};
        Shrunk out = program.shrink();
        EXPECT_TRUE(out.fits);
        return out.overrides.at("batch_size");
    };
    EXPECT_EQ(at(1e8), 1);
    EXPECT_EQ(at(1e9), 1);
    EXPECT_EQ(at(2e9), 2) << "slow is better than other kernels";
    EXPECT_EQ(at(1.15e10), 1) << "two do not fit";
}

Program heavy_weights(double bytes) {
    return {{{"batch_size", 64}, {"classes", 1000}}, [bytes](const Constants& c) {
                double batch = static_cast<double>(c.at("batch_size"));
                return bytes_and_flops(bytes + 6e5 * batch, 1e9 * batch);
            }};
}

TEST(Shrink, WhatCannotGoDownFurtherMayBeSeveralTimesTooLarge) {
    Shrunk out = heavy_weights(200e6).shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_EQ(out.why, "");
    EXPECT_EQ(out.overrides, (Constants{{"batch_size", 2}})) << "one would not help";
    EXPECT_GT(out.cost.bytes, ShrinkLimits().bytes);
}

TEST(Shrink, SlackIsBoundedAndIsNoReasonToStopEarly) {
    EXPECT_FALSE(heavy_weights(300e6).shrink().fits);
    ShrinkLimits strict;
    strict.most_bytes = strict.bytes;
    strict.most_flops = strict.flops;
    EXPECT_FALSE(heavy_weights(200e6).shrink(strict).fits);
    Program program = matmul(2048);  // 12 times too many bytes, 8 times too many operations
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_LE(out.cost.bytes, ShrinkLimits().bytes);
    EXPECT_LE(out.cost.flops, ShrinkLimits().flops);
}

TEST(Shrink, NothingToScaleIsSaid) {
    Program program{{{"k", 3}}, [](const Constants&) { return bytes_and_flops(1e12, 1); }};
    Shrunk out = program.shrink();
    EXPECT_FALSE(out.fits);
    EXPECT_EQ(out.probes, 0);
    EXPECT_THAT(out.why, testing::HasSubstr("no integers that could be scaled down"));
}

TEST(Shrink, ProbesAreBounded) {
    Constants many;
    for (int i = 0; i < 200; ++i) many["c" + std::to_string(i)] = 1000 + i;
    Program program{many, [](const Constants&) { return bytes_and_flops(1e12, 1); }};
    ShrinkLimits limits;
    limits.max_probes = 12;
    Shrunk out = program.shrink(limits);
    EXPECT_FALSE(out.fits);
    EXPECT_EQ(out.probes, 12);
}

TEST(Shrink, OperationsAreBoundedToo) {
    Program program{{{"batch_size", 16}, {"width", 256}, {"channels", 64}}, [](const Constants& c) {
                        double b = static_cast<double>(c.at("batch_size")),
                               w = static_cast<double>(c.at("width")),
                               k = static_cast<double>(c.at("channels"));
                        return bytes_and_flops(4 * b * w * w * k / 100, 18 * b * w * w * k * k);
                    }};
    Shrunk out = program.shrink();
    EXPECT_TRUE(out.fits);
    EXPECT_GT(out.cost.flops, ShrinkLimits().flops / 16);
}

}  // namespace
}  // namespace tritonsmith::task
