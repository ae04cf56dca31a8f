#include "data/synth/docstring.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "data/synth/prose.h"

namespace tritonsmith::data {
namespace {

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return out;
}

/// Words in lines of at most 96 columns behind a margin.
std::string wrapped(const std::string& text, const std::string& margin) {
    std::istringstream in(text);
    std::string out, line = margin;
    for (std::string word; in >> word;) {
        if (line.size() + word.size() > 96) {
            out += line + "\n";
            line = margin;
        }
        line += (line.size() == margin.size() ? "" : " ") + word;
    }
    return out + line + "\n";
}

/// One docstring while it is written.
class Docstring {
  public:
    Docstring(const Style& style, Random& r, std::string margin)
        : style_(style), r_(r), margin_(std::move(margin)), underlined_(style.docs == 3 && r.chance(0.15)) {}

    void sentence(const std::string& text) { out_ += wrapped(text, margin_); }
    void words() {
        if (r_.chance(style_.prose)) gap(), sentence(prose(r_, r_.between(1, 4)));
    }
    void section(const std::string& title) {
        gap();
        out_ += margin_ + title + (underlined_ ? "" : ":") + "\n";
        if (underlined_) out_ += margin_ + std::string(title.size(), '-') + "\n";
    }
    void entries(const std::vector<Documented::Entry>& entries) {
        for (const Documented::Entry& entry : entries) {
            const std::string text = r_.chance(style_.prose) ? prose(r_, 1) : entry.text;
            if (underlined_)
                out_ += fmt::format("{0}{1} : {2}\n", margin_, entry.name, entry.type) +
                        wrapped(text, margin_ + "    ");
            else
                out_ += wrapped(
                    fmt::format("{}{}: {}", entry.name, style_.hints ? " (" + entry.type + ")" : "", text),
                    margin_ + "    ");
        }
    }
    void item(const std::string& text) { out_ += margin_ + "    " + text + "\n"; }
    std::string text() const {
        const bool line = std::count(out_.begin(), out_.end(), '\n') == 1 && style_.docs < 3;
        if (line)
            return fmt::format("{}\"\"\"{}\"\"\"\n", margin_,
                               out_.substr(margin_.size(), out_.size() - margin_.size() - 1));
        return fmt::format("{0}\"\"\"\n{1}{0}\"\"\"\n", margin_, out_);
    }

  private:
    void gap() {
        if (!out_.empty()) out_ += "\n";
    }
    const Style& style_;
    Random& r_;
    std::string margin_, out_;
    bool underlined_;
};

std::string summary(const Documented& facts, const Style& style, Random& r) {
    if (facts.operators.empty() || r.chance(style.prose)) return prose(r, r.between(1, 2));
    const size_t most = 4, count = std::min(facts.operators.size(), most);
    const std::string words =
        listed({facts.operators.begin(), facts.operators.begin() + static_cast<std::ptrdiff_t>(count)});
    return r.of({"Computes ", "Performs ", "Applies ", "Runs ", "Model that performs ",
                 "Simple model that applies ", ""}) +
           words + (facts.operators.size() > most ? " and more." : ".");
}

void results(Docstring& out, const Documented& facts, Random& r) {
    out.section("Returns");
    out.item(facts.several ? "a tuple of tensors"
                           : r.of({"the result of the last step", "torch.Tensor: Output tensor.",
                                   "The output.", "torch.Tensor: the result"}));
}

}  // namespace

std::string class_docstring(const Documented& facts, const Style& style, Random& r) {
    if (style.docs == 0) return "";
    Docstring out(style, r, "    ");
    out.sentence(summary(facts, style, r));
    if (style.docs == 1) return out.text();
    out.words();
    if (!facts.arguments.empty()) {
        out.section(r.of({"Args", "Args", "Parameters", "Arguments"}));
        out.entries(facts.arguments);
    } else {
        out.section(r.of({"Inputs", "Input", "Shape"}));
        out.entries(facts.inputs);
    }
    if (style.docs < 3) return out.text();
    out.section("Steps");
    for (size_t i = 0; i < facts.operators.size(); ++i)
        out.item(fmt::format("{}. {}", i + 1, facts.operators[i]));
    results(out, facts, r);
    return out.text();
}

std::string forward_docstring(const Documented& facts, const Style& style, Random& r) {
    if (style.docs < 2 || (style.docs == 2 && r.chance(0.5))) return "";
    Docstring out(style, r, "        ");
    if (r.chance(0.5))
        out.sentence(
            r.of({"Forward pass.", "Applies the model to the input.", "Forward pass of the module."}));
    out.words();
    out.section("Args");
    out.entries(facts.inputs);
    results(out, facts, r);
    return out.text();
}

std::string constructor_docstring(const Documented& facts, const Style& style, Random& r) {
    if (style.docs < 2 || facts.arguments.empty() || r.chance(0.7)) return "";
    Docstring out(style, r, "        ");
    out.sentence(r.chance(style.prose) ? prose(r, 1) : "Initializes the module.");
    out.section("Args");
    out.entries(facts.arguments);
    return out.text();
}

}  // namespace tritonsmith::data
