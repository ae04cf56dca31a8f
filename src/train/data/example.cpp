#include "train/data/example.h"

#include <algorithm>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

/// Where an answer is in the rendered text: [begin, end).
struct AnswerSpan {
    size_t begin, end;
};

using Messages = nlohmann::ordered_json;

Messages first_messages(const Messages& messages, size_t count) {
    Messages some = Messages::array();
    for (size_t i = 0; i < count; ++i) some.push_back(messages[i]);
    return some;
}

}  // namespace

ExampleMaker::ExampleMaker(const std::filesystem::path& folder)
    : tokenizer_(text::Tokenizer::load(folder)), template_(text::ChatTemplate::load(folder)) {
    if (tokenizer_.ends().empty())
        throw InputError(folder.string() + ": no end token: set eos_token in tokenizer_config.json");
}

Example ExampleMaker::make(const Conversation& conversation, const std::string& where) const {
    const Messages& messages = conversation.messages;
    std::vector<size_t> answers;
    for (size_t i = 0; i < messages.size(); ++i)
        if (conversation.learned[i]) answers.push_back(i);
    if (answers.empty()) throw InputError(where + ": nothing of the conversation is learned");

    const size_t last = answers.back();
    const std::string whole = template_.render(first_messages(messages, last + 1), false);
    std::vector<AnswerSpan> spans;
    for (const size_t answer : answers) {
        const std::string prompt = template_.render(first_messages(messages, answer), true);
        const std::string with_answer =
            answer == last ? whole : template_.render(first_messages(messages, answer + 1), false);
        const bool same = whole.starts_with(prompt) && whole.starts_with(with_answer) &&
                          prompt.size() <= with_answer.size();
        if (same)
            spans.push_back({prompt.size(), with_answer.size()});
        else if (answer == last)
            throw InputError(where + ": the chat template does not put an answer behind its prompt");
    }

    Example example;
    size_t done = 0;
    const auto append = [&](size_t end, bool learned) {
        const std::vector<text::Token> tokens =
            tokenizer_.encode(std::string_view(whole).substr(done, end - done));
        size_t count = 0;
        if (learned) {
            const auto& ends = tokenizer_.ends();
            const auto found = std::find_if(tokens.rbegin(), tokens.rend(), [&](text::Token token) {
                return std::find(ends.begin(), ends.end(), token) != ends.end();
            });
            if (found == tokens.rend())
                throw InputError(where + ": the chat template does not end an answer with an end token");
            count = static_cast<size_t>(tokens.rend() - found);
        }
        example.tokens.insert(example.tokens.end(), tokens.begin(), tokens.end());
        example.learned.insert(example.learned.end(), count, 1);
        example.learned.insert(example.learned.end(), tokens.size() - count, 0);
        done = end;
    };
    for (const AnswerSpan& span : spans) {
        append(span.begin, false);
        append(span.end, true);
    }
    return example;
}

}  // namespace tritonsmith::train
