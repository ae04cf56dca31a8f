#include "trace/service.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <thread>

#include "base/json.h"
#include "trace/private_folder.h"

namespace tritonsmith::trace {
namespace {

using namespace std::chrono_literals;

/// Answers that have come for one request.
struct Mailbox {
    std::deque<Json> answers;
    bool ended = false;
    Fd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

/// One life of the process, from start to death.
class Life {
  public:
    Life(const std::string& name, const std::function<Spawn(const std::string&)>& program)
        : name_(name), folder_("tritonsmith-" + name) {
        SocketPair sockets = socket_pair();
        Fd log(::open(log_path().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        if (!log) throw MachineError("cannot write " + log_path());
        Spawn what = program(folder_.path());
        what.descriptors = {{sockets.theirs.get(), 3}};
        what.directory = folder_.path();
        what.stdout_fd = what.stderr_fd = log.get();
        pid_ = spawn(what);
        socket_ = std::move(sockets.ours);
        reader_ = std::thread(&Life::read, this);
    }

    ~Life() {
        ::shutdown(socket_.get(), SHUT_RDWR);
        kill_and_reap(pid_);  // its children die with it: PR_SET_PDEATHSIG
        reader_.join();
    }

    pid_t pid() const { return pid_; }

    bool ended() const {
        std::lock_guard lock(mutex_);
        return ended_;
    }

    Json ready() {
        std::unique_lock lock(mutex_);
        const bool answered =
            changed_.wait_for(lock, kStartTime, [&] { return ended_ || !greeting_.is_null(); });
        if (answered && greeting_.is_object() && greeting_.value("ready", false)) return greeting_;
        std::string why = !answered ? "it did not answer" : "it ended";
        if (greeting_.is_object() && greeting_.contains("error")) {
            const Json& error = greeting_["error"];
            why = error.is_string() ? error.get<std::string>() : dump(error);
        }
        const std::string message = "the " + name_ + " process could not be started: " + why + last_words();
        // What ends by itself before it is ready does so again.
        if (answered && greeting_.is_null() && killed_) throw HelperEnded(message);
        throw MachineError(message);
    }

    std::shared_ptr<Mailbox> open(int64_t id) {
        std::lock_guard lock(mutex_);
        auto box = std::make_shared<Mailbox>();
        box->ended = ended_;
        boxes_[id] = box;
        return box;
    }

    void close(int64_t id) {
        std::lock_guard lock(mutex_);
        boxes_.erase(id);
    }

    void send(const Json& request, const std::vector<int>& descriptors) {
        std::lock_guard lock(sending_);
        try {
            send_frame(socket_.get(), request, descriptors);
        } catch (const MachineError&) {
            throw HelperEnded("the " + name_ + " process ended" + last_words());
        }
    }

    std::optional<Json> next(Mailbox& box, Deadline deadline) {
        std::unique_lock lock(mutex_);
        auto something = [&] { return !box.answers.empty() || box.ended; };
        if (!deadline)
            changed_.wait(lock, something);
        else if (!changed_.wait_until(lock, *deadline, something))
            return std::nullopt;
        if (box.answers.empty()) throw HelperEnded("the " + name_ + " process ended" + last_words());
        Json answer = std::move(box.answers.front());
        box.answers.pop_front();
        uint64_t count;
        if (box.answers.empty() && !box.ended) (void)!::read(box.event.get(), &count, sizeof count);
        return answer;
    }

  private:
    std::string log_path() const { return folder_.path() + "/log"; }

    /// The end of what it wrote to its standard error, to make a failed start understandable.
    std::string last_words() const {
        std::ifstream log(log_path());
        std::string text(std::istreambuf_iterator<char>(log), {});
        while (!text.empty() && text.back() == '\n') text.pop_back();
        if (text.size() > 2000) text = "…" + text.substr(text.size() - 2000);
        return text.empty() ? "" : "\n" + text;
    }

    /// After its end of the socket was closed. It stays a zombie until it is reaped with this object.
    bool died_of_a_signal() const {
        for (int i = 0; i < 200; ++i) {
            siginfo_t how{};
            if (::waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOHANG | WNOWAIT) != 0)
                return false;
            if (how.si_pid == pid_) return how.si_code == CLD_KILLED || how.si_code == CLD_DUMPED;
            std::this_thread::sleep_for(10ms);
        }
        return false;
    }

    static void notify(Mailbox& box) {
        const uint64_t one = 1;
        (void)!::write(box.event.get(), &one, sizeof one);
    }

    void read() {
        Frame frame;
        while (receive_frame(socket_.get(), frame, std::nullopt) == FrameError::none) {
            std::lock_guard lock(mutex_);
            if (greeting_.is_null()) {
                greeting_ = std::move(frame.message);
            } else if (frame.message.is_object() && frame.message.contains("id") &&
                       frame.message["id"].is_number_integer()) {
                auto found = boxes_.find(frame.message["id"].get<int64_t>());
                if (found != boxes_.end()) {
                    found->second->answers.push_back(std::move(frame.message));
                    notify(*found->second);
                }
            }
            changed_.notify_all();
        }
        const bool killed = died_of_a_signal();
        std::lock_guard lock(mutex_);
        ended_ = true;
        killed_ = killed;
        for (auto& [id, box] : boxes_) {
            box->ended = true;
            notify(*box);
        }
        changed_.notify_all();
    }

    const std::string name_;
    PrivateFolder folder_;
    pid_t pid_ = 0;
    Fd socket_;
    mutable std::mutex mutex_;
    std::mutex sending_;
    std::condition_variable changed_;
    bool ended_ = false, killed_ = false;
    Json greeting_;
    std::map<int64_t, std::shared_ptr<Mailbox>> boxes_;
    std::thread reader_;
};

class LiveCall : public Call {
  public:
    LiveCall(std::shared_ptr<Life> life, int64_t id)
        : life_(std::move(life)), id_(id), box_(life_->open(id)) {}
    ~LiveCall() override { life_->close(id_); }
    std::optional<Json> next(Deadline deadline) override { return life_->next(*box_, deadline); }
    int event() const override { return box_->event.get(); }
    pid_t server() const override { return life_->pid(); }

  private:
    std::shared_ptr<Life> life_;
    int64_t id_;
    std::shared_ptr<Mailbox> box_;
};

}  // namespace

struct Service::Impl {
    std::string name;
    std::function<Spawn(const std::string&)> program;
    std::mutex mutex;
    std::shared_ptr<Life> life;
    int64_t last_id = 0;

    std::shared_ptr<Life> current() {
        std::lock_guard lock(mutex);
        if (!life || life->ended()) life = std::make_shared<Life>(name, program);
        return life;
    }
};

Service::Service(std::string name, std::function<Spawn(const std::string& folder)> program)
    : impl_(std::make_unique<Impl>()) {
    impl_->name = std::move(name);
    impl_->program = std::move(program);
    impl_->current();
}

Service::~Service() = default;

Json Service::ready() {
    return impl_->current()->ready();
}

std::unique_ptr<Call> Service::send(Json request, const std::vector<int>& descriptors) {
    std::shared_ptr<Life> life = impl_->current();
    life->ready();
    int64_t id;
    {
        std::lock_guard lock(impl_->mutex);
        id = ++impl_->last_id;
    }
    request["id"] = id;
    auto call = std::make_unique<LiveCall>(life, id);
    life->send(request, descriptors);
    return call;
}

}  // namespace tritonsmith::trace
