#include "run/worker/sample/closure.h"

#include <algorithm>
#include <utility>

#include "plan/ir/json.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::run::sample {

namespace {

/// Some 50 ns each.
constexpr int64_t kMostWork = 400'000, kMostWorkForWritten = 60'000;
constexpr size_t kMostPrograms = 4096;
/// Of a copy that somebody depends on.
constexpr int64_t kMostCarriedElements = 1 << 16;

}  // namespace

void Selection::add(const Selection& other) {
    programs.resize(std::max(programs.size(), other.programs.size()));
    for (size_t i = 0; i < other.programs.size(); i++)
        programs[i].insert(other.programs[i].begin(), other.programs[i].end());
    for (const auto& [event, ranges] : other.bytes) bytes[event].add(ranges);
}

Closure::Closure(const Events& events)
    : events_(events),
      reads_(events.launches().size()),
      work_(kMostWork),
      work_for_written_(kMostWorkForWritten) {}

/// Moves the wanted bytes of a copy's result to its source, and drops those of a fill. False: too many.
bool Closure::take(const plan::Tensor& to, const plan::Tensor* from, ttir::BufferBytes& wanted,
                   ttir::ByteRanges* done) const {
    const ttir::Buffer* target = events_.buffer(to.buffer);
    const auto found = wanted.find(target);
    if (found == wanted.end()) return true;
    const int64_t size = plan::element_size(to.dtype);
    if (found->second.bytes() > kMostCarriedElements * size) return false;
    const ttir::ByteRanges asked = std::exchange(found->second, {});
    ttir::ByteRanges left, source;
    for (const ttir::ByteRange& range : asked.ranges())
        for (int64_t at = range.begin / size; at * size < range.end; at++) {
            const auto position = plan::position_in(to, at);
            if (!position) {
                left.add(std::max(at * size, range.begin), std::min((at + 1) * size, range.end));
                continue;
            }
            if (done) done->add(at * size, (at + 1) * size);
            if (!from) continue;
            int64_t offset = from->offset;
            for (size_t d = 0; d < position->size(); d++) offset += (*position)[d] * from->stride[d];
            const int64_t from_size = plan::element_size(from->dtype);
            source.add(offset * from_size, (offset + 1) * from_size);
        }
    wanted[target] = std::move(left);
    if (from && !source.empty()) wanted[events_.buffer(from->buffer)].add(source);
    return true;
}

/// False where what happens cannot be known.
bool Closure::host_event(const Event& event, ttir::BufferBytes& wanted, ttir::ByteRanges* done) const {
    for (const ttir::Buffer* buffer : event.spoilt)
        if (const auto found = wanted.find(buffer); found != wanted.end() && !found->second.empty())
            return false;
    for (const ttir::Buffer* buffer : event.made) wanted.erase(buffer);
    if (event.copy) return take(event.copy->to, &event.copy->from, wanted, done);
    return !event.filled || take(*event.filled, nullptr, wanted, done);
}

std::optional<bool> Closure::written(ttir::BufferBytes wanted) {
    for (size_t e = events_.events().size(); e-- > 0;) {
        const Event& event = events_.events()[e];
        if (!host_event(event, wanted, nullptr)) return std::nullopt;
        if (event.launch < 0) continue;
        const Launch& launch = events_.launches()[static_cast<size_t>(event.launch)];
        if (!launch.footprint || launch.writes.empty()) continue;
        const auto found = launch.footprint->writers(wanted, 1, work_for_written_);
        if (found && found->empty()) continue;
        if (work_for_written_ < 0) return std::nullopt;
        return true;
    }
    return false;
}

std::optional<Selection> Closure::of(ttir::BufferBytes wanted, double seconds) {
    Selection selection;
    selection.programs.resize(events_.launches().size());
    for (size_t e = events_.events().size(); e-- > 0;) {
        const Event& event = events_.events()[e];
        ttir::ByteRanges done;
        if (!host_event(event, wanted, &done)) return std::nullopt;
        if (!done.empty()) selection.bytes[e] = std::move(done);
        if (event.launch >= 0 && !launch_event(static_cast<size_t>(event.launch), wanted, selection, seconds))
            return std::nullopt;
    }
    return selection;
}

bool Closure::launch_event(size_t index, ttir::BufferBytes& wanted, Selection& selection, double& seconds) {
    const Launch& launch = events_.launches()[index];
    if (!launch.footprint || launch.writes.empty()) return true;
    std::set<int64_t>& programs = selection.programs[index];
    // What they read of each other's has to be there as well.
    for (bool again = true; again;) {
        const auto found = launch.footprint->writers(wanted, kMostPrograms, work_);
        if (!found) return false;
        if (found->size() == programs.size()) break;
        if (launch.seconds < 0 || launch.seconds * static_cast<double>(found->size()) > seconds) return false;
        if (selection.launch < 0) {
            selection.launch = static_cast<int>(index);
            selection.program = found->back();
        }
        again = false;
        for (int64_t program : *found) {
            if (!programs.insert(program).second) continue;
            for (const auto& [buffer, bytes] : read_by(index, program)) {
                wanted[buffer].add(bytes);
                again |= launch.writes.contains(buffer);
            }
        }
    }
    seconds -= std::max(launch.seconds, 0.0) * static_cast<double>(programs.size());
    return true;
}

const ttir::BufferBytes& Closure::read_by(size_t launch, int64_t program) {
    const auto [found, fresh] = reads_[launch].try_emplace(program);
    if (fresh) found->second = events_.launches()[launch].footprint->of(program).read;
    return found->second;
}

double Closure::seconds(const Selection& more, const Selection& chosen) const {
    double sum = 0;
    for (size_t i = 0; i < more.programs.size(); i++)
        for (int64_t program : more.programs[i])
            if (i >= chosen.programs.size() || !chosen.programs[i].contains(program))
                sum += std::max(events_.launches()[i].seconds, 0.0);
    return sum;
}

}  // namespace tritonsmith::run::sample
