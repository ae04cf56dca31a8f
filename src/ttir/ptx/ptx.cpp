// The text of inline assembly to instructions.
#include "ttir/ptx/ptx.h"

#include <bit>
#include <cctype>
#include <cstdlib>
#include <map>

namespace tritonsmith::ttir {
namespace {

constexpr size_t kMostStatements = 1000;

struct Refused {
    std::string why;
};

bool word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '$' || c == '.';
}

}  // namespace

int ptx_bits(PtxType type) {
    switch (type) {
        case PtxType::b8:
        case PtxType::u8:
        case PtxType::s8:
            return 8;
        case PtxType::b16:
        case PtxType::u16:
        case PtxType::s16:
        case PtxType::f16:
        case PtxType::bf16:
        case PtxType::e4m3x2:
        case PtxType::e5m2x2:
            return 16;
        case PtxType::b64:
        case PtxType::u64:
        case PtxType::s64:
        case PtxType::f64:
            return 64;
        case PtxType::pred:
            return 1;
        default:
            return 32;
    }
}

class PtxParser {
  public:
    PtxParser(const std::string& text, int results, int arguments, PtxCode& code)
        : text_(text), code_(code), results_(results), operands_(results + arguments) {
        code_.widths_.assign(static_cast<size_t>(operands_), 64);
        written_.assign(static_cast<size_t>(results), false);
        written_.resize(static_cast<size_t>(operands_), true);
    }

    void parse() {
        for (skip(); at_ < text_.size(); skip()) {
            if (take("{")) {
                scopes_.emplace_back();
            } else if (take("}")) {
                if (scopes_.size() == 1) throw Refused{"a brace without its pair"};
                scopes_.pop_back();
            } else if (!take(";")) {
                statement();
            }
            if (code_.instructions_.size() > kMostStatements) throw Refused{"too long"};
        }
        if (scopes_.size() != 1) throw Refused{"a brace without its pair"};
        // Triton gives such assembly a result that nobody uses (triton/language/extra/cuda/gdc.py).
        for (int r = 0; r < (controls_grid_ ? 0 : results_); ++r)
            if (!written_[static_cast<size_t>(r)]) throw Refused{"nothing writes $" + std::to_string(r)};
    }

