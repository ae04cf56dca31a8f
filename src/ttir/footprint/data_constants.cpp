#include "ttir/footprint/data_constants.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ttir/footprint/outcome_value.h"

namespace tritonsmith::ttir {

namespace {

/// factor · loaded + offset, or of its absolute value.
struct Affine {
    double factor = 1, offset = 0;
    bool absolute = false;
    bool difference = false;  ///< of two loaded numbers
};

/// What is known of a value: a number that is the same in all programs, or what was loaded.
struct Traced {
    std::optional<double> number;
    std::optional<Affine> loaded;
};

bool is_real_type(const Type& type) {
    return type.kind == Type::Kind::scalar && type.elem >= Scalar::f8e4m3fn && type.elem <= Scalar::f64;
}

class ConstantSearch {
  public:
    ConstantSearch(const Function& function, const std::vector<Argument>& arguments, size_t most)
        : function_(function), most_(most), values_(function.values.size()) {
        for (size_t i = 0; i < std::min(arguments.size(), function.parameters.size()); i++) {
            Traced& value = at(function.parameters[i]);
            if (const auto* whole = std::get_if<int64_t>(&arguments[i]))
                value.number = static_cast<double>(*whole);
            if (const auto* real = std::get_if<double>(&arguments[i])) value.number = *real;
        }
    }

    DataConstants run() {
        // What loops carry is known the second time.
        region(function_.body);
        region(function_.body);
        return std::move(found_);
    }

  private:
    Traced& at(ValueId v) { return values_[static_cast<size_t>(v)]; }
    const Type& type(ValueId v) const { return function_.values[static_cast<size_t>(v)]; }

    void region(const Region& region) {
        for (const Block& block : region.blocks)
            for (const Operation& op : block.operations) {
                enter(op);
                const bool combines = op.name == "tt.reduce" || op.name == "tt.scan";
                combining_ += combines;
                for (const Region& nested : op.regions) this->region(nested);
                combining_ -= combines;
                operation(op);
            }
    }

    /// Values that an operation hands to the blocks in it.
    void enter(const Operation& op) {
        const size_t skip = op.name == "scf.for" ? 3 : 0, skip_to = op.name == "scf.for" ? 1 : 0;
        const bool combines = op.name == "tt.reduce" || op.name == "tt.scan";
        for (const Region& nested : op.regions) {
            if (nested.blocks.empty()) continue;
            const auto& arguments = nested.blocks.front().arguments;
            for (size_t i = skip_to; i < arguments.size(); i++) {
                const size_t from =
                    combines ? i % std::max<size_t>(op.operands.size(), 1) : i - skip_to + skip;
                // What a combine region compares are two loaded numbers.
                if (from < op.operands.size()) take(arguments[i], at(op.operands[from]));
            }
        }
    }

    void take(ValueId to, const Traced& from) {
        if (!at(to).number && !at(to).loaded) at(to) = from;
    }

    void operation(const Operation& op) {
        if (op.results.empty()) return;
        Traced out;
        const auto operand = [&](size_t i) -> const Traced& { return at(op.operands[i]); };
        static const std::vector<std::string> same{
            "tt.splat",    "tt.broadcast", "tt.expand_dims", "tt.reshape",   "tt.trans",
            "arith.extf",  "arith.truncf", "arith.sitofp",   "arith.uitofp", "arith.fptosi",
            "arith.extsi", "arith.extui",  "arith.trunci",   "tt.fp_to_fp",  "ttg.convert_layout",
            "tt.reduce",   "tt.scan",      "tt.join",        "tt.cat",       "arith.index_cast"};
        if (op.name == "arith.constant") {
            out.number = constant(op);
        } else if (op.name == "tt.load" || op.name == "tt.descriptor_load") {
            if (const Type& t = type(op.results[0]); t.kind == Type::Kind::scalar) out.loaded = Affine{};
        } else if (std::find(same.begin(), same.end(), op.name) != same.end()) {
            out = operand(0);
        } else if (op.name == "math.absf" || op.name == "math.absi") {
            out = operand(0);
            if (out.number) out.number = std::abs(*out.number);
            if (out.loaded && (out.loaded->absolute || out.loaded->offset != 0)) out.loaded.reset();
            if (out.loaded)
                out.loaded = Affine{std::abs(out.loaded->factor), 0, true, out.loaded->difference};
        } else if (op.name == "arith.negf") {
            out = affine(RealOp::subtract, Traced{0.0, std::nullopt}, operand(0));
        } else if (op.name == "arith.select") {
            out = operand(1).loaded ? operand(1) : operand(2);
        } else if (op.name == "scf.for" || op.name == "scf.if" || op.name == "scf.while") {
            return yields(op);
        } else if (op.operands.size() == 2) {
            binary(op, out);
        }
        for (ValueId v : op.results) at(v) = out;
    }

    void yields(const Operation& op) {
        for (const Region& nested : op.regions)
            if (!nested.blocks.empty() && !nested.blocks.back().operations.empty()) {
                const auto& last = nested.blocks.back().operations.back().operands;
                for (size_t i = 0; i < std::min(last.size(), op.results.size()); i++)
                    if (at(last[i]).loaded) at(op.results[i]) = at(last[i]);
            }
    }

