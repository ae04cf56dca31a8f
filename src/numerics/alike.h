#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tritonsmith::numerics {

/// The errors of elements of like size: a histogram of errors (in steps of the square root of two) for each
/// class of |expected| and of S (by powers of two), all relative to the output's rms. What one run of the
/// reference shows of one element is chance; what it shows of all elements like it is not.
class Alike {
  public:
    static constexpr int kValues = 56, kScales = 80, kErrors = 128;
    static constexpr int kClasses = kValues * kScales;
    /// Least exponent (as std::frexp has it) of each, in class 1; class 0 is zero. Of errors each exponent
    /// has two classes: mantissas below and from kHalf on.
    static constexpr double kHalf = 0.70710678118654752;
    static constexpr int kLeastValue = -48, kLeastScale = -48, kLeastError = -58;
    /// Results that are smaller than S by so many powers of two hide nothing of the errors of their terms.
    static constexpr int kCancelled = 3;
    /// Powers of two that neighbours' S may be smaller by for their errors to be taken relative to it.
    static constexpr int kNear = 8;
    /// Elements of like size that are looked at at least, where there are so many: neighbouring classes
    /// count, too, with errors that are as large beside S as they are there, if S is smaller there.
    static constexpr int64_t kEnough = 32;
    /// Where some elements may be wholly different (outliers), what others are wrong by follows from the
    /// error that this share stays below: the largest of ten thousand normally distributed errors is so many
    /// times as large.
    static constexpr double kShare = 0.99, kBeyond = 1.5;

    explicit Alike(double rms) : rms_(rms), counts_(static_cast<size_t>(kClasses) * kErrors) {}

    int class_of(double value, double scale) const;
    int class_of_error(double error) const;

    void add(double value, double scale, double error);
    /// Many at once. @param counts [kClasses * kErrors]
    void add(const int64_t* counts);
    /// No more elements come. @return for each class what `at` says: the largest error
    const std::vector<double>& finish(bool outliers);
    double at(double value, double scale) const {
        return limits_[static_cast<size_t>(class_of(value, scale))];
    }

  private:
    double rms_;
    std::vector<int64_t> counts_;
    std::vector<double> limits_;
};

}  // namespace tritonsmith::numerics
