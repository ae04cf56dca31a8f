#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/ir/plan.h"
#include "run/draw/leaf_role.h"
#include "run/draw/variant.h"
#include "ttir/interp/memory/memory.h"

/// Random numbers by counter instead of by generator state: value = f(seed, phase, ordinal, element index),
/// so that any element can be made alone, in any process and in every precision. No torch here.
namespace tritonsmith::run {

/// Names one draw. Streams of different keys are independent.
struct DrawKey {
    uint64_t seed = 0;
    uint32_t stream = 0;   ///< which family of draws: a phase of the plan, or redrawn weights
    uint32_t ordinal = 0;  ///< which draw of that family
};
constexpr uint32_t kRedrawStream = 16;        ///< ordinal: index of the weight
constexpr uint32_t kPerturbationStream = 17;  ///< ordinal: which tensor of a perturbed run
DrawKey draw_key(uint64_t seed, plan::Phase phase, int ordinal);

enum class Law : uint8_t {
    uniform,      ///< [a, b)
    normal,       ///< mean a, standard deviation b
    log_normal,   ///< exp of normal(a, b)
    exponential,  ///< rate a
    cauchy,       ///< median a, scale b
    bernoulli,    ///< 1 with probability a, else 0
    geometric,    ///< number of trials up to the first success of probability a
    level,  ///< uniform in [0, 1): one less it is what a probability is compared with (bernoulli of a tensor)
    integer,     ///< [low, low + count)
    permutation  ///< of 0 … count-1; element i is the image of i
};

struct Distribution {
    Law law = Law::uniform;
    double a = 0, b = 1;
    int64_t low = 0;
    uint64_t count = 1;  ///< 0 means 2^64
};

/// One drawn tensor: any element of it is a function of these and of its index, row-major in `shape`.
struct Draw {
    DrawKey key;
    Distribution law;
    plan::DType dtype = plan::DType::f32;
    Variant variant = {};
    std::vector<int64_t> shape = {};  ///< what the variant's pattern is laid over; without one there is none
    LeafRole role = {};
    bool uneven = false;  ///< scales most elements down (kUnevenScale)
};
/// Whether integers or flags have a pattern.
bool patterned_integers(const Draw& draw);
/// The integers that lines of such a pattern hold: those of the law, of flags 0 and 1.
Distribution integers_of(const Distribution& law);
/// The role with the affine map where the law stays of its kind under it.
LeafRole usable_role(const Draw& draw);
/// The law of what the variant is applied to: factor · drawn + offset.
Distribution image_law(const Distribution& law, const LeafRole& role);

/// Writes elements [first, first + count) of the draw to `out`, in its dtype. Floating values are computed in
/// float32, then the variant (its pattern, then sign, scale and offset) is applied in float32, then rounded
/// to `dtype`: float64 holds exactly the float32 value. Integers and booleans of continuous laws are
/// truncated. Integers and flags have patterns (equal, least, greatest and rising ones by rows) and nothing
/// else of a variant.
/// @throws InputError for complex and 8-bit floats.
void fill(const Draw& draw, int64_t first, int64_t count, std::byte* out);
/// The same of a flat tensor.
void fill(const DrawKey& key, const Distribution& distribution, const Variant& variant, plan::DType dtype,
          int64_t first, int64_t count, std::byte* out, bool uneven = false);

/// Uneven draws: of elements, of runs of 32 and of runs of 1024 elements, one in sixteen each is left as it
/// is drawn; all others are multiplied by this. A sum over a part of many independent draws of one law tells
/// little from the sum over all of them; of uneven ones, which part it was tells much.
constexpr float kUnevenScale = 1.0f / 64;
/// Whether a law stays what it was where elements are scaled towards zero: it reaches zero, and is one of
/// reals.
bool may_be_uneven(const Distribution& distribution);

/// The law of an ATen step that draws, read from its arguments; nothing where the step is no draw that we
/// know or its parameters are tensors. `variant_applies`: continuous input values, to which sign, scale and
/// offset may be applied.
struct StepLaw {
    Distribution distribution;
    bool variant_applies = false;
};
std::optional<StepLaw> step_law(const plan::AtenStep& step);
/// Of a bernoulli draw whose probabilities are a tensor: which argument that is. The result is 1 - level <
/// probability, with 1 - level below one.
std::optional<size_t> probabilities_argument(const plan::AtenStep& step);
constexpr float kLargestLevel = 1 - 0x1p-24f;
/// Whether the step draws integers or flags, of which lines may be equal.
bool draws_integers(const plan::AtenStep& step);
/// As much of a variant as concerns draws of this law, of a leaf of this rank.
Variant of_law(const Variant& variant, const StepLaw& law, int rank = 0);

/// Contents of the buffer that a drawing step fills, made at any offset on demand. Nothing where the law is
/// not known or the result does not lie row-major from the buffer's first byte. This is what an execution of
/// the plan with the same seed and variant makes on a CPU, element by element. @param phase of the step.
/// @param uneven where the law may be (may_be_uneven) @param role of the plan's leaf_roles
std::optional<ttir::PageSource> draw_source(const plan::AtenStep& step, plan::Phase phase, uint64_t seed,
                                            const Variant& variant, bool uneven = false,
                                            const LeafRole& role = {});
/// The levels behind a bernoulli draw of a tensor, as float32.
std::optional<ttir::PageSource> level_source(const plan::AtenStep& step, plan::Phase phase, uint64_t seed,
                                             const Variant& variant);

}  // namespace tritonsmith::run
