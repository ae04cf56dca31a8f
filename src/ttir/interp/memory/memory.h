#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/process/mapped_memory.h"

namespace tritonsmith::ttir {

/// Fills bytes [offset, offset + count) of a buffer that is made on demand; must be thread-safe and
/// deterministic.
using PageSource = std::function<void(int64_t offset, std::byte* out, int64_t count)>;

/// One device buffer with a shadow: which bytes have been written. Data and shadow are reserved address space
/// that costs memory only where touched, so a buffer may be larger than the machine. Owns its mapping; not
/// copyable.
class Buffer {
  public:
    /// @param bytes size; @param address the invented device address (only for ptr_to_int and alignment).
    /// @param touch sparse where only a few pages of it will be looked at.
    /// @throws MachineError when address space runs out.
    Buffer(int64_t bytes, uint64_t address, std::string name, Touch touch = Touch::dense);
    /// Over memory of someone else's, which must outlive it and lies at its real address.
    /// @param unwritten a shadow says what has been written (nothing yet); else all counts as written.
    Buffer(std::byte* data, int64_t bytes, std::string name, bool unwritten);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    /// One byte per byte: 0 not yet written, 1 written. Null for borrowed memory that was written before.
    uint8_t* written() { return written_; }
    int64_t bytes() const { return bytes_; }
    uint64_t address() const { return address_; }
    const std::string& name() const {
        return name_;
    }  ///< for messages: "input 0", "weight 'w'", "buffer allocated at line 12"
    void set_name(std::string name) { name_ = std::move(name); }

    void mark_written(int64_t offset, int64_t count);
    void mark_all_written() { all_written_ = true; }
    bool all_written() const { return all_written_; }
    /// Counts as written from now on if every byte has been: reads need not look any more.
    void forget_shadow_if_all_written();
    /// Contents made page by page at first touch (inputs and weights of sampled full-size runs); implies all
    /// written.
    void set_source(PageSource source);
    /// Makes [offset, offset+count) present; cheap when there is no source. Thread-safe.
    void ensure(int64_t offset, int64_t count);
    /// Calls `body` for every piece that is present, of a buffer with a source.
    void for_each_present(const std::function<void(int64_t offset, int64_t count)>& body) const;
    bool lazy() const { return static_cast<bool>(source_); }
    bool sparse() const { return touch_ == Touch::sparse; }
    const PageSource& source() const { return source_; }  ///< empty where not lazy

    /// For the interpreter's race check: zeroed words that live as long as the buffer. A word that is at most
    /// race_epoch() belongs to an earlier launch, so nothing is cleared between launches.
    uint32_t* race_shadow(int64_t words);
    uint32_t race_epoch() const { return race_epoch_; }
    void set_race_epoch(uint32_t epoch) { race_epoch_ = epoch; }
    void forget_races();
    /// For races inside one program: zeroed words that live as long as the buffer (lanes.h).
    uint64_t* lane_shadow(int64_t words);

  private:
    struct Pages;
    std::byte* data_ = nullptr;
    uint8_t* written_ = nullptr;
    int64_t bytes_ = 0, mapped_ = 0;
    uint64_t address_ = 0;
    std::string name_;
    Touch touch_;
    bool all_written_ = false, borrowed_ = false;
    PageSource source_;
    std::unique_ptr<Pages> pages_;
    uint32_t* races_ = nullptr;
    int64_t races_bytes_ = 0;
    uint64_t* lanes_ = nullptr;
    int64_t lanes_bytes_ = 0;
    uint32_t race_epoch_ = 0;
};

}  // namespace tritonsmith::ttir
