#include "graph/card/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tritonsmith::graph {
namespace {

/// Alternating text and number: "layer", 1, ".", 0, ".conv".
struct Parts {
    std::vector<std::string> texts;
    std::vector<int64_t> numbers;
};
Parts parts_of(const std::string& name) {
    Parts out;
    out.texts.emplace_back();
    for (size_t i = 0; i < name.size();) {
        if (name[i] < '0' || name[i] > '9') {
            out.texts.back() += name[i++];
            continue;
        }
        size_t end = i;
        while (end < name.size() && end - i < 9 && name[end] >= '0' && name[end] <= '9') ++end;
        out.numbers.push_back(std::stoll(name.substr(i, end - i)));
        out.texts.emplace_back();
        i = end;
    }
    return out;
}

/// What is compared of a node, without names: its text with blank labels, and the types of its results.
class Shapes {
  public:
    Shapes(const Graph& graph, const std::vector<size_t>& lines) : graph_(graph), lines_(lines) {
        const Notation blank(graph, std::vector<std::string>(graph.values.size(), "@"));
        for (size_t line : lines) texts_.push_back(blank.line(graph.nodes[line]));
        for (size_t i = 0; i < lines.size(); ++i)
            for (size_t r = 0; r < graph.nodes[lines[i]].results.size(); ++r)
                made_[graph.nodes[lines[i]].results[r]] = {i, r};
    }

    bool alike(size_t a, size_t b) const { return texts_[a] == texts_[b]; }

    /// The block of `length` lines from `first`, as often as it repeats; nothing where it does not.
    std::optional<Block> block(size_t first, size_t length) const {
        int64_t count = 1;
        while (first + static_cast<size_t>(count + 1) * length <= lines_.size() &&
               same_text(first, length, count))
            ++count;
        for (; count > 1; --count) {
            Block out{first, length, count, {}, {}};
            if (!fits(out)) continue;
            std::erase_if(out.carried, [](const auto& entry) { return entry.first == entry.second; });
            return out;
        }
        return std::nullopt;
    }

  private:
    bool same_text(size_t first, size_t length, int64_t round) const {
        for (size_t i = 0; i < length; ++i)
            if (!alike(first + i, first + static_cast<size_t>(round) * length + i)) return false;
        return true;
    }
    const Operand& operand(const Block& block, size_t line, int64_t round, size_t which) const {
        return graph_.nodes[lines_[block.first + line + static_cast<size_t>(round) * block.length]]
            .operands[which];
    }

    bool fits(Block& block) const {
        for (size_t line = 0; line < block.length; ++line)
            for (size_t which = 0; which < graph_.nodes[lines_[block.first + line]].operands.size(); ++which)
                if (!fits_operand(block, line, which)) return false;
        // What is read later must be of the last round, or the reader would not know which round's it is.
        for (size_t i = 0; i < lines_.size(); ++i) {
            const bool inside =
                i >= block.first && i < block.first + block.length * static_cast<size_t>(block.count);
            if (!inside)
                for (const Operand& read : graph_.nodes[lines_[i]].operands)
                    if (!of_last_round(block, read.value)) return false;
        }
        for (const Output& output : graph_.outputs)
            if (!of_last_round(block, output.operand.value)) return false;
        for (const Update& update : graph_.updates)  // those of norms are said by "training"
            if (!std::holds_alternative<Normalize>(graph_.maker(update.now.value).kind) &&
                !of_last_round(block, update.now.value))
                return false;
        return true;
    }

    bool of_last_round(const Block& block, int value) const {
        const auto made = made_.find(value);
        if (made == made_.end() || made->second.first < block.first) return true;
        const size_t round = (made->second.first - block.first) / block.length;
        return round + 1 >= static_cast<size_t>(block.count);
    }

    bool fits_operand(Block& block, size_t line, size_t which) const {
        std::vector<int> values;
        for (int64_t round = 0; round < block.count; ++round)
            values.push_back(operand(block, line, round, which).value);
        if (const auto* weight = std::get_if<Weight>(&graph_.maker(values[0]).kind)) {
            std::vector<std::string> names;
            for (int value : values) {
                const auto* other = std::get_if<Weight>(&graph_.maker(value).kind);
                if (!other) return false;
                names.push_back(other->name);
            }
            const std::string pattern = pattern_of(names);
            return !pattern.empty() && block.weights.emplace(weight->name, pattern).first->second == pattern;
        }
        const auto first = made_.find(values[0]);
        const bool inside = first != made_.end() && first->second.first >= block.first;
        if (inside) return moves(block, values, 0);
        // The same in every round (itself), or made by the round before; not one here and the other there.
        if (std::all_of(values.begin(), values.end(), [&](int value) { return value == values[0]; }))
            return block.carried.emplace(values[0], values[0]).first->second == values[0];
        const auto second = made_.find(values[1]);
        if (second == made_.end() || second->second.first < block.first ||
            second->second.first >= block.first + block.length || !moves(block, values, 1))
            return false;
        return block.carried.emplace(values[0], values[1]).first->second == values[1];
    }

    /// From round `from` on each round reads what is `length` lines after what the round before it reads.
    bool moves(const Block& block, const std::vector<int>& values, size_t from) const {
        const auto base = made_.find(values[from]);
        for (size_t round = from; round < values.size(); ++round) {
            const auto here = made_.find(values[round]);
            if (here == made_.end() || here->second.second != base->second.second ||
                here->second.first != base->second.first + (round - from) * block.length)
                return false;
        }
        return true;
    }

    const Graph& graph_;
    const std::vector<size_t>& lines_;
    std::vector<std::string> texts_;
    std::map<int, std::pair<size_t, size_t>> made_;  ///< value → line, result
};

}  // namespace

std::string pattern_of(const std::vector<std::string>& names) {
    std::vector<Parts> all;
    for (const std::string& name : names) all.push_back(parts_of(name));
    for (const Parts& parts : all)
        if (parts.texts != all[0].texts) return "";
    std::string out = all[0].texts[0];
    for (size_t i = 0; i < all[0].numbers.size(); ++i) {
        const int64_t start = all[0].numbers[i], step = names.size() > 1 ? all[1].numbers[i] - start : 0;
        for (size_t round = 0; round < all.size(); ++round)
            if (all[round].numbers[i] != start + static_cast<int64_t>(round) * step) return "";
        std::string number = std::to_string(start);
        if (step != 0) {
            number = step == 1 ? "i" : fmt::format("{}i", step);
            if (start != 0) number += fmt::format("+{}", start);
            number = "{" + number + "}";
        }
        out += number + all[0].texts[i + 1];
    }
    return out;
}

std::vector<Block> folded(const Graph& graph, const std::vector<size_t>& lines) {
    const Shapes shapes(graph, lines);
    std::vector<Block> out;
    for (size_t first = 0; first < lines.size();) {
        Block best{first, 1, 1, {}, {}};
        // The block that saves most lines; of equal ones the shortest.
        for (size_t length = 1; first + 2 * length <= lines.size(); ++length) {
            if (!shapes.alike(first, first + length)) continue;
            const std::optional<Block> found = shapes.block(first, length);
            if (found && (found->count - 1) * static_cast<int64_t>(length) >
                             (best.count - 1) * static_cast<int64_t>(best.length))
                best = *found;
        }
        first += best.length * static_cast<size_t>(best.count);
        out.push_back(std::move(best));
    }
    return out;
}

}  // namespace tritonsmith::graph
