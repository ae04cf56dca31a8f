#include "forge/schedules.h"

#include <algorithm>

namespace tritonsmith::forge {
namespace {

/// A change to all kernels that make a decision called `marker`.
struct Idea {
    const char* name;
    const char* marker;
    std::map<std::string, int64_t> what;
};

const std::vector<Idea>& ideas() {
    static const std::vector<Idea> all = {
        {"products in tiles of 128 by 128", "precision", {{"m", 128}, {"n", 128}, {"k", 32}, {"warps", 8}}},
        {"products in tiles of 128 by 64", "precision", {{"m", 128}, {"n", 64}, {"k", 32}, {"warps", 4}}},
        {"products in tiles of 64 by 64", "precision", {{"m", 64}, {"n", 64}, {"k", 32}, {"warps", 4}}},
        {"convolutions with channels last", "channels_last", {{"channels_last", 1}}},
        {"convolutions one tap of their window at a time", "taps", {{"taps", 1}}},
        {"products in tiles of 128 by 256", "precision", {{"m", 128}, {"n", 256}, {"k", 32}, {"warps", 8}}},
        {"products in tiles of 64 by 128", "precision", {{"m", 64}, {"n", 128}, {"k", 32}, {"warps", 4}}},
        {"products by three products of TF32", "precision", {{"precision", 1}}},
        {"products in TF32", "precision", {{"precision", 2}}},
        {"products in IEEE float32", "precision", {{"precision", 0}}},
        {"products in tiles of 32 by 64", "precision", {{"m", 32}, {"n", 64}, {"k", 32}, {"warps", 4}}},
        {"products 16 inner elements at a time", "precision", {{"k", 16}}},
        {"products with four stages", "precision", {{"stages", 4}}},
        {"products with eight warps", "precision", {{"warps", 8}}},
        {"rows with four warps", "loop", {{"warps", 4}}},
        {"rows with eight warps", "loop", {{"warps", 8}}},
        {"rows with sixteen warps", "loop", {{"warps", 16}}},
        {"512 windows for each program", "serial", {{"rows", 512}}},
        {"128 windows for each program", "serial", {{"rows", 128}}},
        {"flat blocks of 512", "block", {{"block", 512}}},
        {"flat blocks of 2048", "block", {{"block", 2048}}},
    };
    return all;
}

}  // namespace

std::vector<Change> changes(const std::map<std::string, int64_t>& made) {
    std::vector<Change> out;
    for (const Idea& idea : ideas()) {
        Change change{idea.name, made};
        for (const auto& [key, value] : made) {
            const size_t dot = key.rfind('.');
            if (key.substr(dot + 1) != idea.marker || value < 0) continue;  // -1: none to be made
            const std::string kernel = key.substr(0, dot + 1);
            for (const auto& [what, wanted] : idea.what) {
                const auto found = change.choices.find(kernel + what);
                if (found == change.choices.end()) continue;
                // A tile is no larger than what it covers: that is what the writer chose for it.
                const bool tile = what == "m" || what == "n" || what == "k";
                found->second = tile && made.at(found->first) < 32 ? made.at(found->first) : wanted;
            }
        }
        const bool known = std::any_of(out.begin(), out.end(),
                                       [&](const Change& other) { return other.choices == change.choices; });
        if (change.choices != made && !known) out.push_back(std::move(change));
    }
    return out;
}

}  // namespace tritonsmith::forge
