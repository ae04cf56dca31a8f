#include "ttir/footprint/program_classes.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "ttir/footprint/program_outcomes.h"

namespace tritonsmith::ttir {

namespace {

constexpr size_t kMostClasses = 4096;
constexpr size_t kOfEachClass = 2;
constexpr int64_t kEachBox = 8;         ///< work besides its operations
constexpr int64_t kTimesElaborate = 8;  ///< the work, where ranges tell little
constexpr int kLookedAtForRounds = 2;   ///< programs
constexpr int kLanes = 2;               ///< of each store, by chance
constexpr size_t kMostPlaces = 12;

int64_t size_of(const ProgramBox& box) {
    return (box.to[0] - box.from[0]) * (box.to[1] - box.from[1]) * (box.to[2] - box.from[2]);
}

int64_t random_below(int64_t n, std::mt19937_64& random) {
    return std::uniform_int_distribution<int64_t>(0, n - 1)(random);
}

class Classes {
  public:
    Classes(const Module& module, const std::array<int64_t, 3>& grid, const std::vector<Argument>& arguments,
            const KnownMemory& memory, int64_t work, std::mt19937_64& random)
        : grid_(grid), outcomes_(module, grid, arguments, memory), work_(work), random_(random) {}

    std::vector<ProgramOfClass> find(size_t most) {
        if (!outcomes_.any()) return {};
        if (outcomes_.elaborate()) work_ *= kTimesElaborate;
        split();
        look_at_rounds();
        std::vector<const Class*> rarest;
        for (const auto* classes : {&programs_, &stores_}) {
            if (classes->size() < 2) continue;
            for (const auto& [each, one] : *classes) rarest.push_back(&one);
        }
        std::stable_sort(rarest.begin(), rarest.end(),
                         [](const Class* a, const Class* b) { return a->count < b->count; });
        std::vector<ProgramOfClass> out;
        for (size_t round = 0; round < kOfEachClass; round++)
            for (const Class* one : rarest)
                if (out.size() < most && round < one->members.size())
                    out.push_back(member(any_alike(one->members[round])));
        return out;
    }

  private:
    struct Member {
        int64_t program;
        int store;  ///< number of the store among those of the program; -1: all of them
        bool operator==(const Member&) const = default;
    };
    struct Class {
        int64_t count = 0;  ///< that were seen to belong to it
        std::vector<Member> members;
    };

    /// Large boxes first, and of each that is not one class a single program, so that classes are seen even
    /// where ranges tell nothing.
    void split() {
        std::deque<ProgramBox> boxes{{{0, 0, 0}, grid_}};
        while (!boxes.empty() && work_ > 0) {
            const ProgramBox box = boxes.front();
            boxes.pop_front();
            if (look(box)) continue;
            (void)look(alone(any_of(box)));
            size_t widest = 0;
            for (size_t d = 1; d < 3; d++)
                if (box.to[d] - box.from[d] > box.to[widest] - box.from[widest]) widest = d;
            const int64_t middle = (box.from[widest] + box.to[widest]) / 2;
            ProgramBox lower = box, upper = box;
            lower.to[widest] = upper.from[widest] = middle;
            boxes.push_back(lower);
            boxes.push_back(upper);
        }
    }

    /// What depends on the round of a loop, and on no program, is seen in any program.
    void look_at_rounds() {
        if (!outcomes_.of_rounds()) return;
        for (int i = 0; i < kLookedAtForRounds; i++) (void)look(alone(any_of({{0, 0, 0}, grid_})));
    }

    bool look(const ProgramBox& box) {
        const int64_t before = outcomes_.spent();
        const ProgramOutcomes::Outcomes found = outcomes_.of(box);
        work_ -= outcomes_.spent() - before + kEachBox;
        if (!found.one) return false;
        const int64_t program = any_of(box);
        add(programs_, found.each, {program, -1}, size_of(box));
        const auto& written = outcomes_.written();
        for (size_t i = 0; written.size() > 1 && i < written.size(); i++)
            add(stores_, written[i].each, {program, static_cast<int>(i)}, 1);
        return true;
    }

    static void add(std::map<std::string, Class>& classes, const std::string& each, const Member& member,
                    int64_t count) {
        const auto place = classes.find(each);
        if (place == classes.end() && classes.size() >= kMostClasses) return;
        Class& one = place != classes.end() ? place->second : classes[each];
        one.count += count;
        if (one.members.size() < kOfEachClass &&
            std::find(one.members.begin(), one.members.end(), member) == one.members.end())
            one.members.push_back(member);
    }

    /// Where programs differ in rounds alone, the same store of any program: in some an error may not show.
    Member any_alike(const Member& member) {
        return programs_.size() < 2 ? Member{any_of({{0, 0, 0}, grid_}), member.store} : member;
    }

    ProgramOfClass member(const Member& member) {
        ProgramOfClass out{member.program, {}};
        (void)outcomes_.of(alone(member.program));
        const auto& written = outcomes_.written();
        for (size_t i = 0; i < written.size() && out.places.size() < kMostPlaces; i++)
            if (member.store < 0 || member.store == static_cast<int>(i)) add_places(written[i], out);
        return out;
    }

    void add_places(const ProgramOutcomes::Written& written, ProgramOfClass& out) {
        const auto add_lane = [&](const std::array<int64_t, LaneRange::kRank>& lane) {
            int64_t offset = written.offset.low;
            for (size_t d = 0; d < written.shape.size(); d++) offset += written.offset.step[d] * lane[d];
            out.places.push_back({written.argument, offset});
        };
        add_lane({});  // what rounds before have handed on may be forgotten in a few lanes
        for (const auto& lane : written.edges) add_lane(lane);
        for (int i = 0; i < kLanes; i++) {
            std::array<int64_t, LaneRange::kRank> lane{};
            for (size_t d = 0; d < written.shape.size(); d++)
                lane[d] = random_below(written.shape[d], random_);
            add_lane(lane);
        }
    }

    int64_t any_of(const ProgramBox& box) {
        std::array<int64_t, 3> p{};
        for (size_t d = 0; d < 3; d++) p[d] = box.from[d] + random_below(box.to[d] - box.from[d], random_);
        return p[0] + grid_[0] * (p[1] + grid_[1] * p[2]);
    }

    ProgramBox alone(int64_t program) const {
        const int64_t x = program % grid_[0], y = program / grid_[0] % grid_[1],
                      z = program / grid_[0] / grid_[1];
        return {{x, y, z}, {x + 1, y + 1, z + 1}};
    }

    std::array<int64_t, 3> grid_;
    ProgramOutcomes outcomes_;
    int64_t work_;
    std::mt19937_64& random_;
    std::map<std::string, Class> programs_, stores_;
};

}  // namespace

std::vector<ProgramOfClass> programs_of_classes(const Module& module, const std::array<int64_t, 3>& grid,
                                                const std::vector<Argument>& arguments,
                                                const KnownMemory& memory, size_t most, int64_t work,
                                                std::mt19937_64& random) {
    if (std::any_of(grid.begin(), grid.end(), [](int64_t n) { return n <= 0; })) return {};
    return Classes(module, grid, arguments, memory, work, random).find(most);
}

}  // namespace tritonsmith::ttir
