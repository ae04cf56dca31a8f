#include "task/shrink.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

namespace tritonsmith::task {
namespace {

constexpr int64_t kFloor = 16;  // below this, tiles, groups and heads stop meaning anything
/// No size goes far down while another is still large: rows of 93 elements test little of a kernel for
/// 12,000.
constexpr int64_t kSoftFloors[] = {256, 64, kFloor};
constexpr int64_t kBatchFloor = 2;  // more than one, so that strides over the batch are still tested

bool is_batch(const std::string& name) {
    std::string lower;
    for (char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower.find("batch") != std::string::npos || lower == "b" || lower == "bs" || lower == "bsz";
}

/// Constants that are scaled together: those with equal values, which a program often means to be the same
/// size.
struct Group {
    std::vector<std::string> names;
    int64_t original = 0, value = 0, floor = 0;
    bool batch = false;
};

class Shrinker {
  public:
    Shrinker(const plan::Cost& full, const Probe& probe, const ShrinkLimits& limits)
        : cost_(full), probe_(probe), limits_(limits) {}

    Shrunk run(const std::map<std::string, int64_t>& constants) {
        make_groups(constants);
        for (int64_t floor : kSoftFloors) {
            soft_floor_ = floor;
            for (size_t i = 0; i < groups_.size() && over() > 1; ++i)
                if (!lower({i}) && floor == kFloor) split(i);
        }
        // Sizes that depend on each other (heads · size = width) only go down together.
        while (over() > 1 && together()) {
        }
        if (over() > 1) last_resort();
        if (over() <= 1) grow_back();
        return result();
    }

  private:
    void make_groups(const std::map<std::string, int64_t>& constants) {
        std::map<std::pair<bool, int64_t>, Group> by_value;
        for (const auto& [name, value] : constants) {
            bool batch = is_batch(name);
            int64_t floor = batch ? kBatchFloor : kFloor;
            if (value <= floor) continue;
            Group& group = by_value[{!batch, -value}];
            group.names.push_back(name);
            group.original = group.value = value;
            group.floor = floor;
            group.batch = batch;
        }
        for (auto& [key, group] : by_value)
            groups_.push_back(std::move(group));  // batch first, then large ones
    }

    /// How many times too much the current size is.
    double over() const { return over(cost_); }
    double over(const plan::Cost& cost) const {
        return std::max(
            static_cast<double>(cost.bytes) / static_cast<double>(std::max<int64_t>(limits_.bytes, 1)),
            cost.flops / std::max(limits_.flops, 1.0));
    }

    /// A value near `wanted` that divides like the original: divided by a power of two as often as that works
    /// out.
    int64_t nice(const Group& group, double wanted) const {
        const int64_t floor = group.batch ? group.floor : std::max(group.floor, soft_floor_);
        int64_t value = group.value;
        while (static_cast<double>(value) > wanted && value / 2 >= floor) value /= 2;
        return value;
    }

    std::optional<plan::Cost> probe(const std::vector<Group>& groups) {
        if (probes_ >= limits_.max_probes) return std::nullopt;
        ++probes_;
        return probe_(overrides(groups));
    }

    static std::map<std::string, int64_t> overrides(const std::vector<Group>& groups) {
        std::map<std::string, int64_t> out;
        for (const Group& group : groups)
            if (group.value != group.original)
                for (const std::string& name : group.names) out[name] = group.value;
        return out;
    }

    /// Lowers these groups by about the factor that is too much, less where the program does not run so. True
    /// if it became cheaper.
    bool lower(const std::vector<size_t>& which) {
        double factor = over();
        for (int attempt = 0; attempt < 3; ++attempt) {
            std::vector<Group> next = groups_;
            bool changed = false;
            for (size_t i : which) {
                next[i].value = nice(groups_[i], static_cast<double>(groups_[i].value) / factor);
                changed |= next[i].value != groups_[i].value;
            }
            if (!changed) return false;
            if (auto cost = probe(next)) {
                if (over(*cost) > 0.97 * over()) return false;  // it is not a size
                groups_ = std::move(next);
                cost_ = *cost;
                return true;
            }
            if (factor <= 2) return false;
            factor = attempt == 0 ? std::sqrt(factor) : 2;
        }
        return false;
    }

    /// Equal values that do not mean the same: each on its own.
    void split(size_t i) {
        if (groups_[i].names.size() < 2 || groups_[i].names.size() > 4) return;
        std::vector<std::string> names = groups_[i].names;
        for (const std::string& name : names) {
            Group alone = groups_[i];
            alone.names = {name};
            groups_.push_back(alone);
        }
        groups_[i].names.clear();
        for (size_t k = groups_.size() - names.size(); k < groups_.size() && over() > 1; ++k) lower({k});
    }

    bool together() {
        std::vector<size_t> all, sizes;
        for (size_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].names.empty() || groups_[i].value / 2 < groups_[i].floor) continue;
            all.push_back(i);
            if (!groups_[i].batch) sizes.push_back(i);
        }
        for (const auto& which : {sizes, all})
            if (!which.empty() && halve(which)) return true;
        // One after the other again: what did not run at full size may run now.
        for (size_t i : all)
            if (halve({i})) return true;
        return false;
    }

