#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What TTIR text says about one operation: its pretty form, its inherent attributes with defaults, its
/// operand groups and the rule that checks it. One table for parser, printer and checker (docs/ttir.md is the
/// same for people).

/// Enumerations: MLIR's keyword and the number that the generic form has for it.
struct EnumCase {
    std::string_view name;
    int64_t number;
};

enum class AttributeKind : uint8_t {
    i32,
    i64,
    boolean,
    unit,
    string,
    symbol,
    array_i32,
    array_i64,
    enum32,
    enum64,
    fastmath,
    overflow,  ///< #arith.fastmath<…>, #arith.overflow<…>; dropped where "none"
    any
};

inline constexpr std::string_view kRequired = "!";
inline constexpr std::string_view kOptional = "?";

struct AttributeSpec {
    std::string_view name;
    AttributeKind kind;
    std::string_view fallback = kRequired;  ///< kRequired, kOptional, or the default's text
    std::span<const EnumCase> cases = {};
};

/// Shapes of pretty forms. `%` stands for an operand list, T for a type.
enum class Form : uint8_t {
    generic_only,
    same,             ///< %… attr-dict : T             all operands and the result are T
    cast_to,          ///< % attr-dict : T to T
    cast_arrow,       ///< % attr-dict : T -> T          operands (one type for all), result
    functional,       ///< %… attr-dict : (T…) -> T
    attributes_only,  ///< attr-dict : T
    terminator,       ///< %… [attr-dict] : T…           operands may be absent, with the colon
    nothing,          ///< attr-dict
    compare,
    select,
    constant,
    extended,
    poison,
    assume,
    powi,
    program_id,
    fp_to_fp,
    clampf,
    addptr,
    load,
    store,
    atomic_rmw,
    atomic_cas,
    reshape,
    split,
    dot,
    dot_scaled,
    gather,
    inline_asm,
    print,
    assertion,
    make_tensor_ptr,
    advance,
    make_descriptor,
    descriptor_load,
    descriptor_store,
    descriptor_reduce,
    descriptor_gather,
    descriptor_scatter,
    call,
    returning,
    scf_for,
    scf_while,
    scf_if,
    execute_region,
    index_switch,
    condition,
    br,
    cond_br,
    switch_,
    cf_assert
};

enum class Class : uint8_t { any, integer, floating };

struct OpSpec;
/// Throws CheckError (checker.h) when operands, results, attributes or regions' arguments do not fit
/// together.
using Rule = void (*)(const Function&, const Operation&, const OpSpec&);

struct OpSpec {
    std::string_view name;
    Form form = Form::generic_only;
    Rule rule = nullptr;
    int arity = 0;  ///< rule `same`: number of operands
    Class from = Class::any, to = Class::any;
    int width = 0;  ///< casts: +1 the result is wider, -1 narrower, 2 as wide, 0 either
    std::string_view groups =
        {};              ///< operand groups: 1 one, ? optional, * variadic; empty: `segments` stays empty
    bool sized = false;  ///< the generic form has operandSegmentSizes
    std::vector<AttributeSpec> attributes = {};
};

/// Null for an operation that TTIR does not have.
const OpSpec* find_spec(std::string_view name);
const AttributeSpec* find_attribute(const OpSpec& spec, std::string_view name);
bool is_terminator(std::string_view name);

}  // namespace tritonsmith::ttir
