#include "text/tokenizer/bpe.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tritonsmith::text {
namespace {

/// Up to here looking at every pair in each step is faster than a heap.
constexpr int short_word = 48;

}  // namespace

void Bpe::encode(std::string_view word, std::vector<Token>& out, Workspace& workspace) const {
    if (ignore_merges_)
        if (const Token whole = find(word); whole >= 0) {
            out.push_back(whole);
            return;
        }
    Token few[short_word];
    const bool is_short = word.size() <= short_word;
    workspace.symbols.clear();
    int count = 0;
    const auto add = [&](Token token) {
        if (is_short) {
            few[count] = token;
        } else {
            workspace.symbols.push_back({token, count - 1, count + 1});
        }
        ++count;
    };
    bool unknown = false;  // bytes without an entry came last, and their token is not added yet
    for (const char byte : word) {
        const Token token = bytes_[static_cast<unsigned char>(byte)];
        if (unknown && (token >= 0 || !fuse_unknown_)) {
            add(unknown_);
            unknown = false;
        }
        if (token >= 0) {
            add(token);
        } else {
            unknown = unknown_ >= 0;
        }
    }
    if (unknown) add(unknown_);
    if (count == 0) return;
    if (is_short) return encode_short(few, count, out);
    workspace.symbols.back().next = -1;
    encode_long(out, workspace);
}

void Bpe::encode_short(Token* tokens, int count, std::vector<Token>& out) const {
    Merge merges[short_word];  // [i]: of tokens i and i + 1
    for (int i = 0; i + 1 < count; ++i) merges[i] = merges_.find(tokens[i], tokens[i + 1]);
    while (count > 1) {
        int best = 0;
        for (int i = 1; i + 1 < count; ++i)
            if (merges[i].rank < merges[best].rank) best = i;
        if (merges[best].rank == MergeTable::no_rank) break;
        tokens[best] = merges[best].token;
        --count;
        std::memmove(tokens + best + 1, tokens + best + 2, sizeof *tokens * (count - best - 1));
        std::memmove(merges + best, merges + best + 1,
                     sizeof *merges * (count - best - 1 > 0 ? count - best - 1 : 0));
        if (best > 0) merges[best - 1] = merges_.find(tokens[best - 1], tokens[best]);
        if (best + 1 < count) merges[best] = merges_.find(tokens[best], tokens[best + 1]);
    }
    out.insert(out.end(), tokens, tokens + count);
}

void Bpe::encode_long(std::vector<Token>& out, Workspace& workspace) const {
    auto& symbols = workspace.symbols;
    auto& heap = workspace.heap;  // of two candidates the lower rank comes first; of equal ones the left one
    const auto later = std::greater<>();
    heap.clear();
    const auto candidate = [&](int at) {
        if (at < 0 || symbols[at].next < 0) return false;
        const Merge merge = merges_.find(symbols[at].token, symbols[symbols[at].next].token);
        if (merge.rank == MergeTable::no_rank) return false;
        heap.push_back(uint64_t{merge.rank} << 32 | static_cast<uint32_t>(at));
        return true;
    };
    const auto push = [&](int at) {
        if (candidate(at)) std::push_heap(heap.begin(), heap.end(), later);
    };
    for (int i = 0; i + 1 < static_cast<int>(symbols.size()); ++i) candidate(i);
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), later);
        const auto rank = static_cast<uint32_t>(heap.back() >> 32);
        const auto at = static_cast<int>(heap.back() & UINT32_MAX);
        heap.pop_back();
        Workspace::Symbol& left = symbols[at];
        if (left.token < 0 || left.next < 0) continue;  // merged into another, or nothing follows any more
        Workspace::Symbol& right = symbols[left.next];
        const Merge merge = merges_.find(left.token, right.token);
        if (merge.rank != rank) continue;  // one of the two has grown
        left.token = merge.token;
        right.token = -1;
        left.next = right.next;
        if (left.next >= 0) symbols[left.next].previous = at;
        push(left.previous);
        push(at);
    }
    for (int i = 0; i >= 0; i = symbols[i].next) out.push_back(symbols[i].token);
}

}  // namespace tritonsmith::text
