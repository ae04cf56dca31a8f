#include "ttir/verify/op_specs.h"

#include <array>
#include <unordered_map>

#include "ttir/verify/checker_rules.h"

namespace tritonsmith::ttir {
namespace {

using K = AttributeKind;

constexpr EnumCase kAxis[] = {{"x", 0}, {"y", 1}, {"z", 2}};
constexpr EnumCase kCache[] = {{"none", 1}, {"ca", 2}, {"cg", 3}, {"wb", 4}, {"cs", 5}, {"wt", 6}, {"cv", 7}};
constexpr EnumCase kEvict[] = {{"evict_normal", 1}, {"evict_first", 2}, {"evict_last", 3}};
constexpr EnumCase kPadding[] = {{"zero", 1}, {"nan", 2}};
constexpr EnumCase kSemantic[] = {{"relaxed", 1}, {"acquire", 2}, {"release", 3}, {"acq_rel", 4}};
constexpr EnumCase kScope[] = {{"gpu", 1}, {"cta", 2}, {"sys", 3}};
constexpr EnumCase kAtomic[] = {{"and", 1}, {"or", 2},  {"xor", 3},  {"add", 4},  {"fadd", 5},
                                {"max", 6}, {"min", 7}, {"umax", 8}, {"umin", 9}, {"exch", 10}};
constexpr EnumCase kReduceKind[] = {{"add", 1}, {"min", 2}, {"max", 3}, {"inc", 4},
                                    {"dec", 5}, {"and", 6}, {"or", 7},  {"xor", 8}};
constexpr EnumCase kRounding[] = {{"rtz", 0}, {"rtne", 1}};
constexpr EnumCase kPropagateNan[] = {{"none", 0}, {"all", 0xFFFF}};
constexpr EnumCase kPrecision[] = {{"tf32", 0}, {"tf32x3", 1}, {"ieee", 2}, {"bf16x3", 3}, {"bf16x6", 4}};
constexpr EnumCase kScaled[] = {{"e4m3", 0}, {"e5m2", 1}, {"e2m3", 2}, {"e3m2", 3},
                                {"e2m1", 4}, {"bf16", 5}, {"fp16", 6}};
constexpr EnumCase kIntPredicate[] = {{"eq", 0},  {"ne", 1},  {"slt", 2}, {"sle", 3}, {"sgt", 4},
                                      {"sge", 5}, {"ult", 6}, {"ule", 7}, {"ugt", 8}, {"uge", 9}};
constexpr EnumCase kFloatPredicate[] = {
    {"false", 0}, {"oeq", 1}, {"ogt", 2},  {"oge", 3},  {"olt", 4},  {"ole", 5},  {"one", 6},  {"ord", 7},
    {"ueq", 8},   {"ugt", 9}, {"uge", 10}, {"ult", 11}, {"ule", 12}, {"une", 13}, {"uno", 14}, {"true", 15}};
constexpr EnumCase kRoundingMode[] = {
    {"to_nearest_even", 0}, {"downward", 1}, {"upward", 2}, {"toward_zero", 3}, {"to_nearest_away", 4}};

constexpr AttributeSpec kFastMath{"fastmath", K::fastmath, kOptional};
constexpr AttributeSpec kOverflow{"overflowFlags", K::overflow, kOptional};
constexpr AttributeSpec kExact{"isExact", K::unit, kOptional};
constexpr AttributeSpec kCacheAttribute{"cache", K::enum32, "none", kCache};
constexpr AttributeSpec kEvictAttribute{"evict", K::enum32, "evict_normal", kEvict};
constexpr AttributeSpec kBoundary{"boundaryCheck", K::array_i32, ""};
constexpr AttributeSpec kSem{"sem", K::enum32, kRequired, kSemantic};
constexpr AttributeSpec kScopeAttribute{"scope", K::enum32, kRequired, kScope};
constexpr AttributeSpec kAxisAttribute{"axis", K::i32};

using Specs = std::vector<OpSpec>;

OpSpec same(std::string_view name, int arity, Class of, std::vector<AttributeSpec> attributes = {}) {
    return {.name = name,
            .form = Form::same,
            .rule = rules::same,
            .arity = arity,
            .from = of,
            .to = of,
            .attributes = std::move(attributes)};
}

OpSpec cast(std::string_view name, Class from, Class to, int width,
            std::vector<AttributeSpec> attributes = {}) {
    return {.name = name,
            .form = Form::cast_to,
            .rule = rules::cast,
            .arity = 1,
            .from = from,
            .to = to,
            .width = width,
            .attributes = std::move(attributes)};
}

void add_arith(Specs& t) {
    for (auto name : {"arith.addi", "arith.subi", "arith.muli", "arith.shli"})
        t.push_back(same(name, 2, Class::integer, {kOverflow}));
    for (auto name : {"arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui"})
        t.push_back(same(name, 2, Class::integer, {kExact}));
    for (auto name : {"arith.remsi", "arith.remui", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
                      "arith.andi", "arith.ori", "arith.xori", "arith.maxsi", "arith.maxui", "arith.minsi",
                      "arith.minui"}) {
        t.push_back(same(name, 2, Class::integer));
    }
    for (auto name : {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
                      "arith.minimumf", "arith.maxnumf", "arith.minnumf"}) {
        t.push_back(same(name, 2, Class::floating, {kFastMath}));
    }
    t.push_back(same("arith.negf", 1, Class::floating, {kFastMath}));
    for (auto name : {"arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended"}) {
        t.push_back({.name = name, .form = Form::extended, .rule = rules::extended});
    }
    t.push_back({.name = "arith.constant",
                 .form = Form::constant,
                 .rule = rules::constant,
                 .attributes = {{"value", K::any}}});
    t.push_back({.name = "arith.cmpi",
                 .form = Form::compare,
                 .rule = rules::compare,
                 .from = Class::integer,
                 .attributes = {{"predicate", K::enum64, kRequired, kIntPredicate}}});
    t.push_back({.name = "arith.cmpf",
                 .form = Form::compare,
                 .rule = rules::compare,
                 .from = Class::floating,
                 .attributes = {{"predicate", K::enum64, kRequired, kFloatPredicate}, kFastMath}});
    t.push_back({.name = "arith.select", .form = Form::select, .rule = rules::select});
    t.push_back(cast("arith.extf", Class::floating, Class::floating, 1, {kFastMath}));
    t.push_back(cast("arith.truncf", Class::floating, Class::floating, -1,
                     {kFastMath, {"roundingmode", K::enum32, kOptional, kRoundingMode}}));
    t.push_back(cast("arith.extsi", Class::integer, Class::integer, 1));
    t.push_back(cast("arith.extui", Class::integer, Class::integer, 1));
    t.push_back(cast("arith.trunci", Class::integer, Class::integer, -1, {kOverflow}));
    t.push_back(cast("arith.sitofp", Class::integer, Class::floating, 0));
    t.push_back(cast("arith.uitofp", Class::integer, Class::floating, 0));
    t.push_back(cast("arith.fptosi", Class::floating, Class::integer, 0));
    t.push_back(cast("arith.fptoui", Class::floating, Class::integer, 0));
    t.push_back(cast("arith.bitcast", Class::any, Class::any, 2));
    t.push_back(cast("arith.index_cast", Class::integer, Class::integer, 0));
    t.push_back(cast("arith.index_castui", Class::integer, Class::integer, 0));
}

void add_math(Specs& t) {
    for (auto name :
         {"math.absf",  "math.acos",  "math.acosh", "math.asin",  "math.asinh",     "math.atan",
          "math.atanh", "math.cbrt",  "math.ceil",  "math.cos",   "math.cosh",      "math.erf",
          "math.erfc",  "math.exp",   "math.exp2",  "math.expm1", "math.floor",     "math.log",
          "math.log10", "math.log1p", "math.log2",  "math.round", "math.roundeven", "math.rsqrt",
          "math.sin",   "math.sinh",  "math.sqrt",  "math.tan",   "math.tanh",      "math.trunc"}) {
        t.push_back(same(name, 1, Class::floating, {kFastMath}));
    }
    for (auto name : {"math.absi", "math.ctlz", "math.ctpop", "math.cttz"})
        t.push_back(same(name, 1, Class::integer));
    for (auto name : {"math.powf", "math.atan2", "math.copysign"})
        t.push_back(same(name, 2, Class::floating, {kFastMath}));
    t.push_back(same("math.ipowi", 2, Class::integer));
    t.push_back(same("math.fma", 3, Class::floating, {kFastMath}));
    t.push_back({.name = "math.fpowi", .form = Form::powi, .rule = rules::powi, .attributes = {kFastMath}});
}

void add_control(Specs& t) {
    t.push_back({.name = "scf.for",
                 .form = Form::scf_for,
                 .rule = rules::scf_for,
                 .attributes = {{"unsignedCmp", K::unit, kOptional}}});
    t.push_back({.name = "scf.while", .form = Form::scf_while, .rule = rules::scf_while});
    t.push_back({.name = "scf.if", .form = Form::scf_if, .rule = rules::scf_if});
    t.push_back({.name = "scf.execute_region",
                 .form = Form::execute_region,
                 .rule = rules::execute_region,
                 .attributes = {{"no_inline", K::unit, kOptional}}});
    t.push_back({.name = "scf.index_switch",
                 .form = Form::index_switch,
                 .rule = rules::index_switch,
                 .attributes = {{"cases", K::array_i64}}});
    t.push_back({.name = "scf.condition", .form = Form::condition, .rule = rules::condition});
    t.push_back({.name = "scf.yield", .form = Form::terminator, .rule = rules::terminator});
    t.push_back({.name = "cf.br", .form = Form::br, .rule = rules::branch});
    t.push_back({.name = "cf.cond_br",
                 .form = Form::cond_br,
                 .rule = rules::branch,
                 .sized = true,
                 .attributes = {{"branch_weights", K::any, kOptional}}});
    t.push_back({.name = "cf.switch",
                 .form = Form::switch_,
                 .rule = rules::branch,
                 .sized = true,
                 .attributes = {{"case_values", K::any, kOptional}}});
    t.push_back({.name = "cf.assert",
                 .form = Form::cf_assert,
                 .rule = rules::assertion,
                 .attributes = {{"msg", K::string}}});
    t.push_back({.name = "ub.poison",
                 .form = Form::poison,
                 .rule = rules::poison,
                 .attributes = {{"value", K::any, kOptional}}});
    t.push_back({.name = "llvm.intr.assume", .form = Form::assume, .rule = rules::assume});
    for (auto name : {"gpu.barrier", "ttg.barrier", "ttg.local_barrier"}) {
        t.push_back({.name = name, .form = Form::nothing, .rule = rules::nothing});
    }
}

void add_shape(Specs& t) {
    t.push_back({.name = "tt.splat", .form = Form::cast_arrow, .rule = rules::splat, .arity = 1});
    t.push_back({.name = "tt.unsplat", .form = Form::same, .rule = rules::unsplat, .arity = 1});
    t.push_back({.name = "tt.expand_dims",
                 .form = Form::cast_arrow,
                 .rule = rules::expand_dims,
                 .arity = 1,
                 .attributes = {kAxisAttribute}});
    t.push_back({.name = "tt.broadcast", .form = Form::cast_arrow, .rule = rules::broadcast, .arity = 1});
    t.push_back(
        {.name = "tt.reshape",
         .form = Form::reshape,
         .rule = rules::reshape,
         .attributes = {{"allow_reorder", K::unit, kOptional}, {"efficient_layout", K::unit, kOptional}}});
    t.push_back({.name = "tt.trans",
                 .form = Form::cast_arrow,
                 .rule = rules::trans,
                 .arity = 1,
                 .attributes = {{"order", K::array_i32}}});
    t.push_back({.name = "tt.cat", .form = Form::cast_arrow, .rule = rules::cat, .arity = 2});
    t.push_back({.name = "tt.join", .form = Form::cast_arrow, .rule = rules::join, .arity = 2});
    t.push_back({.name = "tt.split", .form = Form::split, .rule = rules::split});
    t.push_back({.name = "tt.make_range",
                 .form = Form::attributes_only,
                 .rule = rules::make_range,
                 .attributes = {{"start", K::i32}, {"end", K::i32}}});
    t.push_back({.name = "tt.gather",
                 .form = Form::gather,
                 .rule = rules::gather,
                 .attributes = {kAxisAttribute, {"efficient_layout", K::unit, kOptional}}});
    t.push_back({.name = "tt.histogram", .form = Form::cast_arrow, .rule = rules::histogram, .groups = "1?"});
}

void add_elementwise(Specs& t) {
    t.push_back({.name = "tt.addptr", .form = Form::addptr, .rule = rules::addptr});
    t.push_back({.name = "tt.bitcast", .form = Form::cast_arrow, .rule = rules::bitcast, .arity = 1});
    t.push_back({.name = "tt.int_to_ptr", .form = Form::cast_arrow, .rule = rules::int_to_ptr, .arity = 1});
    t.push_back({.name = "tt.ptr_to_int", .form = Form::cast_arrow, .rule = rules::ptr_to_int, .arity = 1});
    t.push_back({.name = "tt.fp_to_fp",
                 .form = Form::fp_to_fp,
                 .rule = rules::cast,
                 .arity = 1,
                 .from = Class::floating,
                 .to = Class::floating,
                 .attributes = {{"rounding", K::enum32, kOptional, kRounding}}});
    t.push_back({.name = "tt.clampf",
                 .form = Form::clampf,
                 .rule = rules::same,
                 .arity = 3,
                 .from = Class::floating,
                 .to = Class::floating,
                 .attributes = {{"propagateNan", K::enum32, kRequired, kPropagateNan}}});
    t.push_back(same("tt.precise_sqrt", 1, Class::floating));
    t.push_back(same("tt.precise_divf", 2, Class::floating));
    t.push_back(same("tt.mulhiui", 2, Class::integer));
    t.push_back({.name = "tt.elementwise_inline_asm",
                 .form = Form::inline_asm,
                 .rule = rules::elementwise,
                 .attributes = {{"asm_string", K::string},
                                {"constraints", K::string},
                                {"pure", K::boolean},
                                {"packed_element", K::i32}}});
    t.push_back(
        {.name = "tt.extern_elementwise",
         .form = Form::functional,
         .rule = rules::elementwise,
         .attributes = {
             {"libname", K::string}, {"libpath", K::string}, {"symbol", K::string}, {"pure", K::boolean}}});
    t.push_back(
        {.name = "tt.map_elementwise", .rule = rules::map_elementwise, .attributes = {{"pack", K::i32}}});
    t.push_back({.name = "tt.map_elementwise.return", .form = Form::terminator, .rule = rules::terminator});
}

void add_memory(Specs& t) {
    t.push_back({.name = "tt.load",
                 .form = Form::load,
                 .rule = rules::load,
                 .groups = "1??",
                 .sized = true,
                 .attributes = {kBoundary,
                                {"padding", K::enum32, kOptional, kPadding},
                                kCacheAttribute,
                                kEvictAttribute,
                                {"isVolatile", K::boolean, "false"}}});
    t.push_back({.name = "tt.store",
                 .form = Form::store,
                 .rule = rules::store,
                 .groups = "11?",
                 .attributes = {kBoundary, kCacheAttribute, kEvictAttribute}});
    t.push_back({.name = "tt.atomic_rmw",
                 .form = Form::atomic_rmw,
                 .rule = rules::atomic_rmw,
                 .groups = "11?",
                 .attributes = {{"atomic_rmw_op", K::enum32, kRequired, kAtomic}, kSem, kScopeAttribute}});
    t.push_back({.name = "tt.atomic_cas",
                 .form = Form::atomic_cas,
                 .rule = rules::atomic_cas,
                 .attributes = {kSem, kScopeAttribute}});
    t.push_back({.name = "tt.make_tensor_ptr",
                 .form = Form::make_tensor_ptr,
                 .rule = rules::make_tensor_ptr,
                 .groups = "1***",
                 .attributes = {{"order", K::array_i32}}});
    t.push_back({.name = "tt.advance", .form = Form::advance, .rule = rules::advance, .groups = "1*"});
    t.push_back({.name = "tt.make_tensor_descriptor",
                 .form = Form::make_descriptor,
                 .rule = rules::make_descriptor,
                 .groups = "1**",
                 .attributes = {{"padding", K::enum32, "zero", kPadding}}});
    t.push_back({.name = "tt.descriptor_load",
                 .form = Form::descriptor_load,
                 .rule = rules::descriptor_load,
                 .groups = "1*",
                 .attributes = {kCacheAttribute, kEvictAttribute}});
    t.push_back({.name = "tt.descriptor_store",
                 .form = Form::descriptor_store,
                 .rule = rules::descriptor_store,
                 .groups = "11*"});
    t.push_back({.name = "tt.descriptor_reduce",
                 .form = Form::descriptor_reduce,
                 .rule = rules::descriptor_store,
                 .groups = "11*",
                 .attributes = {{"kind", K::enum32, kRequired, kReduceKind}}});
    t.push_back(
        {.name = "tt.descriptor_gather", .form = Form::descriptor_gather, .rule = rules::descriptor_gather});
    t.push_back({.name = "tt.descriptor_scatter",
                 .form = Form::descriptor_scatter,
                 .rule = rules::descriptor_scatter});
}

void add_program(Specs& t) {
    for (auto name : {"tt.get_program_id", "tt.get_num_programs"}) {
        t.push_back({.name = name,
                     .form = Form::program_id,
                     .rule = rules::program_id,
                     .attributes = {{"axis", K::enum32, kRequired, kAxis}}});
    }
    t.push_back({.name = "tt.dot",
                 .form = Form::dot,
                 .rule = rules::dot,
                 .attributes = {{"inputPrecision", K::enum32, "ieee", kPrecision},
                                {"maxNumImpreciseAcc", K::i32, "0"}}});
    t.push_back({.name = "tt.dot_scaled",
                 .form = Form::dot_scaled,
                 .rule = rules::dot_scaled,
                 .groups = "111??",
                 .sized = true,
                 .attributes = {{"a_elem_type", K::enum32, kRequired, kScaled},
                                {"b_elem_type", K::enum32, kRequired, kScaled},
                                {"fastMath", K::boolean},
                                {"lhs_k_pack", K::boolean, "true"},
                                {"rhs_k_pack", K::boolean, "true"}}});
    t.push_back({.name = "tt.reduce", .rule = rules::reduce, .attributes = {kAxisAttribute}});
    t.push_back(
        {.name = "tt.scan", .rule = rules::scan, .attributes = {kAxisAttribute, {"reverse", K::boolean}}});
    t.push_back({.name = "tt.reduce.return", .form = Form::terminator, .rule = rules::terminator});
    t.push_back({.name = "tt.scan.return", .form = Form::terminator, .rule = rules::terminator});
    t.push_back({.name = "tt.print",
                 .form = Form::print,
                 .rule = rules::print,
                 .attributes = {{"prefix", K::string}, {"hex", K::boolean}, {"isSigned", K::array_i32}}});
    t.push_back({.name = "tt.assert",
                 .form = Form::assertion,
                 .rule = rules::assertion,
                 .attributes = {{"message", K::string}}});
    t.push_back(
        {.name = "tt.call", .form = Form::call, .rule = rules::call, .attributes = {{"callee", K::symbol}}});
    t.push_back({.name = "tt.return", .form = Form::returning, .rule = rules::terminator});
}

struct Index {
    Specs table;
    std::unordered_map<std::string_view, const OpSpec*> by_name;
    Index() {
        add_arith(table);
        add_math(table);
        add_control(table);
        add_shape(table);
        add_elementwise(table);
        add_memory(table);
        add_program(table);
        for (const OpSpec& spec : table) by_name.emplace(spec.name, &spec);
    }
};

}  // namespace

const OpSpec* find_spec(std::string_view name) {
    static const Index index;
    auto found = index.by_name.find(name);
    return found == index.by_name.end() ? nullptr : found->second;
}

const AttributeSpec* find_attribute(const OpSpec& spec, std::string_view name) {
    for (const AttributeSpec& attribute : spec.attributes) {
        if (attribute.name == name) return &attribute;
    }
    return nullptr;
}

bool is_terminator(std::string_view name) {
    const OpSpec* spec = find_spec(name);
    return spec &&
           (spec->rule == rules::terminator || spec->rule == rules::condition || spec->rule == rules::branch);
}

}  // namespace tritonsmith::ttir
