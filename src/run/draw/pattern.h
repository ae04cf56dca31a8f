#pragma once

#include <cstdint>
#include <vector>

#include "run/draw/draw.h"

namespace tritonsmith::run {

/// What a variant's pattern makes of single elements of a drawn tensor (docs/judge.md, Input sets): each is a
/// function of the key, the shape, the element's index and what was drawn for it, so that any element can be
/// made alone, on the CPU (here) and on a device (device_pattern.h), by the same formulas. No torch here.
///
/// The tensor is seen as lines × length elements. In `rows` a line is a row (its last dimension, or as many
/// of the last ones as make 32 elements) and lines differ: one in eight each is of the task's own law, has
/// few large elements among small ones, has one among its last or at a tile's edge, has equal elements, is
/// small, is large, is heavy-tailed and of one sign, is zero, sparse, constant, in order or has the other
/// sign. The few large elements of all lines together visit every place of a line where there are enough
/// lines. Of tensors with three dimensions and more every fourth index of the first makes all its lines
/// small, and every eighth keeps them away from zero, with one sign. In `columns` the last dimensions (all
/// but the first two where there are three) and the second one differ so, and some columns have one sign. In
/// `fading` rows (of every second sample all alike) have the sizes at which guards may bind, one after the
/// other, the same ones in all tensors of a set.
class Pattern {
  public:
    enum class Kind : uint8_t { own, spikes, ties, heavy, sparse, constant, rising };
    static constexpr int kKinds = 7;
    /// 0: as drawn; by_element: of its own for each element
    enum class Sign : uint8_t { drawn, flipped, positive, by_element, negative };
    /// What elements of one line, or of one column, have in common.
    struct Trait {
        Kind kind = Kind::own;
        Sign sign = Sign::drawn;  ///< of a column: drawn is the line's
        bool final = false;       ///< of a line: its columns' traits do not matter
        float factor = 1;         ///< own: of the values; ties: of their step; spikes: of the large ones
        float value = 0;          ///< constant
        int64_t place = 0;        ///< of the first large element of a line, in a column's counting
        int64_t large = 0;      ///< spikes: so many, one after the other in that counting; rising: the first
        int64_t own_until = 0;  ///< elements before are of the task's own law
        uint32_t hash = 0;
    };

    /// @param law of the values that the pattern is applied to. @param rank of the leaf among those of the
    /// task
    Pattern(const DrawKey& key, const Distribution& law, const Variant& variant, int rank,
            const std::vector<int64_t>& shape);

    /// Of draws of integers, which keep their range: what a line holds.
    struct Integers {
        enum class Kind : uint8_t { drawn, equal, rising, step } kind = Kind::drawn;
        int64_t first =
            0;  ///< value; of a step the place from which on all are the greatest (before: the least)
    };
    Integers integers(const Distribution& law, int64_t line) const;

    int64_t length() const { return length_; }
    int64_t lines() const { return lines_; }
    /// Lines alone decide (rows), or columns as well.
    bool by_lines() const { return columns_apart_ == 0; }
    Trait line(int64_t index) const;
    Trait column(int64_t index) const;
    /// @param column trait of column `c`
    float element(const Trait& line, const Trait& column, int64_t c, float drawn) const;

    /// What formulas need besides the traits.
    struct Constants {
        float anchor = 0;                  ///< the value nearest to zero that the law has
        float unit = 1;                    ///< what is usual of |value - anchor|
        float lowest = 0, highest = 0;     ///< bounded: of all values
        float end = 0;                     ///< the bound above, which the law may not reach
        float step = 0.5F, half_step = 0;  ///< of equal elements: multiples of it, plus half of one
        float background = 0x1p-7F;        ///< of elements beside large ones
        bool bounded = false, ends = false;
    };
    const Constants& constants() const { return constants_; }
    static uint32_t mixed(uint32_t x);

  private:
    Trait row(int64_t index) const;
    /// One of the sizes that small lines or columns have in turn.
    Trait small(int64_t turn) const;
    /// One that shows a guard, in turn; as drawn where there is none.
    Trait guarded(int64_t turn) const;
    float in_turn(const std::vector<int>& exponents, int64_t turn) const;
    std::vector<int> guarded_exponents() const;
    Trait faded(int64_t index) const;
    std::vector<int> fading_exponents() const;
    Trait alone(int64_t turn) const;
    /// All elements away from zero, with one sign.
    Trait away(Sign sign, int exponent) const;
    int64_t edge(int64_t turn) const;
    static float finer(uint32_t hash);
    uint32_t hash(uint32_t salt, int64_t index) const;
    void lay_out_rows(const std::vector<int64_t>& shape);
    void lay_out_columns(const std::vector<int64_t>& shape);

    Variant variant_;
    Variant::Pattern pattern_;  ///< of this leaf
    Constants constants_;
    std::vector<int> small_, guarded_, fading_;  ///< powers of two
    uint32_t salt_ = 0, turn_of_set_ = 0;
    int64_t length_ = 1, lines_ = 1;
    int64_t lines_per_sample_ = 0, samples_small_ = 0;  ///< rows: every so many-th sample; 0: none
    int64_t sample_away_ = -1;                          ///< of four, in every second four
    int64_t channels_ = 0, columns_apart_ = 0;
    int64_t large_ = 1, factor_ = 1, inverse_ = 1, begin_ = 0, turn_ = 1;  ///< where large elements lie
};

}  // namespace tritonsmith::run
