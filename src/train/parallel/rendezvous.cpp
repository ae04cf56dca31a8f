#include "train/parallel/rendezvous.h"

#include <fmt/format.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

class StoreRendezvous : public Rendezvous {
  public:
    StoreRendezvous(const Ranks& ranks, std::chrono::seconds deadline)
        : where_(fmt::format("{}:{}", ranks.master, ranks.port)) {
        c10d::TCPStoreOptions options;
        options.port = static_cast<uint16_t>(ranks.port);
        options.isServer = ranks.rank == 0 && !ranks.has_store;
        options.numWorkers = static_cast<size_t>(ranks.count);
        options.waitWorkers = !ranks.has_store;
        options.timeout = deadline;
        try {
            store_ = c10::make_intrusive<c10d::TCPStore>(ranks.master, options);
        } catch (const std::exception& error) {
            throw MachineError(
                fmt::format("rank {} cannot meet the other {} at {} (MASTER_ADDR, MASTER_PORT): {}",
                            ranks.rank, ranks.count - 1, where_, first_line(error.what())));
        }
    }
    void put(const std::string& name, const std::string& bytes) override {
        guarded(name, [&] { store_->set(key(name), std::vector<uint8_t>(bytes.begin(), bytes.end())); });
    }
    std::string get(const std::string& name) override {
        std::vector<uint8_t> bytes;
        guarded(name, [&] { bytes = store_->get(key(name)); });
        return {bytes.begin(), bytes.end()};
    }

  private:
    static std::string key(const std::string& name) { return "tritonsmith/" + name; }
    static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
    template <class Function>
    void guarded(const std::string& name, const Function& function) {
        try {
            function();
        } catch (const std::exception& error) {
            throw MachineError(fmt::format("the run's processes do not meet at {} for {}: {}", where_, name,
                                           first_line(error.what())));
        }
    }

    std::string where_;
    c10::intrusive_ptr<c10d::TCPStore> store_;
};

class LocalRendezvous : public Rendezvous {
  public:
    void put(const std::string& name, const std::string& bytes) override {
        const std::lock_guard lock(mutex_);
        values_[name] = bytes;
        changed_.notify_all();
    }
    std::string get(const std::string& name) override {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return values_.contains(name); }))
            throw MachineError("nobody put " + name);
        return values_.at(name);
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::string> values_;
};

}  // namespace

std::unique_ptr<Rendezvous> tcp_rendezvous(const Ranks& ranks, std::chrono::seconds deadline) {
    return std::make_unique<StoreRendezvous>(ranks, deadline);
}

std::shared_ptr<Rendezvous> local_rendezvous() {
    return std::make_shared<LocalRendezvous>();
}

}  // namespace tritonsmith::train
