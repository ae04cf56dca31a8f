#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// PCRE2's own types, named so that its header stays in regex.cpp.
struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;
struct pcre2_real_jit_stack_8;

namespace tritonsmith::text {

/// Match data and stack of one thread, for any number of expressions, one at a time.
class RegexScratch {
  public:
    /// @throws MachineError if there is no memory
    RegexScratch();
    ~RegexScratch();
    RegexScratch(const RegexScratch&) = delete;
    RegexScratch& operator=(const RegexScratch&) = delete;

  private:
    friend class Regex;
    pcre2_real_match_data_8* data_ = nullptr;
    pcre2_real_match_context_8* context_ = nullptr;
    pcre2_real_jit_stack_8* stack_ = nullptr;
};

/// A regular expression of a tokenizer, with Oniguruma's syntax and meaning as far as tokenizers use them,
/// executed by PCRE2. Immutable: any number of threads may use one.
class Regex {
  public:
    /// @param where the field that holds it, for errors. @throws InputError
    Regex(std::string_view pattern, const std::string& where);
    /// One that matches exactly this text.
    static Regex literal(std::string_view text, const std::string& where);

    struct Match {
        size_t begin, end;
    };
    /// The leftmost match that begins at `from` or later. @param subject UTF-8
    /// @throws InputError if the expression needs unreasonable time or memory on this text
    std::optional<Match> find(std::string_view subject, size_t from, RegexScratch& scratch) const;

  private:
    struct Free {
        void operator()(pcre2_real_code_8* code) const;
    };
    Regex() = default;
    void compile(std::string_view pattern, unsigned options, std::string_view shown,
                 const std::string& where);

    std::unique_ptr<pcre2_real_code_8, Free> code_;
    bool jit_ = false;
    std::string where_;
};

/// Translates an Oniguruma (Ruby) expression to PCRE2: \s, \w, \h and scripts differ, (?m) is (?s).
/// @throws InputError for syntax without an equivalent in PCRE2
std::string oniguruma_to_pcre2(std::string_view pattern, const std::string& where);

/// Iterates over matches like onig's find_iter: an empty match that touches the previous one is skipped.
template <class Found>  // void(size_t begin, size_t end)
void for_each_match(const Regex& regex, std::string_view subject, RegexScratch& scratch, Found&& found) {
    size_t from = 0;
    std::optional<size_t> last_end;
    while (from <= subject.size()) {
        const std::optional<Regex::Match> match = regex.find(subject, from, scratch);
        if (!match) return;
        if (match->begin == match->end && last_end == match->end) {
            ++from;
            while (from < subject.size() && (static_cast<unsigned char>(subject[from]) & 0xC0) == 0x80)
                ++from;
            continue;
        }
        from = match->end;
        last_end = match->end;
        found(match->begin, match->end);
    }
}

}  // namespace tritonsmith::text
