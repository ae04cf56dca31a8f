#include "train/optimizer/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tritonsmith::train {

double Schedule::at(int64_t step) const {
    if (step <= warmup) return peak * static_cast<double>(step) / static_cast<double>(warmup);
    const int64_t begin = kind == Kind::wsd ? steps - decay : warmup;
    if (kind == Kind::constant || step <= begin) return peak;
    const double done = std::min(1.0, static_cast<double>(step - begin) / static_cast<double>(steps - begin));
    const double left = kind == Kind::cosine ? 0.5 * (1 + std::cos(std::numbers::pi * done)) : 1 - done;
    return peak * (floor + (1 - floor) * left);
}

void Schedule::check() const {
    if (!(peak > 0)) throw InputError("schedule: the learning rate must be positive");
    if (!(floor >= 0 && floor <= 1)) throw InputError("schedule: floor is a share of the peak, 0 to 1");
    if (warmup < 0 || decay < 0 || steps < 1 || warmup + (kind == Kind::wsd ? decay : 0) > steps)
        throw InputError("schedule: warm-up and decay must not be longer than the run");
}

}  // namespace tritonsmith::train
