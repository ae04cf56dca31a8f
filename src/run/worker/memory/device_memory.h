#pragma once

#include <vector>

#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Memory that torch allocates on a device. Nothing is known of which bytes were written: what nothing wrote
/// holds the pattern.
class DeviceMemory : public Memory {
  public:
    struct Options {
        at::Device device = at::kCPU;
        uint64_t poison = 0;  ///< seeds the pattern of fresh memory
        int64_t guard = 0;    ///< bytes of the zones before and behind each buffer: a multiple of 512
    };
    DeviceMemory(const plan::Plan& plan, const Options& options);
    ~DeviceMemory() override;

    at::Device device() const override { return options_.device; }
    bool live(int buffer) const override;
    void allocate(int buffer, plan::DType dtype) override;
    void allocate_for(const plan::Tensor& tensor) override;
    /// Never where buffers have guard zones.
    bool adopt(const plan::Tensor& declared, const at::Tensor& fresh) override;
    void release(int buffer) override;
    void begin_call() override;
    at::Tensor view(const plan::Tensor& tensor) override;
    int64_t storage_start(int buffer) const override;
    bool holds(int buffer, const at::Tensor& tensor) const override;
    /// Elements that hold what the fresh buffer held. Of tensors that do not lie densely in their buffer
    /// nothing is said.
    Unwritten unwritten(const plan::Tensor& tensor) override;
    /// Those of buffers that were freed are reported as well.
    std::optional<Finding> damaged_guard() override;

    /// The address of the buffer's first byte. @throws StepError plan_invalid where it is not live
    uint64_t address(int buffer);
    /// All constants of the plan are made now, and none later.
    void make_constants();
    /// From here on fresh memory is left as it is, and every range of it is noted, freed or not. What was
    /// made before stays, also where the plan frees it: a graph may use it again.
    void begin_recording();
    /// The calls are run and not replayed: what they free is anybody's, so that only what is live is filled
    /// from here on.
    void not_recorded();
    /// Fills all noted ranges with another pattern.
    void poison_recorded(uint64_t seed);

  private:
    struct Slot {
        at::Storage storage;  ///< defined while live
        int64_t guard = 0;    ///< bytes before the buffer's first byte
        bool poisoned = false;
        bool recorded = false;                 ///< made while recording
        plan::DType dtype = plan::DType::f32;  ///< of the pattern
    };
    struct Zone {
        int buffer;
        bool behind;
        at::Tensor damaged;  ///< bool, on the device
    };
    struct Range {
        std::byte* begin;
        int64_t bytes;
        plan::DType dtype;
    };
    Slot& slot(int buffer);
    Slot& present(int buffer);
    Slot& make(int buffer);
    /// Notes whether they are damaged, without waiting for the device.
    void look_at_guards(int buffer);
    void note(const at::Storage& storage, plan::DType dtype);
    at::Tensor bytes_of(const at::Storage& storage, int64_t first, int64_t count) const;
    uint64_t pattern_seed(int buffer) const;

    const plan::Plan& plan_;
    Options options_;
    std::vector<Slot> slots_;
    at::Tensor guard_pattern_;
    int calls_ = 0;                         ///< behind it
    std::vector<at::Storage> held_inputs_;  ///< of the call before, so that those of this one lie elsewhere
    std::vector<Zone> zones_;               ///< of buffers that were freed
    bool recording_ = false, live_only_ = false;
    std::vector<Range> ranges_;
};

}  // namespace tritonsmith::run
