#include "text/tokenizer/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "base/error.h"
#include "text/fields.h"

namespace tritonsmith::text {
namespace {

constexpr size_t jit_stack_start = size_t{32} << 10,
                 jit_stack_most = size_t{64} << 20;  // address space, not memory
constexpr uint32_t heap_most_kib = 256 << 10;

}  // namespace

RegexScratch::RegexScratch()
    : data_(pcre2_match_data_create_8(1, nullptr)),
      context_(pcre2_match_context_create_8(nullptr)),
      stack_(pcre2_jit_stack_create_8(jit_stack_start, jit_stack_most, nullptr)) {
    if (!data_ || !context_) throw MachineError("no memory for a regular expression's match");
    // Without a stack (or without JIT) the machine stack's 32 KiB serve, and then the interpreter.
    if (stack_) pcre2_jit_stack_assign_8(context_, nullptr, stack_);
    pcre2_set_heap_limit_8(context_, heap_most_kib);
}

RegexScratch::~RegexScratch() {
    pcre2_jit_stack_free_8(stack_);
    pcre2_match_context_free_8(context_);
    pcre2_match_data_free_8(data_);
}

void Regex::Free::operator()(pcre2_real_code_8* code) const {
    pcre2_code_free_8(code);
}

Regex::Regex(std::string_view pattern, const std::string& where) {
    compile(oniguruma_to_pcre2(pattern, where),
            PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, pattern, where);
}

Regex Regex::literal(std::string_view text, const std::string& where) {
    Regex result;
    result.compile(text, PCRE2_UTF | PCRE2_LITERAL, text, where);
    return result;
}

void Regex::compile(std::string_view pattern, unsigned options, std::string_view shown,
                    const std::string& where) {
    const std::unique_ptr<pcre2_compile_context_8, void (*)(pcre2_compile_context_8*)> context(
        pcre2_compile_context_create_8(nullptr), pcre2_compile_context_free_8);
    if (!context) throw MachineError("no memory for a regular expression");
    pcre2_set_newline_8(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit_8(context.get(), 100);
    int error = 0;
    PCRE2_SIZE at = 0;
    code_.reset(pcre2_compile_8(reinterpret_cast<PCRE2_SPTR8>(pattern.data()), pattern.size(), options,
                                &error, &at, context.get()));
    if (!code_) {
        PCRE2_UCHAR8 message[256] = "";
        pcre2_get_error_message_8(error, message, sizeof message);
        throw InputError(one_line(where + ": the expression " + std::string(shown.substr(0, 200)) +
                                  " cannot be compiled: " + reinterpret_cast<const char*>(message) +
                                  " (at byte " + std::to_string(at) + " of its PCRE2 form)"));
    }
    jit_ = pcre2_jit_compile_8(code_.get(), PCRE2_JIT_COMPLETE) ==
           0;  // JIT is unavailable where executable memory is forbidden
    where_ = where;
}

std::optional<Regex::Match> Regex::find(std::string_view subject, size_t from, RegexScratch& scratch) const {
    const auto text = reinterpret_cast<PCRE2_SPTR8>(subject.data() ? subject.data() : "");
    // Linear expressions may backtrack over whole runs, so the limit grows with the text; anything worse
    // fails.
    constexpr size_t limit_most = 4'000'000'000;
    pcre2_set_match_limit_8(scratch.context_,
                            static_cast<uint32_t>(std::min(limit_most, 10'000'000 + 64 * subject.size())));
    int result = jit_ ? pcre2_jit_match_8(code_.get(), text, subject.size(), from, PCRE2_NO_UTF_CHECK,
                                          scratch.data_, scratch.context_)
                      : PCRE2_ERROR_JIT_STACKLIMIT;
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match_8(code_.get(), text, subject.size(), from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                               scratch.data_, scratch.context_);
    if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (result < 0) {
        PCRE2_UCHAR8 message[256] = "";
        pcre2_get_error_message_8(result, message, sizeof message);
        throw InputError(one_line(where_ + ": the expression failed on a text of " +
                                  std::to_string(subject.size()) +
                                  " bytes: " + reinterpret_cast<const char*>(message)));
    }
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer_8(scratch.data_);
    // \K in a lookahead may set a match's beginning behind its end.
    return Match{std::min(found[0], found[1]), found[1]};
}

}  // namespace tritonsmith::text
