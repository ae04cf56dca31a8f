#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace tritonsmith {

/// A vector of mostly no more than N small values: so many lie in the object itself, and only more are
/// allocated. Any change moves elements.
template <class T, size_t N>
class Few {
  public:
    const T* begin() const { return size_ <= N ? here_.data() : more_.data(); }
    const T* end() const { return begin() + size_; }
    T* begin() { return size_ <= N ? here_.data() : more_.data(); }
    T* end() { return begin() + size_; }
    const T& operator[](size_t i) const { return begin()[i]; }
    T& operator[](size_t i) { return begin()[i]; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Before element `at`; behind the last where that is size().
    void insert(size_t at, T value) {
        if (size_ < N) {
            std::move_backward(here_.begin() + at, here_.begin() + size_, here_.begin() + size_ + 1);
            here_[at] = std::move(value);
        } else {
            if (size_ == N) {
                more_.reserve(2 * N + 2);
                more_.assign(std::make_move_iterator(here_.begin()), std::make_move_iterator(here_.end()));
            }
            more_.insert(more_.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
        }
        ++size_;
    }
    void push_back(T value) { insert(size_, std::move(value)); }
    void erase(size_t at) {
        std::move(begin() + at + 1, end(), begin() + at);
        end()[-1] = T();  // what it held is released
        if (--size_ != N) {
            if (size_ > N) more_.pop_back();
            return;
        }
        std::move(more_.begin(), more_.begin() + N, here_.begin());
        more_.clear();
    }

  private:
    size_t size_ = 0;
    std::array<T, N> here_{};
    std::vector<T> more_;  ///< all of them, where there are more than N
};

}  // namespace tritonsmith
