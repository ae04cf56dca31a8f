#include "text/tokenizer/tokenizer.h"

#include "text/tokenizer/tokenizer_state.h"
#include "text/unicode.h"

namespace tritonsmith::text {

Tokenizer::Tokenizer(std::unique_ptr<const State> state) : state_(std::move(state)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void EncodeScratch::shrink() {
    constexpr size_t most = 1 << 16;
    if (workspace.symbols.capacity() > most) workspace = {};
    for (std::string* buffer : {&lossy, &normalized, &prefixed})
        if (buffer->capacity() > 16 * most) *buffer = {};
}

void Tokenizer::State::encode_words(std::string_view text, std::vector<Token>& out,
                                    EncodeScratch& scratch) const {
    pretokenizer.run(text, scratch.prefixed, scratch.regex, [&](std::string_view word) {
        if (word.size() > WordCache::word_most) return bpe.encode(word, out, scratch.workspace);
        const uint64_t hash = WordCache::hash(word);
        if (scratch.cache.find(word, hash, out)) return;
        const size_t before = out.size();
        bpe.encode(word, out, scratch.workspace);
        scratch.cache.insert(word, hash, std::span(out).subspan(before));
    });
}

std::vector<Token> Tokenizer::encode(std::string_view text, bool add_special) const {
    const State& state = *state_;
    constexpr size_t most = size_t{1} << 30;  // symbols of one word are counted in 32 bits
    if (text.size() > most)
        throw InputError("a text of " + std::to_string(text.size()) +
                         " bytes cannot be encoded: at most 1 GiB");
    std::vector<Token> out;
    out.reserve(text.size() / 3 + 8);
    if (add_special) out = state.post_processor.before;
    const Pool<EncodeScratch>::Lease scratch(state.scratch);
    const auto found = [&](Token token) { out.push_back(token); };
    state.raw_tokens.run(
        utf8_lossy(text, scratch->lossy),
        [&](std::string_view piece) {
            state.normalized_tokens.run(
                state.normalizer.apply(piece, scratch->normalized, scratch->regex),
                [&](std::string_view words) { state.encode_words(words, out, *scratch); }, found);
        },
        found);
    if (add_special)
        out.insert(out.end(), state.post_processor.after.begin(), state.post_processor.after.end());
    scratch->shrink();
    return out;
}

std::string Tokenizer::decode(std::span<const Token> tokens, bool skip_special) const {
    std::string all, buffer;
    for (const Token token : tokens)
        if (!skip_special || !is_special(token)) all.append(bytes(token));
    const std::string_view text = utf8_lossy(all, buffer);
    return text.data() == all.data() ? std::move(all) : std::string(text);
}

std::string_view Tokenizer::bytes(Token token) const {
    return state_->holds(token) ? std::string_view(state_->bytes[token]) : std::string_view();
}

bool Tokenizer::is_special(Token token) const {
    return state_->holds(token) && state_->special[token];
}

std::optional<Token> Tokenizer::find(std::string_view content) const {
    if (const auto added = state_->added.find(std::string(content)); added != state_->added.end())
        return added->second;
    if (const Token token = state_->bpe.find(content); token >= 0) return token;
    return std::nullopt;
}

int Tokenizer::size() const {
    return static_cast<int>(state_->bytes.size());
}

const std::vector<Token>& Tokenizer::ends() const {
    return state_->ends;
}

std::optional<Token> Tokenizer::bos() const {
    return state_->bos;
}

}  // namespace tritonsmith::text
