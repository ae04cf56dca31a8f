#include "task/shrink.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <vector>

#include "task/smaller_size.h"

namespace tritonsmith::task {
namespace {

constexpr int64_t kFloor = 16;  // below this, tiles, groups and heads stop meaning anything
/// No size goes far down while another is still large: rows of 93 elements test little of a kernel for
/// 12,000.
constexpr int64_t kSoftFloors[] = {256, 64, kFloor};
/// What is hardly too large is not: a gain of 8 KiB beside 4 MiB is no reason to halve rows.
constexpr double kEnough = 1.05;
/// Times. Triton makes a constant of a batch of one, so that kernels may be others than at the task's own
/// size, and further sizes are tried: of what is slow anyway that costs more than the second image.
constexpr double kFarTooLarge = 16;
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
    Shrinker(const plan::Cost& full, const Probe& probe, const ShrinkLimits& limits,
             const std::set<std::string>& outer)
        : cost_(full), probe_(probe), limits_(limits), outer_(outer) {}

    Shrunk run(const std::map<std::string, int64_t>& constants) {
        make_groups(constants);
        if (limits_.one_by_one)
            lower_one_by_one();
        else
            lower_all();
        // Sizes that depend on each other (heads · size = width) only go down together.
        while (too_much() && together()) {
        }
        if (too_much() && (over() <= kFarTooLarge || !fits())) last_resort();
        if (over() <= 1) grow_back();
        return result();
    }

  private:
    void lower_all() {
        for (int64_t floor : kSoftFloors) {
            soft_floor_ = floor;
            for (size_t i = 0; i < groups_.size() && over() > kEnough; ++i)
                if (!lower({i}) && floor == kFloor) split(i);
        }
    }

    void lower_one_by_one() {
        for (size_t i = 0; i < groups_.size() && too_much(); ++i)
            for (int64_t floor : {kSoftFloors[1], kFloor}) {
                soft_floor_ = floor;
                while (too_much() && over() > kEnough && lower({i})) {
                }
            }
    }

    bool too_much() const {
        if (!limits_.one_by_one) return over() > kEnough;
        return cost_.bytes > std::max(limits_.bytes, limits_.enough_bytes) ||
               cost_.flops > std::max(limits_.flops, limits_.enough_flops);
    }

    void make_groups(const std::map<std::string, int64_t>& constants) {
        std::map<std::tuple<bool, bool, int64_t, std::string>, Group> by_value;
        for (const auto& [name, value] : constants) {
            bool batch = is_batch(name);
            int64_t floor = batch ? kBatchFloor : kFloor;
            if (value <= floor) continue;
            Group& group = by_value[{!batch, !outer_.contains(name), -value, limits_.one_by_one ? name : ""}];
            group.names.push_back(name);
            group.original = group.value = value;
            group.floor = floor;
            group.batch = batch;
        }
        for (auto& [key, group] : by_value)
            groups_.push_back(std::move(group));  // batches first, then rows, then large ones
    }

    /// How many times too much the current size is.
    double over() const { return over(cost_); }
    double over(const plan::Cost& cost) const {
        return std::max(
            static_cast<double>(cost.bytes) / static_cast<double>(std::max<int64_t>(limits_.bytes, 1)),
            cost.flops / std::max(limits_.flops, 1.0));
    }

    /// A value near `wanted` that divides like the original. At last, one that divides less will do.
    int64_t nice(const Group& group, double wanted) const {
        const int64_t floor = group.batch ? group.floor : std::max(group.floor, soft_floor_);
        int64_t value = group.value;
        while (static_cast<double>(value) > wanted) {
            int64_t next = smaller(value);
            if (next < floor && floor == group.floor) next = value / 2;
            if (next < floor) break;
            value = next;
        }
        return value;
    }

    int64_t smaller(int64_t size) const {
        return smaller_size(size, limits_.keep_powers ? INT64_MAX : kWidestTile);
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
        double factor = over() / kEnough;
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
        for (size_t k = groups_.size() - names.size(); k < groups_.size() && over() > kEnough; ++k)
            lower({k});
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

    bool fits() const {
        return cost_.bytes <= std::max(limits_.most_bytes, limits_.bytes) &&
               cost_.flops <= std::max(limits_.most_flops, limits_.flops);
    }

    /// A batch of one tests less, but it is better than a task that does not fit.
    void last_resort() {
        for (size_t i = 0; i < groups_.size() && over() > kEnough; ++i) {
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
    /// fits. The first step tells how the cost grows, the next jumps by what that leaves room for.
    void grow_back() {
        for (size_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].value == groups_[i].original) continue;
            std::vector<int64_t> larger;  // falling
            for (int64_t size = groups_[i].original; size > groups_[i].value; size = smaller(size))
                larger.push_back(size);
            size_t steps = 1;  // tried next
            while (!larger.empty() && over() < 0.25) {
                std::vector<Group> next = groups_;
                next[i].value = larger[larger.size() - steps];
                auto cost = probe(next);
                if (!cost || over(*cost) > 1) {
                    if (steps == 1) break;
                    larger.erase(larger.begin(), larger.end() - static_cast<std::ptrdiff_t>(steps) + 1);
                    steps = 1;
                    continue;
                }
                const double room = room_left(*cost, ratio(next[i].value, groups_[i].value));
                const double most = static_cast<double>(next[i].value) * room;
                groups_ = std::move(next);
                cost_ = *cost;
                larger.resize(larger.size() - steps);
                steps = 1;
                while (steps < larger.size() &&
                       static_cast<double>(larger[larger.size() - steps - 1]) <= most)
                    ++steps;
            }
        }
    }

    static double ratio(int64_t to, int64_t from) {
        return static_cast<double>(to) / static_cast<double>(from);
    }

    /// By what a size may still grow that brought the cost from cost_ to `now` as it grew by `grown`.
    double room_left(const plan::Cost& now, double grown) const {
        const auto room = [&](double before, double after, double limit) {
            const double slope = std::log(std::max(after, 1.0) / std::max(before, 1.0)) / std::log(grown);
            if (slope < 0.01) return 1e18;
            return std::exp(std::log(std::max(limit, 1.0) / std::max(after, 1.0)) / slope);
        };
        return std::min(room(static_cast<double>(cost_.bytes), static_cast<double>(now.bytes),
                             static_cast<double>(limits_.bytes)),
                        room(cost_.flops, now.flops, limits_.flops));
    }

    Shrunk result() const {
        Shrunk out;
        out.fits = fits();
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
    const std::set<std::string>& outer_;
    int probes_ = 0;
    int64_t soft_floor_ = kFloor;
};

}  // namespace

Shrunk shrink(const std::map<std::string, int64_t>& constants, const plan::Cost& full, const Probe& probe,
              const ShrinkLimits& limits, const std::set<std::string>& outer) {
    return Shrinker(full, probe, limits, outer).run(constants);
}

}  // namespace tritonsmith::task
