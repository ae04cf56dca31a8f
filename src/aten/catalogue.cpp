#include "aten/catalogue.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "aten/tables/tables.h"

namespace tritonsmith::aten {
namespace {

template <class T>
using Words = std::unordered_map<std::string_view, T>;

const Words<Kind>& kinds() {
    static const Words<Kind> words{{"allocate", Kind::allocate}, {"factory", Kind::factory},
                                   {"fill", Kind::fill},         {"view", Kind::view},
                                   {"copy", Kind::copy},         {"draw", Kind::draw}};
    return words;
}

const Words<Sum>& sums() {
    static const Words<Sum> words{{"last", Sum::last},
                                  {"last_of_second", Sum::last_of_second},
                                  {"batches", Sum::batches},
                                  {"convolution", Sum::convolution},
                                  {"window_of_inputs", Sum::window_of_inputs},
                                  {"window_of_outputs", Sum::window_of_outputs},
                                  {"dimension", Sum::dimension},
                                  {"normalized_shape", Sum::normalized_shape},
                                  {"group", Sum::group},
                                  {"channel", Sum::channel},
                                  {"attention", Sum::attention},
                                  {"recurrent", Sum::recurrent},
                                  {"samples", Sum::samples},
                                  {"pool", Sum::pool},
                                  {"ratio", Sum::ratio},
                                  {"added", Sum::added},
                                  {"put", Sum::put},
                                  {"all", Sum::all}};
    return words;
}

const Words<Magnitude>& magnitudes() {
    static const Words<Magnitude> words{{"difference", Magnitude::difference},
                                        {"reversed_difference", Magnitude::reversed_difference},
                                        {"negation", Magnitude::negation},
                                        {"clamp", Magnitude::clamp},
                                        {"clamp_one_side", Magnitude::clamp_one_side},
                                        {"smaller", Magnitude::smaller},
                                        {"softmax", Magnitude::softmax},
                                        {"log_softmax", Magnitude::log_softmax},
                                        {"lerp", Magnitude::lerp},
                                        {"running_sum", Magnitude::running_sum},
                                        {"distance", Magnitude::distance},
                                        {"variance", Magnitude::variance},
                                        {"deviation", Magnitude::deviation},
                                        {"norm", Magnitude::norm},
                                        {"length", Magnitude::length},
                                        {"entropy", Magnitude::entropy},
                                        {"log_of_sum", Magnitude::log_of_sum}};
    return words;
}

const Words<Element>& elements() {
    static const Words<Element> words{{"exact", Element::exact},
                                      {"whole", Element::whole},
                                      {"relative", Element::relative},
                                      {"sqrt", Element::sqrt}};
    return words;
}

const Words<Trait>& traits() {
    static const Words<Trait> words{{"rearranges", Trait::rearranges},
                                    {"scalar", Trait::scalar},
                                    {"products", Trait::products},
                                    {"averages", Trait::averages},
                                    {"exact", Trait::exact},
                                    {"rounds", Trait::rounds},
                                    {"chooses", Trait::chooses},
                                    {"ties", Trait::ties},
                                    {"compares", Trait::compares},
                                    {"factors", Trait::factors},
                                    {"masks", Trait::masks},
                                    {"maximum", Trait::maximum},
                                    {"negative", Trait::negative},
                                    {"near_one", Trait::near_one},
                                    {"keeps_integers", Trait::keeps_integers},
                                    {"widens", Trait::widens},
                                    {"equivalent", Trait::equivalent},
                                    {"lint:product", Trait::lint_product},
                                    {"lint:computes", Trait::lint_computes},
                                    {"lint:method", Trait::lint_method}};
    return words;
}

/// The text up to `end`, which is taken off with it.
std::string_view take_until(std::string_view& text, char end) {
    const size_t at = text.find(end);
    const std::string_view out = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return out;
}

[[noreturn]] void unknown(const Operator& op, std::string_view word) {
    throw std::logic_error("the catalogue of operators: " + std::string(op.name) + ": '" + std::string(word) +
                           "' is no word of it");
}

template <class T>
void set(T& value, const Words<T>& words, const Operator& op, std::string_view word) {
    const auto found = words.find(word);
    if (found == words.end()) unknown(op, word);
    value = found->second;
}

void read_word(Operator& op, std::string_view word) {
    if (word.starts_with('[') && word.ends_with(']')) {
        op.overloads = word.substr(1, word.size() - 2);
        return;
    }
    if (const auto kind = kinds().find(word); kind != kinds().end()) {
        op.kind = kind->second;
        return;
    }
    if (const auto trait = traits().find(word); trait != traits().end()) {
        op.traits |= static_cast<uint32_t>(trait->second);
        return;
    }
    std::string_view value = word;
    const std::string_view key = take_until(value, ':');
    if (key == "sum")
        set(op.sum, sums(), op, value);
    else if (key == "magnitude")
        set(op.magnitude, magnitudes(), op, value);
    else if (key == "element")
        set(op.element, elements(), op, value);
    else if (key == "dropout")
        op.dropout = value;
    else
        unknown(op, word);
}

Words<Operator> read_tables() {
    Words<Operator> out;
    for (std::string_view table : {kMemory, kMoves, kArithmetic, kFunctions, kSpecial, kActivations, kLogic,
                                   kSums, kReductions, kWindows, kLayers, kLinalg, kBackward, kPythonNames})
        while (!table.empty()) {
            std::string_view line = take_until(table, '\n');
            Operator op;
            op.name = take_until(line, ' ');
            if (op.name.empty()) continue;
            while (!line.empty())
                if (const std::string_view word = take_until(line, ' '); !word.empty()) read_word(op, word);
            if (!out.emplace(op.name, op).second) unknown(op, "a second line");
        }
    return out;
}

const Words<Operator>& catalogue() {
    static const Words<Operator> operators = read_tables();
    return operators;
}

}  // namespace

const Operator* find(std::string_view name) {
    const auto found = catalogue().find(name);
    return found == catalogue().end() ? nullptr : &found->second;
}

bool is(std::string_view name, Trait trait) {
    const Operator* op = find(name);
    return op && op->is(trait);
}

std::vector<std::string_view> names() {
    std::vector<std::string_view> out;
    for (const auto& [name, op] : catalogue()) out.push_back(name);
    return out;
}

bool executed(std::string_view name, std::string_view overload) {
    const Operator* op = find(name);
    if (!op || overload == "-") return false;
    std::string_view overloads = op->overloads;
    while (!overloads.empty())
        if (take_until(overloads, ',') == (overload.empty() ? "-" : overload)) return true;
    return false;
}

int dropout_position(std::string_view name, std::string_view overload) {
    const Operator* op = find(name);
    std::string_view rules = op ? op->dropout : std::string_view{};
    while (!rules.empty()) {
        std::string_view rule = take_until(rules, ',');
        if (take_until(rule, '/') != (overload.empty() ? "-" : overload)) continue;
        int position = -1;
        std::from_chars(rule.data(), rule.data() + rule.size(), position);
        return position;
    }
    return -1;
}

}  // namespace tritonsmith::aten
