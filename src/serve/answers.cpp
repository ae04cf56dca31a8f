#include "serve/answers.h"

#include <algorithm>

namespace tritonsmith::serve {

class Answers::Listener : public engine::SampleListener {
  public:
    Listener(std::shared_ptr<Answers> answers, int first) : answers_(std::move(answers)), first_(first) {}
    bool on_token(const engine::SampledToken& token) override {
        return answers_->take(first_ + token.sample, token);
    }
    void on_end(int sample, engine::End end, const std::string& error) override {
        answers_->end(first_ + sample, end, error);
    }

  private:
    std::shared_ptr<Answers> answers_;
    int first_;
};

Answers::Answers(const CompletionRequest& request, const text::Tokenizer& tokenizer,
                 Clock::time_point arrived)
    : keep_tokens_(request.logprobs),
      n_(request.n),
      stop_tokens_(request.prompts.at(0).sampling.stop_tokens),
      arrived_(arrived),
      open_(request.choices()) {
    choices_.reserve(static_cast<size_t>(request.choices()));
    for (int i = 0; i < request.choices(); ++i) {
        choices_.push_back({text::StreamingDecoder(tokenizer, request.skip_special),
                            StopStrings(request.stop),
                            {},
                            {},
                            0,
                            0,
                            false,
                            false,
                            {},
                            {},
                            {}});
        choices_.back().news.choice = i;
    }
}

std::shared_ptr<engine::SampleListener> Answers::listener(int prompt) {
    return std::make_shared<Listener>(shared_from_this(), prompt * n_);
}

bool Answers::take(int index, const engine::SampledToken& token) {
    std::lock_guard lock(mutex_);
    Choice& choice = choices_.at(static_cast<size_t>(index));
    const Clock::time_point now = Clock::now();
    if (choice.times.tokens++ == 0) choice.first = now;
    choice.last = now;
    ++tokens_;
    const auto ends = std::find(stop_tokens_.begin(), stop_tokens_.end(), token.chosen.token);
    if (ends != stop_tokens_.end()) return true;  // it ends the sample and is not part of its text
    std::string text = choice.decoder.feed(token.chosen.token);
    if (keep_tokens_) choice.held.push_back({token, choice.decoded});
    choice.decoded += text.size();
    show(choice, choice.stop.feed(text));
    if (choice.changed && !news_) {
        news_ = true;
        changed_.notify_all();
    }
    return !choice.stop.hit();
}

void Answers::show(Choice& choice, std::string text) {
    if (text.empty()) return;
    choice.shown += text.size();
    choice.news.text += text;
    choice.changed = true;
    while (!choice.held.empty() && choice.held.front().begin < choice.shown) {
        choice.news.tokens.push_back(std::move(choice.held.front()));
        choice.held.pop_front();
    }
}

void Answers::end(int index, engine::End end, const std::string& error) {
    std::lock_guard lock(mutex_);
    Choice& choice = choices_.at(static_cast<size_t>(index));
    if (choice.over) return;
    const std::string rest = choice.decoder.finish();
    choice.decoded += rest.size();
    show(choice, choice.stop.feed(rest));
    show(choice, choice.stop.finish());
    if (!choice.stop.hit())  // tokens without text of their own
        for (PlacedToken& token : choice.held) choice.news.tokens.push_back(std::move(token));
    choice.held.clear();
    Piece& news = choice.news;
    if (choice.stop.hit() || end == engine::End::stop_token || end == engine::End::stopped) {
        news.finish = "stop";
    } else if (end == engine::End::length) {
        news.finish = "length";
    } else {
        news.failed = true;
        news.error = end == engine::End::cancelled ? "the server is shutting down" : error;
    }
    choice.changed = choice.over = true;
    const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
    if (choice.times.tokens > 0) choice.times.first_token = seconds(choice.first - arrived_);
    if (choice.times.tokens > 1)
        choice.times.per_token = seconds(choice.last - choice.first) / (choice.times.tokens - 1);
    --open_;
    news_ = true;
    changed_.notify_all();
}

std::vector<Piece> Answers::wait(std::chrono::milliseconds time, bool streamed) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [&] { return open_ == 0 || (streamed && news_); });
    std::vector<Piece> out;
    if (!streamed && open_ > 0) {
        news_ = false;
        return out;
    }
    for (Choice& choice : choices_) {
        if (!choice.changed) continue;
        out.push_back(std::move(choice.news));
        choice.news = Piece();
        choice.news.choice = out.back().choice;
        choice.changed = false;
    }
    news_ = false;
    return out;
}

bool Answers::over() const {
    std::lock_guard lock(mutex_);
    return open_ == 0;
}

int64_t Answers::completion_tokens() const {
    std::lock_guard lock(mutex_);
    return tokens_;
}

std::vector<ChoiceTimes> Answers::times() const {
    std::lock_guard lock(mutex_);
    std::vector<ChoiceTimes> out;
    for (const Choice& choice : choices_)
        if (choice.over) out.push_back(choice.times);
    return out;
}

}  // namespace tritonsmith::serve
