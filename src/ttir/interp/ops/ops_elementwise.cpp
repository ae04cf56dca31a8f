// arith.*, math.* and the elementwise part of tt.*.
#include "ttir/interp/ops/ops_elementwise.h"

#include <set>

#include "ttir/interp/simd/libdevice.h"

namespace tritonsmith::ttir {
namespace {

using Check = ElementwiseStep::Check;

std::string bare(const std::string& name) {
    return name.substr(name.find('.') + 1);
}

Scalar integer_of_size(int size) {
    return size == 1 ? Scalar::i8 : size == 2 ? Scalar::i16 : size == 4 ? Scalar::i32 : Scalar::i64;
}

const char* kernel_suffix(Scalar s) {
    switch (s) {
        case Scalar::i1:
            return "i1";
        case Scalar::i8:
            return "i8";
        case Scalar::i16:
            return "i16";
        case Scalar::i32:
            return "i32";
        default:
            return "i64";
    }
}

}  // namespace

Scalar compute_type(Scalar type) {
    return is_small_float(type) ? Scalar::f32 : type;
}

bool emit_elementwise(Builder& b, const Operation& op, const std::vector<ValueId>& operands, ValueId result,
                      const ElementwiseSpec& spec) {
    ElementwiseStep step;
    step.fn = spec.fn != nullptr ? spec.fn : find_kernel(spec.kernel, spec.type);
    if (step.fn == nullptr) return false;
    const Layout& target = b.layout(result);
    step.direct = true;
    for (ValueId v : operands) {
        const Layout& l = b.layout(v);
        ElementwiseStep::Input in;
        in.slot = b.slot(v);
        in.size = element_size(l.elem);
        in.wide = in.size;
        in.lanes = l.lanes;
        in.poison = b.poison_key(v);
        if (target.lanes)
            in.expand.scalar = !l.lanes;
        else
            in.expand = l.shape.empty() ? Expand(target.shape, 0, target.stored)
                                        : Expand(l.shape, l.stored, target.stored);
        if (is_small_float(l.elem) && !is_small_float(spec.type) && is_float(spec.type)) {
            in.widen = find_kernel("to_f32", l.elem);
            in.wide = 4;
            step.direct = false;
        }
        if (target.lanes ? in.expand.scalar : !in.expand.identity) step.direct = false;
        step.inputs.push_back(std::move(in));
    }
    step.out_size = element_size(target.elem);
    step.wide_out = step.out_size;
    if (is_small_float(target.elem) && is_float(spec.result) && !is_small_float(spec.result)) {
        if (spec.result == Scalar::f64) step.odd = find_kernel("narrow_odd", Scalar::f64);
        step.narrow = find_kernel(spec.rtz ? "from_f32_rtz" : "from_f32", target.elem);
        step.direct = false;
    }
    step.count = target.lanes ? 0 : target.count();
    step.flops = spec.flops;
    step.check = spec.check;
    if (spec.check != Check::none) step.bad = find_check(spec.check_name, spec.type);
    if (!target.lanes) step.poison = b.poison_key(result);
    if (step.poison >= 0 && step.check == Check::none && spec.type == Scalar::i32) {
        step.bad = find_check(spec.kernel, Scalar::i32);  // sums, differences and products
        if (step.bad != nullptr) step.check = Check::overflow;
    }
    step.unmasked = b.unmasked(result);
    step.what = bare(op.name);
    step.out = b.slot_in_place(result, operands);
    b.emit(op, std::move(step));
    return true;
}

namespace {

void plain(Builder& b, const Operation& op, ElementwiseSpec spec) {
    if (!emit_elementwise(b, op, op.operands, op.results[0], spec))
        b.emit_unsupported(op, "the interpreter does not have " + op.name + " on this type");
}

Scalar operand_type(Builder& b, const Operation& op, size_t i = 0) {
    return b.layout(op.operands[i]).elem;
}

void emit_int(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = bare(op.name);
    s.type = s.result = operand_type(b, op);
    if (s.kernel == "shli" || s.kernel == "shrsi" || s.kernel == "shrui") {
        s.check = Check::shift;
        s.check_name = "shift";
    } else if (s.kernel == "divsi" || s.kernel == "remsi" || s.kernel == "ceildivsi" ||
               s.kernel == "floordivsi") {
        s.check = Check::division;
        s.check_name = "divs";
    } else if (s.kernel == "divui" || s.kernel == "remui" || s.kernel == "ceildivui") {
        s.check = Check::division;
        s.check_name = "divu";
    }
    plain(b, op, s);
}

void emit_float(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = bare(op.name);
    s.type = s.result = compute_type(operand_type(b, op));
    s.flops = s.kernel == "fma" ? 2 : s.kernel == "negf" || s.kernel == "absf" ? 0 : 1;
    plain(b, op, s);
}

void emit_cmpi(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = "cmpi." + enum_attribute(op, "predicate");
    s.type = operand_type(b, op);
    s.result = Scalar::i1;
    plain(b, op, s);
}

void emit_cmpf(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = "cmpf." + enum_attribute(op, "predicate");
    s.type = compute_type(operand_type(b, op));
    s.result = Scalar::i1;
    plain(b, op, s);
}

void emit_select(Builder& b, const Operation& op) {
    if (b.layout(op.results[0]).descriptor) return b.emit_unsupported(op, "a choice between descriptors");
    ElementwiseSpec s;
    s.kernel = "select";
    s.type = s.result = integer_of_size(element_size(b.layout(op.results[0]).elem));
    plain(b, op, s);
}

void emit_clampf(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = "clampf." + enum_attribute(op, "propagateNan", "none");
    s.type = s.result = compute_type(operand_type(b, op));
    s.flops = 2;
    plain(b, op, s);
}

/// Integers to wider, narrower or as wide integers.
void emit_int_cast(Builder& b, const Operation& op) {
    const Scalar from = operand_type(b, op), to = b.layout(op.results[0]).elem;
    ElementwiseSpec s;
    s.type = from;
    s.result = to;
    const bool is_unsigned = op.name == "arith.extui" || op.name == "arith.index_castui";
    const int a = element_size(from), r = element_size(to);
    if (from == to) {
        s.kernel = "ori";
        return b.emit_copy(op, b.slot(op.operands[0]), op.results[0], b.layout(op.operands[0]));
    }
    if (to == Scalar::i1 || r < a)
        s.kernel = std::string("trunci.") + kernel_suffix(to);
    else
        s.kernel = std::string(is_unsigned ? "extui." : "extsi.") + kernel_suffix(to);
    plain(b, op, s);
}

void emit_int_to_float(Builder& b, const Operation& op) {
    const Scalar to = b.layout(op.results[0]).elem;
    ElementwiseSpec s;
    // Small results are rounded once: through double.
    s.result = to == Scalar::f32 ? Scalar::f32 : Scalar::f64;
    s.type = operand_type(b, op);
    s.kernel = bare(op.name) + (s.result == Scalar::f32 ? ".f32" : ".f64");
    plain(b, op, s);
}

void emit_float_to_int(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.type = compute_type(operand_type(b, op));
    s.result = b.layout(op.results[0]).elem;
    s.kernel = bare(op.name) + "." + kernel_suffix(s.result);
    plain(b, op, s);
}

/// extf, truncf, tt.fp_to_fp.
void emit_float_cast(Builder& b, const Operation& op) {
    const Scalar from = compute_type(operand_type(b, op)), to = compute_type(b.layout(op.results[0]).elem);
    const bool small = is_small_float(b.layout(op.results[0]).elem);
    ElementwiseSpec s;
    s.type = from;
    s.rtz = enum_attribute(op, "rounding") == "rtz" || enum_attribute(op, "roundingmode") == "toward_zero";
    if (from == Scalar::f64 && small) {
        s.kernel = "copy";
        s.result = Scalar::f64;
    } else if (from == to) {
        s.kernel = "copy";
        s.result = to;
    } else {
        s.kernel = to == Scalar::f64 ? "float.f64" : s.rtz ? "float_rtz.f32" : "float.f32";
        s.result = to;
    }
    plain(b, op, s);
}

void emit_addptr(Builder& b, const Operation& op) {
    const Type& pointer = b.type(op.operands[0]);
    const Type& pointee = *pointer.pointee;
    const Scalar offset = operand_type(b, op, 1);
    const int size = pointee.kind == Type::Kind::pointer ? 8 : element_size(stored_scalar(pointee));
    ElementwiseSpec s;
    s.kernel = "addptr." + std::to_string(size);
    s.type = offset;
    s.result = Scalar::i64;
    plain(b, op, s);
}

const std::set<std::string_view>& int_names() {
    static const std::set<std::string_view> names = {
        "arith.addi",  "arith.subi",      "arith.muli",      "arith.divsi",      "arith.divui", "arith.remsi",
        "arith.remui", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi", "arith.andi",  "arith.ori",
        "arith.xori",  "arith.shli",      "arith.shrsi",     "arith.shrui",      "arith.maxsi", "arith.maxui",
        "arith.minsi", "arith.minui",     "tt.mulhiui",      "math.absi",        "math.ctlz",   "math.cttz",
        "math.ctpop",  "math.ipowi"};
    return names;
}
const std::set<std::string_view>& float_names() {
    static const std::set<std::string_view> names = {
        "arith.addf",     "arith.subf",     "arith.mulf",    "arith.divf",    "arith.remf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.negf",
        "math.absf",      "math.acos",      "math.acosh",    "math.asin",     "math.asinh",
        "math.atan",      "math.atanh",     "math.cbrt",     "math.ceil",     "math.cos",
        "math.cosh",      "math.erf",       "math.erfc",     "math.exp",      "math.exp2",
        "math.expm1",     "math.floor",     "math.fma",      "math.log",      "math.log10",
        "math.log1p",     "math.log2",      "math.powf",     "math.round",    "math.roundeven",
        "math.rsqrt",     "math.sin",       "math.sinh",     "math.sqrt",     "math.tan",
        "math.tanh",      "math.trunc",     "math.atan2",    "math.copysign", "tt.precise_sqrt",
        "tt.precise_divf"};
    return names;
}
const std::set<std::string_view>& other_names() {
    static const std::set<std::string_view> names = {"arith.cmpi",
                                                     "arith.cmpf",
                                                     "arith.select",
                                                     "arith.extf",
                                                     "arith.extsi",
                                                     "arith.extui",
                                                     "arith.truncf",
                                                     "arith.trunci",
                                                     "arith.sitofp",
                                                     "arith.uitofp",
                                                     "arith.fptosi",
                                                     "arith.fptoui",
                                                     "arith.bitcast",
                                                     "arith.index_cast",
                                                     "arith.index_castui",
                                                     "tt.bitcast",
                                                     "tt.fp_to_fp",
                                                     "tt.clampf",
                                                     "tt.addptr",
                                                     "tt.int_to_ptr",
                                                     "tt.ptr_to_int",
                                                     "tt.extern_elementwise",
                                                     "arith.addui_extended",
                                                     "arith.mulsi_extended",
                                                     "arith.mului_extended",
                                                     "math.fpowi",
                                                     "math.isnan",
                                                     "math.isinf",
                                                     "math.isfinite"};
    return names;
}

void emit_extern(Builder& b, const Operation& op) {
    const std::string symbol = string_attribute(op, "symbol");
    ElementwiseSpec s;
    s.fn = find_libdevice(symbol);
    if (s.fn == nullptr) return b.emit_unsupported(op, "the library function " + symbol);
    s.type = s.result = b.layout(op.results[0]).elem;
    s.flops = is_float(s.result) ? 1 : 0;
    for (ValueId v : op.operands)
        if (is_small_float(b.layout(v).elem) || op.operands.size() > 4)
            return b.emit_unsupported(op, "the library function " + symbol + " on this type");
    plain(b, op, s);
}

void emit_powi(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.type = s.result = compute_type(operand_type(b, op));
    s.fn = find_libdevice(s.type == Scalar::f64 ? "__nv_powi" : "__nv_powif");
    s.flops = 1;
    if (operand_type(b, op, 1) != Scalar::i32)
        return b.emit_unsupported(op, "math.fpowi with an exponent that is not i32");
    plain(b, op, s);
}

void emit_classify(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.kernel = bare(op.name);
    s.type = compute_type(operand_type(b, op));
    s.result = Scalar::i1;
    plain(b, op, s);
}

/// Low half or sum, and high half or carry.
void emit_extended(Builder& b, const Operation& op) {
    ElementwiseSpec s;
    s.type = s.result = operand_type(b, op);
    const bool add = op.name == "arith.addui_extended";
    s.kernel = add ? "addi" : "muli";
    b.slot(op.results[0]);  // not in place: the operands are read twice
    b.slot(op.results[1]);
    bool done = emit_elementwise(b, op, op.operands, op.results[0], s);
    if (add) {
        s.kernel = "cmpi.ult";
        s.result = Scalar::i1;
        done = done && emit_elementwise(b, op, {op.results[0], op.operands[0]}, op.results[1], s);
    } else {
        s.kernel = op.name == "arith.mulsi_extended" ? "mulhisi" : "mulhiui";
        done = done && emit_elementwise(b, op, op.operands, op.results[1], s);
    }
    if (!done) b.emit_unsupported(op, "the interpreter does not have " + op.name + " on this type");
}

}  // namespace

bool is_elementwise(std::string_view name) {
    return int_names().count(name) != 0 || float_names().count(name) != 0 || other_names().count(name) != 0;
}

void add_elementwise_emitters(Emitters& t) {
    for (std::string_view name : int_names()) t[name] = emit_int;
    for (std::string_view name : float_names()) t[name] = emit_float;
    t["arith.cmpi"] = emit_cmpi;
    t["arith.cmpf"] = emit_cmpf;
    t["arith.select"] = emit_select;
    t["tt.clampf"] = emit_clampf;
    for (const char* n :
         {"arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui"})
        t[n] = emit_int_cast;
    for (const char* n : {"arith.sitofp", "arith.uitofp"}) t[n] = emit_int_to_float;
    for (const char* n : {"arith.fptosi", "arith.fptoui"}) t[n] = emit_float_to_int;
    for (const char* n : {"arith.extf", "arith.truncf", "tt.fp_to_fp"}) t[n] = emit_float_cast;
    for (const char* n : {"arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended"})
        t[n] = emit_extended;
    for (const char* n : {"math.isnan", "math.isinf", "math.isfinite"}) t[n] = emit_classify;
    t["tt.addptr"] = emit_addptr;
    t["tt.extern_elementwise"] = emit_extern;
    t["math.fpowi"] = emit_powi;
}

}  // namespace tritonsmith::ttir
