#include "text/tokenizer/tokenizer.h"
#include "text/unicode.h"

namespace tritonsmith::text {

StreamingDecoder::StreamingDecoder(const Tokenizer& tokenizer, bool skip_special)
    : tokenizer_(&tokenizer), skip_special_(skip_special) {}

std::string StreamingDecoder::feed(Token token) {
    if (skip_special_ && tokenizer_->is_special(token)) return {};
    held_ += tokenizer_->bytes(token);
    const size_t whole = held_.size() - static_cast<size_t>(unfinished_bytes(held_));
    std::string buffer;
    std::string text(utf8_lossy(std::string_view(held_).substr(0, whole), buffer));
    held_.erase(0, whole);
    return text;
}

std::string StreamingDecoder::finish() {
    std::string buffer;
    std::string text(utf8_lossy(held_, buffer));
    held_.clear();
    return text;
}

}  // namespace tritonsmith::text
