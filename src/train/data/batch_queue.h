#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "train/data/batch_stream.h"

namespace tritonsmith::train {

/// Reads batches ahead on a thread of its own, so that files, templates and the tokenizer cost a step no
/// time.
class BatchQueue {
  public:
    /// @param ahead batches that wait at most
    BatchQueue(BatchStream stream, size_t ahead);
    ~BatchQueue();
    BatchQueue(const BatchQueue&) = delete;
    BatchQueue& operator=(const BatchQueue&) = delete;

    /// The next batch in the stream's order. @throws what the stream threw, when its turn comes, or
    /// MachineError where there is none within `deadline`
    Batch next(std::chrono::seconds deadline = std::chrono::minutes(10));

  private:
    void read();

    BatchStream stream_;
    const size_t ahead_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Batch> ready_;
    std::exception_ptr failure_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tritonsmith::train