  private:
    void skip() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
                ++at_;
            else if (text_.compare(at_, 2, "//") == 0)
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_.compare(at_, 2, "/*") == 0)
                at_ = end_of_comment();
            else
                break;
        }
    }
    size_t end_of_comment() const {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string::npos) throw Refused{"a comment without its end"};
        return end + 2;
    }
    bool take(const char* token) {
        skip();
        const std::string_view t(token);
        if (text_.compare(at_, t.size(), t) != 0) return false;
        at_ += t.size();
        return true;
    }
    void expect(const char* token) {
        if (!take(token)) throw Refused{std::string("'") + token + "' is missing"};
    }
    std::string word() {
        skip();
        const size_t begin = at_;
        while (at_ < text_.size() && word_char(text_[at_])) ++at_;
        if (begin == at_) throw Refused{"a name is missing before '" + text_.substr(at_, 10) + "'"};
        return text_.substr(begin, at_ - begin);
    }

    void statement() {
        PtxInstruction instruction;
        if (take("@")) {
            instruction.guard_not = take("!");
            instruction.guard = reg(word());
        }
        const std::string name = word();
        if (name == ".reg") return declare();
        if (name == "griddepcontrol.wait" || name == "griddepcontrol.launch_dependents") {
            if (instruction.guard >= 0) throw Refused{"a condition before " + name};
            expect(";");
            controls_grid_ = true;
            code_.waits_for_grid_ |= name == "griddepcontrol.wait";
            return;
        }
        std::vector<std::string> words;
        for (size_t begin = 0; begin <= name.size();) {
            const size_t end = std::min(name.find('.', begin), name.size());
            words.push_back(name.substr(begin, end - begin));
            begin = end + 1;
        }
        if (!resolve_ptx(words, instruction)) throw Refused{"'" + name + "' is not in the list"};
        instruction.destination = operand(false);
        while (take(",")) instruction.sources.push_back(operand(true));
        expect(";");
        check(name, words[0], instruction);
        follow(instruction);
        code_.instructions_.push_back(std::move(instruction));
    }

    /// As many sources as the instruction reads, and vectors only where they are packed or unpacked.
    static void check(const std::string& name, const std::string& opcode, const PtxInstruction& i) {
        if (i.sources.size() != i.arity) throw Refused{"'" + name + "' with this number of operands"};
        size_t vectors = i.destination.parts.empty() ? 0 : 1;
        for (const PtxOperand& s : i.sources) vectors += s.parts.empty() ? 0 : 1;
        if (vectors > 1 || (vectors == 1 && opcode != "mov")) throw Refused{"a vector in '" + name + "'"};
    }

    /// Registers are written before they are read, and arguments never.
    void follow(const PtxInstruction& i) {
        const auto read = [&](int r) {
            if (r >= 0 && !written_[static_cast<size_t>(r)])
                throw Refused{"a register is read before it is written"};
        };
        read(i.guard);
        for (const PtxOperand& s : i.sources) {
            read(s.reg);
            for (const PtxOperand& part : s.parts) read(part.reg);
        }
        const auto write = [&](int r) {
            if (r >= results_ && r < operands_) throw Refused{"an argument is written"};
            written_[static_cast<size_t>(r)] = true;
        };
        if (i.destination.parts.empty()) write(i.destination.reg);
        for (const PtxOperand& part : i.destination.parts) write(part.reg);
    }

    void declare() {
        const std::string kind = word();
        static const std::map<std::string, int> widths = {
            {".pred", 1}, {".b8", 8},     {".b16", 16},  {".b32", 32},   {".b64", 64},
            {".u8", 8},   {".u16", 16},   {".u32", 32},  {".u64", 64},   {".s8", 8},
            {".s16", 16}, {".s32", 32},   {".s64", 64},  {".f16", 16},   {".f32", 32},
            {".f64", 64}, {".f16x2", 32}, {".bf16", 16}, {".bf16x2", 32}};
        const auto width = widths.find(kind);
        if (width == widths.end()) throw Refused{"registers of type " + kind};
        do {
            const std::string name = word();
            int64_t count = -1;
            if (take("<")) {
                count = std::strtoll(word().c_str(), nullptr, 10);
                expect(">");
                if (count < 1 || count > 256) throw Refused{"this many registers"};
            }
            for (int64_t i = 0; i < std::max<int64_t>(count, 1); ++i) {
                scopes_.back()[count < 0 ? name : name + std::to_string(i)] = code_.registers();
                code_.widths_.push_back(width->second);
                written_.push_back(false);
            }
        } while (take(","));
        expect(";");
    }

    int reg(const std::string& name) const {
        if (name[0] == '$') {
            char* end = nullptr;
            const int64_t number = std::strtoll(name.c_str() + 1, &end, 10);
            if (name.size() < 2 || *end != 0 || number < 0 || number >= operands_)
                throw Refused{"the operand " + name};
            return static_cast<int>(number);
        }
        for (size_t s = scopes_.size(); s-- > 0;)
            if (const auto it = scopes_[s].find(name); it != scopes_[s].end()) return it->second;
        throw Refused{"the register " + name};
    }

    PtxOperand operand(bool source) {
        PtxOperand out;
        if (take("{")) {
            do out.parts.push_back(operand(source));
            while (take(","));
            expect("}");
            if (out.parts.size() < 2 || out.parts.size() > 4) throw Refused{"a vector of this size"};
            return out;
        }
        const bool negative = take("-");
        const std::string name = word();
        if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) {
            if (negative) throw Refused{"a sign before " + name};
            if (name == "_" && !source) throw Refused{"a result that is not kept"};
            out.reg = reg(name);
            return out;
        }
        if (!source) throw Refused{"a number as a result"};
        out.value = number(name);
        if (negative) out.value = 0 - out.value;
        return out;
    }

    static uint64_t number(std::string text) {
        char* end = nullptr;
        const std::string prefix = text.substr(0, 2);
        uint64_t value = 0;
        if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") {
            value = std::strtoull(text.c_str() + 2, &end, 16);
        } else if (text.find('.') != std::string::npos) {
            throw Refused{"the number " + text};  // of a type that its instruction decides
        } else {
            if (text.back() == 'U') text.pop_back();
            const bool binary = prefix == "0b" || prefix == "0B";
            value = std::strtoull(text.c_str() + (binary ? 2 : 0), &end, binary ? 2 : 0);
        }
        if (*end != 0) throw Refused{"the number " + text};
        return value;
    }

    const std::string& text_;
    PtxCode& code_;
    int results_, operands_;
    std::vector<bool> written_;  ///< by register
    bool controls_grid_ = false;
    size_t at_ = 0;
    std::vector<std::map<std::string, int>> scopes_{1};
};

PtxCode::PtxCode(const std::string& text, int results, int arguments) {
    try {
        PtxParser(text, results, arguments, *this).parse();
    } catch (const Refused& refused) {
        refusal_ = refused.why;
    }
}

namespace {

uint64_t low_bits(uint64_t value, int bits) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

}  // namespace

void PtxCode::run(uint64_t* registers) const {
    const auto read = [&](const PtxOperand& o) { return o.reg < 0 ? o.value : registers[o.reg]; };
    for (const PtxInstruction& i : instructions_) {
        if (i.guard >= 0 && ((registers[i.guard] & 1) != 0) == i.guard_not) continue;
        std::array<uint64_t, 4> sources{};
        for (size_t s = 0; s < i.sources.size(); ++s) {
            const std::vector<PtxOperand>& parts = i.sources[s].parts;
            if (parts.empty()) {
                sources[s] = read(i.sources[s]);
                continue;
            }
            const int width = ptx_bits(i.type) / static_cast<int>(parts.size());
            for (size_t p = 0; p < parts.size(); ++p)
                sources[s] |= low_bits(read(parts[p]), width) << (static_cast<int>(p) * width);
        }
        const uint64_t result = i.run(i, sources.data());
        if (i.destination.parts.empty()) {
            const auto to = static_cast<size_t>(i.destination.reg);
            registers[to] = low_bits(result, widths_[to]);
            continue;
        }
        const int width = ptx_bits(i.type) / static_cast<int>(i.destination.parts.size());
        for (size_t p = 0; p < i.destination.parts.size(); ++p)
            registers[i.destination.parts[p].reg] = low_bits(result >> (static_cast<int>(p) * width), width);
    }
}

}  // namespace tritonsmith::ttir
