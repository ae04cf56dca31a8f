#pragma once

#include <string>
#include <vector>

#include "reward/facts.h"
#include "reward/token_classes.h"

namespace tritonsmith::reward {

enum class Kind : uint8_t {
    autotriton,  ///< AutoTriton (arXiv 2507.05687): 1 if is_triton and the tests pass, else 0
    hrd,         ///< TritonRL's hierarchical decomposition: correctness to the code, speed to the plan
    uniform,     ///< TritonRL's ablation: β correctness + (1 - β) speed, to all tokens
    milestones,  ///< ours: steps on the way to a correct program, then for each goal of speed
};
/// @throws InputError for another name
Kind kind_of(const std::string& name);
const char* name(Kind kind);

/// DAPO's soft overlong punishment (arXiv 2503.14476, equation 13): 0 up to longest - buffer tokens, then
/// linear down to -1 at `longest`.
struct Overlong {
    int longest = 0, buffer = 0;  ///< tokens of an answer; buffer 0: none
};
double overlong_penalty(const Overlong& overlong, int length);

struct Settings {
    Kind kind = Kind::milestones;
    bool rule = true;    ///< autotriton: false leaves the rule out, for its ablation
    double alpha = 0.1;  ///< hrd: weight of the plan's loss
    double beta = 0.5;   ///< uniform: share of correctness
    double cap = 2;      ///< hrd, uniform: speedups above it count as this
    /// milestones: for a program that is valid, and for one that compiles as well; 1 for a correct one.
    double valid = 0.1, compiled = 0.1;
    /// milestones: ratios to the better of eager and torch.compile, ascending, and what each adds.
    std::vector<double> speeds = {1, 1.2, 1.5, 2};
    double speed_step = 0.25;
    double format = 0;  ///< all: added for an answer with one whole program
    Overlong overlong;  ///< all: added
};

/// A reward of one class of tokens, whose loss has this weight.
struct Part {
    Tokens tokens = Tokens::all;
    double reward = 0, weight = 1;
};
struct Reward {
    std::vector<Part> parts;            ///< of the same classes and weights for all answers of one Settings
    double correctness = 0, speed = 0;  ///< what they are made of, for metrics
    double format = 0, length = 0;

    double total() const;  ///< sum of the parts' rewards by weight
};

/// @param length tokens of the answer
Reward reward_of(const Facts& facts, int length, const Settings& settings);
Json to_json(const Reward& reward);

}  // namespace tritonsmith::reward
