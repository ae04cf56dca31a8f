#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ttir/parse/module_equal_testing.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::ttir {
namespace {

bool same(const Attribute& a, const Attribute& b) {
    if (a.v.index() != b.v.index()) return false;
    if (const auto* x = std::get_if<TypedInt>(&a.v)) {
        const auto& y = std::get<TypedInt>(b.v);
        return x->type == y.type && x->value == y.value;
    }
    if (const auto* x = std::get_if<TypedFloat>(&a.v)) {
        const auto& y = std::get<TypedFloat>(b.v);
        return x->type == y.type && x->bits == y.bits;
    }
    if (const auto* x = std::get_if<Dense>(&a.v)) {
        const auto& y = std::get<Dense>(b.v);
        return x->type == y.type && x->bits == y.bits;
    }
    if (const auto* x = std::get_if<EnumAttribute>(&a.v)) {
        const auto& y = std::get<EnumAttribute>(b.v);
        return x->dialect == y.dialect && x->name == y.name && x->value == y.value;
    }
    if (const auto* x = std::get_if<AttributeList>(&a.v)) {
        const auto& y = std::get<AttributeList>(b.v);
        return std::equal(x->begin(), x->end(), y.begin(), y.end(), same);
    }
    if (const auto* x = std::get_if<std::vector<int64_t>>(&a.v))
        return *x == std::get<std::vector<int64_t>>(b.v);
    if (const auto* x = std::get_if<std::string>(&a.v)) return *x == std::get<std::string>(b.v);
    if (const auto* x = std::get_if<Type>(&a.v)) return *x == std::get<Type>(b.v);
    if (const auto* x = std::get_if<bool>(&a.v)) return *x == std::get<bool>(b.v);
    return true;
}

bool same(const std::map<std::string, Attribute>& a, const std::map<std::string, Attribute>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.first == y.first && same(x.second, y.second);
    });
}

std::string difference(const Region& a, const Region& b);

std::string difference(const Operation& a, const Operation& b) {
    if (a.name != b.name) return a.name + " became " + b.name;
    if (a.operands != b.operands) return a.name + ": operands";
    if (a.segments != b.segments) return a.name + ": segments";
    if (a.results != b.results) return a.name + ": results";
    if (a.location != b.location) return a.name + ": location";
    if (!same(a.attributes, b.attributes)) return a.name + ": attributes";
    if (a.regions.size() != b.regions.size()) return a.name + ": regions";
    if (a.successors.size() != b.successors.size()) return a.name + ": successors";
    for (size_t i = 0; i < a.successors.size(); ++i) {
        if (a.successors[i].block != b.successors[i].block ||
            a.successors[i].arguments != b.successors[i].arguments) {
            return a.name + ": successor";
        }
    }
    for (size_t i = 0; i < a.regions.size(); ++i) {
        std::string found = difference(a.regions[i], b.regions[i]);
        if (!found.empty()) return found;
    }
    return "";
}

std::string difference(const Region& a, const Region& b) {
    if (a.blocks.size() != b.blocks.size()) return "number of blocks";
    for (size_t i = 0; i < a.blocks.size(); ++i) {
        if (a.blocks[i].arguments != b.blocks[i].arguments) return "block arguments";
        if (a.blocks[i].operations.size() != b.blocks[i].operations.size()) return "number of operations";
        for (size_t k = 0; k < a.blocks[i].operations.size(); ++k) {
            std::string found = difference(a.blocks[i].operations[k], b.blocks[i].operations[k]);
            if (!found.empty()) return found;
        }
    }
    return "";
}

}  // namespace

std::string difference(const Module& a, const Module& b) {
    if (a.functions.size() != b.functions.size()) return "number of functions";
    if (a.locations != b.locations) return "locations";
    for (size_t i = 0; i < a.functions.size(); ++i) {
        const Function &f = a.functions[i], &g = b.functions[i];
        if (f.name != g.name || f.is_public != g.is_public || f.results != g.results ||
            f.location != g.location)
            return "function " + f.name;
        if (f.parameters != g.parameters || f.values != g.values || !same(f.attributes, g.attributes))
            return "values of " + f.name;
        if (!std::equal(f.parameter_attributes.begin(), f.parameter_attributes.end(),
                        g.parameter_attributes.begin(), g.parameter_attributes.end(),
                        [](const auto& x, const auto& y) { return same(x, y); })) {
            return "parameter attributes of " + f.name;
        }
        std::string found = difference(f.body, g.body);
        if (!found.empty()) return found + " in " + f.name;
    }
    return "";
}

std::string read_testdata(const std::string& name) {
    std::ifstream file(std::string(TRITONSMITH_SOURCE_DIR) + "/src/ttir/testdata/" + name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

std::vector<std::string> testdata_names() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(TRITONSMITH_SOURCE_DIR) + "/src/ttir/testdata")) {
        if (entry.path().extension() == ".ttir") names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
}

TEST(ModuleEqual, SeesDifferences) {
    std::string text = read_testdata("softmax_sm90.ttir");
    Module original = parse(text);
    auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        size_t at = other.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return difference(original, parse(other.replace(at, from.size(), to)));
    };
    EXPECT_EQ(changed("@softmax", "@softmax"), "");
    EXPECT_NE(changed("@softmax", "@other"), "");
    EXPECT_NE(changed("get_program_id x", "get_program_id y"), "");
    EXPECT_NE(changed("tt.divisibility = 16", "tt.divisibility = 8"), "");
    EXPECT_NE(changed("slt,", "sle,"), "");
    EXPECT_NE(changed("0xFF800000", "0x7F800000"), "");
    EXPECT_NE(changed(".py\":", ".py\":1"), "");
}

}  // namespace tritonsmith::ttir