    void binary(const Operation& op, Traced& out) {
        const Traced &a = at(op.operands[0]), &b = at(op.operands[1]);
        const bool compares = op.name == "arith.cmpf" || op.name == "arith.cmpi";
        const RealOp real = real_op(op.name);
        const IntegerOp integer = integer_op(op.name);
        const bool least_or_most = real == RealOp::least || real == RealOp::most ||
                                   integer == IntegerOp::least || integer == IntegerOp::most;
        if (compares && a.loaded && b.loaded && combining_ == 0) found_.with_each_other = true;
        if (compares || least_or_most) {
            if (a.loaded && b.number) note(*a.loaded, *b.number, is_real_type(type(op.operands[0])));
            if (b.loaded && a.number) note(*b.loaded, *a.number, is_real_type(type(op.operands[0])));
            if (least_or_most) out = a.loaded ? a : b;
            return;
        }
        if (real != RealOp::other) out = affine(real, a, b);
        if (integer == IntegerOp::add) out = affine(RealOp::add, a, b);
        if (integer == IntegerOp::subtract) out = affine(RealOp::subtract, a, b);
        if (integer == IntegerOp::multiply) out = affine(RealOp::multiply, a, b);
    }

    static Traced affine(RealOp op, const Traced& a, const Traced& b) {
        Traced out;
        if (a.number && b.number) {
            out.number = op == RealOp::add        ? *a.number + *b.number
                         : op == RealOp::subtract ? *a.number - *b.number
                         : op == RealOp::multiply ? *a.number * *b.number
                                                  : *a.number / *b.number;
            return out;
        }
        if (a.loaded && b.loaded && op == RealOp::subtract) {
            out.loaded = Affine{.difference = true};
            return out;
        }
        const bool first = a.loaded.has_value();
        const std::optional<double> number = first ? b.number : a.number;
        if (!number || !(first ? a : b).loaded) return out;
        Affine loaded = *(first ? a : b).loaded;
        if (op == RealOp::subtract && !first) loaded.factor *= -1, loaded.offset *= -1;
        if (op == RealOp::add || op == RealOp::subtract) {
            loaded.offset += op == RealOp::subtract && first ? -*number : *number;
        } else if (op == RealOp::multiply || (op == RealOp::divide && first)) {
            const double by = op == RealOp::multiply ? *number : 1 / *number;
            loaded.factor *= by;
            loaded.offset *= by;
        } else {
            return out;
        }
        if (loaded.factor != 0 && std::isfinite(loaded.factor) && std::isfinite(loaded.offset))
            out.loaded = loaded;
        return out;
    }

    void note(const Affine& loaded, double compared, bool real) {
        found_.with_each_other |= loaded.difference;
        const double value = (compared - loaded.offset) / loaded.factor;
        if (!std::isfinite(value)) return;
        std::vector<double>& list = real ? found_.reals : found_.integers;
        for (double v : {value, loaded.absolute ? -value : value})
            if (list.size() < most_ && std::find(list.begin(), list.end(), v) == list.end())
                list.push_back(v);
    }

    std::optional<double> constant(const Operation& op) const {
        const auto found = op.attributes.find("value");
        const Type& t = type(op.results.front());
        if (found == op.attributes.end() || t.kind != Type::Kind::scalar) return std::nullopt;
        if (const auto* number = std::get_if<TypedInt>(&found->second.v))
            return static_cast<double>(number->value);
        std::optional<uint64_t> bits;
        if (const auto* real = std::get_if<TypedFloat>(&found->second.v)) bits = real->bits;
        if (const auto* dense = std::get_if<Dense>(&found->second.v);
            dense != nullptr && dense->bits.size() == 1)
            bits = dense->bits.front();
        if (!bits) return std::nullopt;
        if (is_followed_real(t.elem)) return real_of(*bits, t.elem);
        if (t.elem <= Scalar::index)
            return static_cast<double>(wrapped_number(static_cast<int64_t>(*bits), t.elem));
        return narrow(*bits, t.elem);
    }

    static std::optional<double> narrow(uint64_t bits, Scalar elem) {
        if (elem == Scalar::bf16) return real_of(bits << 16, Scalar::f32);
        if (elem != Scalar::f16) return std::nullopt;
        const auto exponent = static_cast<int>(bits >> 10 & 31), mantissa = static_cast<int>(bits & 1023);
        if (exponent == 31) return std::nullopt;
        const double value =
            std::ldexp(exponent == 0 ? mantissa : mantissa + 1024, std::max(exponent, 1) - 25);
        return (bits >> 15 & 1) != 0 ? -value : value;
    }

    const Function& function_;
    size_t most_;
    std::vector<Traced> values_;
    int combining_ = 0;  ///< how deep in what reductions and scans do with two elements
    DataConstants found_;
};

}  // namespace

DataConstants data_constants(const Module& module, const std::vector<Argument>& arguments, size_t most) {
    const Function* entry = module.entry();
    return entry == nullptr ? DataConstants{} : ConstantSearch(*entry, arguments, most).run();
}

}  // namespace tritonsmith::ttir
