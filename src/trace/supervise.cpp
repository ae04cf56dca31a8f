#include "trace/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/json.h"
#include "trace/meter.h"

namespace tritonsmith::trace {
namespace {

using namespace std::chrono_literals;
using Stop = Ending::Stop;

constexpr auto kTick = 10ms;
constexpr auto kLinger = 2s;  ///< a child ends at once after its frame, if the machine lets it
constexpr size_t kKeptOutput = 1 << 16;

/// One pipe from the child.
struct Source {
    int fd;
    bool open = true;
    int64_t bytes = 0;
};

class Supervision {
  public:
    Supervision(Call& call, int result, int output, const PrivateFolder& folder, const Allowance& allowance)
        : call_(call), folder_(folder), allowance_(allowance), result_{result}, output_{output} {
        for (int fd : {result, output}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }

    Ending run() {
        identify();
        auto measured = Clock::now();
        while (!ended_) {
            wait();
            take_answers();
            drain();
            const auto now = Clock::now();
            if (killed_) {
                if (now - *killed_ > kReaping) throw MachineError("a traced process could not be ended");
                continue;
            }
            if (now >= allowance_.deadline) stop(Stop::deadline);
            if (allowance_.cancelled && *allowance_.cancelled) stop(Stop::cancelled);
            if (complete_ && now - *complete_ > kLinger && lingers()) stop(Stop::lingered);
            if (now - measured >= kTick) {
                measured = now;
                measure();
            }
        }
        drain();
        return std::move(ending_);
    }

  private:
    /// The first answer names the child.
    void identify() {
        std::optional<Json> answer = call_.next(Clock::now() + 30s);
        if (!answer) throw MachineError("the tracer process does not answer");
        if (answer->contains("error"))
            throw MachineError("the tracer could not fork: " + dump((*answer)["error"]));
        child_.emplace(answer->value("pid", 0), call_.server());
        if (auto parent = Meter(call_.server(), ::getpid()).read()) baseline_ = parent->resident;
    }

    void wait() {
        std::array<pollfd, 3> entries{pollfd{call_.event(), POLLIN, 0},
                                      pollfd{result_.open ? result_.fd : -1, POLLIN, 0},
                                      pollfd{output_.open ? output_.fd : -1, POLLIN, 0}};
        ::poll(entries.data(), entries.size(), static_cast<int>(kTick.count()));
    }

    void take_answers() {
        while (auto answer = call_.next(Clock::now())) {
            if (!answer->contains("exit")) continue;
            ending_.status = answer->value("exit", 0);
            ending_.signal = answer->value("signal", 0);
            ending_.cpu_seconds = answer->value("cpu_seconds", 0.0);
            ended_ = true;
            return;
        }
    }

    /// Reads what is there, at most a bounded amount each time: a fast writer must not keep us from the
    /// clock.
    template <typename Take>
    void drain(Source& source, Take take) {
        std::array<char, 1 << 16> buffer;
        for (int i = 0; source.open && i < 64; ++i) {
            const ssize_t got = ::read(source.fd, buffer.data(), buffer.size());
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
            if (got <= 0) {
                source.open = false;
                return;
            }
            source.bytes += got;
            take(std::string_view(buffer.data(), static_cast<size_t>(got)));
        }
    }

    void drain() {
        drain(result_, [&](std::string_view piece) { take_result(piece); });
        drain(output_, [&](std::string_view piece) {
            ending_.output.append(
                piece.substr(0, kKeptOutput - std::min(kKeptOutput, ending_.output.size())));
        });
        if (output_.bytes > allowance_.output) stop(Stop::output);
    }

    void take_result(std::string_view piece) {
        if (killed_) return;
        ending_.result.append(piece);
        const std::string& bytes = ending_.result;
        if (bytes.size() < 4) return;
        int64_t length = 0;
        for (int i = 0; i < 4; ++i) length |= int64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        const int64_t have = static_cast<int64_t>(bytes.size()) - 4;
        if (length > allowance_.result || have > length)
            stop(Stop::oversized);
        else if (have == length && !complete_) {
            complete_ = Clock::now();
            if (const auto reading = child_->read()) cpu_at_result_ = reading->cpu_seconds;
        }
    }

    /// A machine with more to do than it has processors keeps a child from ending, and its parent from
    /// reaping it, for longer than kLinger; the deadline holds all the same.
    bool lingers() const {
        const auto reading = child_->read();
        return reading && !reading->only_lacks_a_processor(cpu_at_result_);
    }

    void measure() {
        const auto reading = child_->read();
        if (!reading) return;
        const int64_t memory = reading->resident - baseline_;
        ending_.peak = std::max(ending_.peak, memory);
        if (memory > allowance_.memory) return stop(Stop::memory);
        if (reading->threads > allowance_.threads) return stop(Stop::threads);
        if (reading->written > allowance_.written) return stop(Stop::files);
        const auto size = folder_.measure(allowance_.entries);
        if (size.bytes > allowance_.files || size.entries >= allowance_.entries) stop(Stop::files);
    }

    void stop(Stop why) {
        if (killed_) return;
        killed_ = Clock::now();
        if (!ended_) child_->kill();
        ending_.stop = why;
    }

    Call& call_;
    const PrivateFolder& folder_;
    const Allowance& allowance_;
    Source result_, output_;
    std::optional<Meter> child_;
    int64_t baseline_ = 0;
    bool ended_ = false;
    std::optional<Clock::time_point> complete_, killed_;
    double cpu_at_result_ = 0;
    Ending ending_;
};

}  // namespace

Ending supervise(Call& call, int result, int output, const PrivateFolder& folder,
                 const Allowance& allowance) {
    return Supervision(call, result, output, folder, allowance).run();
}

}  // namespace tritonsmith::trace