    /// A batch of one tests less, but it is better than a task that does not fit.
    void last_resort() {
        for (size_t i = 0; i < groups_.size() && over() > 1; ++i) {
            if (!groups_[i].batch) continue;
            groups_[i].floor = 1;
            lower({i});
        }
    }

    bool halve(const std::vector<size_t>& which) {
        std::vector<Group> next = groups_;
        for (size_t i : which) next[i].value /= 2;
        auto cost = probe(next);
        if (!cost || over(*cost) > 0.97 * over()) return false;
        groups_ = std::move(next);
        cost_ = *cost;
        return true;
    }

    /// Factors that act twice or three times (all sides of square matrices) overshoot: takes back what still
    /// fits. The first doubling tells how the cost grows, the next jumps by what that leaves room for.
    void grow_back() {
        for (size_t i = 0; i < groups_.size(); ++i) {
            int doublings = 1, most = 60;
            while (groups_[i].value != groups_[i].original && over() < 0.25 && most > 0) {
                std::vector<Group> next = groups_;
                for (int k = 0; k < doublings && next[i].value < next[i].original; ++k)
                    next[i].value =
                        next[i].value > next[i].original / 2 ? next[i].original : next[i].value * 2;
                auto cost = probe(next);
                if (!cost || over(*cost) > 1) {
                    most = doublings - 1;
                    doublings = most;
                    continue;
                }
                int room = std::min(
                    doublings_left(static_cast<double>(cost_.bytes), static_cast<double>(cost->bytes),
                                   static_cast<double>(limits_.bytes), doublings),
                    doublings_left(cost_.flops, cost->flops, limits_.flops, doublings));
                groups_ = std::move(next);
                cost_ = *cost;
                doublings = std::min(std::max(room, 1), most);
            }
        }
    }

    /// How often a size may still be doubled, where that many doublings brought the cost from `before` to
    /// `now`.
    static int doublings_left(double before, double now, double limit, int doublings) {
        double slope = std::log2(std::max(now, 1.0) / std::max(before, 1.0)) / doublings;
        if (slope < 0.01) return 60;
        return static_cast<int>(
            std::clamp(std::log2(std::max(limit, 1.0) / std::max(now, 1.0)) / slope, 0.0, 60.0));
    }

    Shrunk result() const {
        Shrunk out;
        out.fits = cost_.bytes <= std::max(limits_.most_bytes, limits_.bytes) &&
                   cost_.flops <= std::max(limits_.most_flops, limits_.flops);
        out.overrides = overrides(groups_);
        out.cost = cost_;
        out.probes = probes_;
        if (out.fits) return out;
        if (groups_.empty())
            out.why =
                "the program has no integers that could be scaled down: at module level, or where its inputs "
                "are made";
        else if (probes_ >= limits_.max_probes)
            out.why = "still " + times() + " too large after " + std::to_string(probes_) + " tries";
        else
            out.why = "still " + times() + " too large with every constant as small as the program runs with";
        return out;
    }

    std::string times() const {
        const double factor = over();
        if (factor < 10) return std::to_string(factor).substr(0, 3) + " times";
        if (factor > 1e15) return "more than 10^15 times";
        return std::to_string(static_cast<int64_t>(factor)) + " times";
    }

    std::vector<Group> groups_;
    plan::Cost cost_;
    const Probe& probe_;
    const ShrinkLimits& limits_;
    int probes_ = 0;
    int64_t soft_floor_ = kFloor;
};

}  // namespace

Shrunk shrink(const std::map<std::string, int64_t>& constants, const plan::Cost& full, const Probe& probe,
              const ShrinkLimits& limits) {
    return Shrinker(full, probe, limits).run(constants);
}

}  // namespace tritonsmith::task
