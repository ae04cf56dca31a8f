#include "judge/services/compiled_baseline.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/process/process.h"
#include "base/text.h"
#include "trace/classify.h"
#include "trace/environment.h"
#include "trace/private_folder.h"

namespace tritonsmith::judge {
namespace {

using namespace std::chrono_literals;
constexpr auto kStart = 180s;  ///< importing torch from a cold disk
constexpr auto kClose = 30s;

/// One life of the process.
class Process {
  public:
    explicit Process(const trace::TracerOptions& options) : folder_("tritonsmith-baseline") {
        SocketPair sockets = socket_pair();
        Fd log(::open(log_path().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        if (!log) throw MachineError("cannot write " + log_path());
        Spawn what = trace::with_gpu(trace::package_script(options, "baseline.py", folder_.path(), false));
        what.descriptors = {{sockets.theirs.get(), 3}};
        what.directory = folder_.path();
        what.stdout_fd = what.stderr_fd = log.get();
        pid_ = spawn(what);
        socket_ = std::move(sockets.ours);
        const std::optional<Json> greeting = receive(Clock::now() + kStart);
        if (!greeting || !greeting->value("ready", false)) {
            kill_and_reap(pid_);
            throw MachineError("the baseline process could not be started" + last_words());
        }
    }
    ~Process() {
        ::shutdown(socket_.get(), SHUT_RDWR);
        kill_and_reap(pid_);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Nothing: it died, or the deadline has passed (`late`).
    std::optional<Json> ask(const Json& request, Deadline deadline) {
        try {
            send_frame(socket_.get(), request);
        } catch (const MachineError&) {
            return std::nullopt;
        }
        return receive(deadline);
    }
    bool late() const { return late_; }

    std::string last_words() const {
        std::ifstream log(log_path());
        std::string text(std::istreambuf_iterator<char>(log), {});
        if (text.size() > 2000) text = "…" + text.substr(text.size() - 2000);
        return text.empty() ? "" : "\n" + printable(text, 2100);
    }

  private:
    std::string log_path() const { return folder_.path() + "/log"; }

    std::optional<Json> receive(Deadline deadline) {
        Frame frame;
        const FrameError error = receive_frame(socket_.get(), frame, deadline);
        late_ = error == FrameError::timeout;
        if (error != FrameError::none || !frame.message.is_object()) return std::nullopt;
        return std::move(frame.message);
    }

    trace::PrivateFolder folder_;
    pid_t pid_ = 0;
    Fd socket_;
    bool late_ = false;
};

}  // namespace

struct CompiledBaseline::Impl {
    trace::TracerOptions options;
    std::unique_ptr<Process> process;

    std::variant<Json, BaselineError> ask(const Json& request, Deadline deadline) {
        std::optional<Json> answer = process->ask(request, deadline);
        if (!answer) {
            BaselineError error{"process_died", "the baseline process ended" + process->last_words()};
            if (process->late()) error = {"deadline_exceeded", "the baseline did not answer in time"};
            process.reset();
            return error;
        }
        if (answer->value("ok", false)) return std::move(*answer);
        return BaselineError{answer->value("reason", "task_error"),
                             printable(answer->value("message", ""), 2000)};
    }
};

CompiledBaseline::CompiledBaseline(trace::TracerOptions options) : impl_(std::make_unique<Impl>()) {
    impl_->options = std::move(options);
}
CompiledBaseline::~CompiledBaseline() = default;

std::variant<OpenedBaseline, BaselineError> CompiledBaseline::open(const BaselineTask& task,
                                                                   std::chrono::milliseconds deadline) {
    if (!impl_->process) impl_->process = std::make_unique<Process>(impl_->options);
    Json precisions = Json::array();
    for (const numerics::Precision precision : task.precisions)
        precisions.push_back(numerics::name(precision));
    auto answer = impl_->ask({{"do", "open"},
                              {"source", task.source},
                              {"filename", task.filename},
                              {"entry", task.entry},
                              {"constants", task.constants},
                              {"device", task.device},
                              {"precisions", precisions},
                              {"mode", task.mode}},
                             Clock::now() + deadline);
    if (auto* error = std::get_if<BaselineError>(&answer)) return *error;
    const Json& opened = std::get<Json>(answer);
    return OpenedBaseline{opened.value("graph", false), opened.value("seconds", 0.0)};
}

std::variant<std::vector<double>, BaselineError> CompiledBaseline::time(int samples,
                                                                        std::chrono::milliseconds budget,
                                                                        numerics::Precision precision) {
    if (!impl_->process) return BaselineError{"task_error", "no task is open"};
    const double seconds = std::chrono::duration<double>(budget).count();
    auto answer = impl_->ask({{"do", "time"},
                              {"samples", samples},
                              {"seconds", seconds},
                              {"precision", numerics::name(precision)}},
                             Clock::now() + budget + kSamplesGrace);
    if (auto* error = std::get_if<BaselineError>(&answer)) return *error;
    std::vector<double> times;
    for (const Json& ms : std::get<Json>(answer).value("ms", Json::array()))
        if (ms.is_number() && std::isfinite(ms.get<double>())) times.push_back(ms.get<double>());
    if (times.empty()) return BaselineError{"task_error", "the baseline gave no times"};
    return times;
}

void CompiledBaseline::close() {
    if (impl_->process) impl_->ask({{"do", "close"}}, Clock::now() + kClose);
}

}  // namespace tritonsmith::judge
