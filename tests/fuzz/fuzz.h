#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// One input. Returns 0; whatever is wrong ends the process.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace tritonsmith::fuzz {

/// What must hold of every input; says so and aborts where it does not.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

/// Takes numbers off the front of an input; zeros when it is used up.
class Bytes {
  public:
    Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
    uint64_t take(int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes && size_ > 0; ++i, ++data_, --size_)
            value |= static_cast<uint64_t>(*data_) << (8 * i);
        return value;
    }
    const uint8_t* data() const { return data_; }
    size_t size() const { return size_; }

  private:
    const uint8_t* data_;
    size_t size_;
};

}  // namespace tritonsmith::fuzz
