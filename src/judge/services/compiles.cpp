#include "judge/services/compiles.h"

#include <algorithm>
#include <set>

#include "ttir/parse/printer.h"

namespace tritonsmith::judge {

Compiles::Compiles(trace::Compiler& compiler, const plan::Plan& plan,
                   const std::vector<std::shared_ptr<const ttir::Module>>& modules, double seconds,
                   int at_a_time)
    : compiler_(compiler), plan_(plan), modules_(modules), budget_(seconds) {
    std::set<size_t> required;
    for (const plan::Step& step : plan.steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what))
            required.insert(static_cast<size_t>(launch->kernel));
    for (size_t i = 0; i < plan.kernels.size(); ++i) order_.push_back(i);
    std::stable_partition(order_.begin(), order_.end(), [&](size_t i) { return required.contains(i); });
    const size_t threads = std::min(order_.size(), static_cast<size_t>(std::max(at_a_time, 1)));
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Compiles::~Compiles() {
    budget_.cancel();
    for (std::thread& thread : threads_) thread.join();
}

Compiles::Result Compiles::compile(size_t kernel) {
    return compiler_.compile(ttir::print(*modules_[kernel]), plan_.target, plan_.kernels[kernel].options,
                             &budget_);
}

void Compiles::work() {
    std::unique_lock lock(mutex_);
    while (next_ < order_.size() && !failure_ && !budget_.cancelled()) {
        const size_t kernel = order_[next_++];
        lock.unlock();
        try {
            Result result = compile(kernel);
            lock.lock();
            results_.emplace(kernel, std::move(result));
        } catch (...) {
            lock.lock();
            if (!failure_) failure_ = std::current_exception();
        }
        changed_.notify_all();
    }
}

const Compiles::Result& Compiles::wait(size_t kernel) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || results_.contains(kernel); });
    const auto found = results_.find(kernel);
    if (found == results_.end()) std::rethrow_exception(failure_);
    return found->second;
}

}  // namespace tritonsmith::judge
