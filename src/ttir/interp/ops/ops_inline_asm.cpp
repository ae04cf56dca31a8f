// tt.elementwise_inline_asm: assembly of allowed instructions runs, anything else is a finding where it is
// reached.
#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"
#include "ttir/ptx/ptx.h"

namespace tritonsmith::ttir {
namespace {

struct RefusedStep : Step {
    std::string text, why;
    void run(Context& ctx) const override {
        ctx.find(*this, "inline_asm",
                 "inline assembly is not interpreted: " + why + ": " + shortened(text, 80),
                 {{"asm", shortened(text, 400)}, {"why", why}}, true);
    }
};

/// One value in registers: `packed` elements at a time, as many of them in one register as fit into 32 bits.
struct Registers {
    Operand operand;   ///< of arguments
    int64_t slot = 0;  ///< of results
    int size = 4, per_register = 1, first = 0;
};

struct InlineAsmStep : Step {
    PtxCode code{"", 0, 0};
    std::vector<Registers> results, arguments;
    int64_t count = 1, packed = 1;

    void run(Context& ctx) const override {
        std::vector<const std::byte*> in;
        in.reserve(arguments.size());
        for (const Registers& a : arguments) in.push_back(a.operand.get(ctx));
        std::vector<uint64_t> registers(static_cast<size_t>(code.registers()));
        for (int64_t at = 0; at < count; at += packed) {
            std::fill(registers.begin(), registers.end(), 0);
            for (size_t a = 0; a < arguments.size(); ++a)
                each(arguments[a], [&](int reg, int64_t element, int shift) {
                    uint64_t bits = 0;
                    std::memcpy(&bits, in[a] + std::min(at + element, count - 1) * arguments[a].size,
                                static_cast<size_t>(arguments[a].size));
                    registers[static_cast<size_t>(reg)] |= bits << shift;
                });
            code.run(registers.data());
            for (const Registers& r : results)
                each(r, [&](int reg, int64_t element, int shift) {
                    const uint64_t bits = registers[static_cast<size_t>(reg)] >> shift;
                    if (at + element < count)
                        std::memcpy(ctx.at(r.slot) + (at + element) * r.size, &bits,
                                    static_cast<size_t>(r.size));
                });
        }
        ctx.spend(count * 8);
    }
    template <class F>
    void each(const Registers& value, F&& f) const {
        for (int64_t e = 0; e < packed; ++e)
            f(value.first + static_cast<int>(e / value.per_register), e,
              static_cast<int>(e % value.per_register) * value.size * 8);
    }
};

/// Constraint letters and sizes: r 32 bits, h 16, l 64, f float32, d float64, each register one.
bool fits(char letter, int bytes) {
    switch (letter) {
        case 'h':
            return bytes <= 2;
        case 'r':
        case 'f':
            return bytes <= 4;
        case 'l':
        case 'd':
            return bytes == 8;
        default:
            return false;
    }
}

/// "=r,=&r,r,h": results before arguments. Empty, or what is wrong.
std::string check_constraints(const std::string& text, const std::vector<int>& result_bytes,
                              const std::vector<int>& argument_bytes) {
    size_t at = 0, seen = 0;
    const size_t expected = result_bytes.size() + argument_bytes.size();
    while (at <= text.size()) {
        const size_t end = std::min(text.find(',', at), text.size());
        std::string one = text.substr(at, end - at);
        at = end + 1;
        std::erase(one, ' ');
        if (one.empty() && expected == 0) break;
        if (one.starts_with("~")) continue;  // clobbers: nothing outside of the named registers is touched
        if (seen == expected) return "more constraints than operands";
        const bool result = seen < result_bytes.size();
        if (result != one.starts_with("=")) return "the constraints " + text;
        std::erase(one, '=');
        std::erase(one, '&');
        const int bytes = result ? result_bytes[seen] : argument_bytes[seen - result_bytes.size()];
        if (one.size() != 1 || !fits(one[0], bytes)) return "the constraint " + one;
        ++seen;
    }
    return seen == expected ? "" : "fewer constraints than operands";
}

void emit_inline_asm(Builder& b, const Operation& op) {
    InlineAsmStep step;
    step.packed = int_attribute(op, "packed_element", 1);
    int next = 0;
    std::vector<int> bytes[2];
    const auto registers = [&](ValueId v, std::vector<int>& sizes) {
        Registers r;
        r.size = element_size(b.layout(v).elem);
        r.per_register = static_cast<int>(std::min<int64_t>(step.packed, std::max(1, 4 / r.size)));
        r.first = next;
        for (int64_t e = 0; e < step.packed; e += r.per_register, ++next)
            sizes.push_back(r.size * r.per_register);
        return r;
    };
    for (ValueId v : op.results) {
        step.results.push_back(registers(v, bytes[0]));
        step.results.back().slot = b.slot(v);
    }
    bool lanes = false;
    for (ValueId v : op.operands) {
        lanes = lanes || b.layout(v).lanes;
        step.arguments.push_back(registers(v, bytes[1]));
        step.arguments.back().operand = b.full_operand(v);
    }
    const std::string text = string_attribute(op, "asm_string");
    step.code = PtxCode(text, static_cast<int>(bytes[0].size()), static_cast<int>(bytes[1].size()));
    step.count = b.type(op.results[0]).count();
    std::string why = step.code.refusal();
    if (why.empty()) why = check_constraints(string_attribute(op, "constraints"), bytes[0], bytes[1]);
    if (why.empty() && lanes) why = "inside of a reduction";
    if (why.empty()) {
        b.emit(op, std::move(step));
        return;
    }
    RefusedStep refused;
    refused.text = text;
    refused.why = why;
    b.emit(op, std::move(refused));
}

}  // namespace

void add_inline_asm_emitters(Emitters& t) {
    t["tt.elementwise_inline_asm"] = emit_inline_asm;
}

}  // namespace tritonsmith::ttir
