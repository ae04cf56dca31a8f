#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "forge/families/row_space.h"

namespace tritonsmith::forge {

/// Writes kernels over a row space: one of them, or several where its rows are too few to fill a device.
class RowKernel {
  public:
    /// @param pooled rows are the windows of a pool, which overlap or lie apart in memory
    RowKernel(Context& context, int value, const RowSpace& space, bool pooled);
    /// Nothing where the value is not made of reductions over this space.
    std::optional<Written> write();

  private:
    bool read();
    void schedule();
    bool divides_rows() const;
    int64_t sharing_programs() const;
    void begin(const std::string& program);
    void straight();
    void loops();
    std::vector<Launch> split();
    void loop(const std::string& from, const std::string& step, const std::function<void()>& body);
    void start_totals(const std::vector<const Primitive*>& now);
    void add_up(const std::vector<const Primitive*>& now);
    void join_lanes(const std::vector<const Primitive*>& now);
    const Primitive* place_of(const Primitive& extreme) const;
    std::string lanes() const;
    void store_partials(const std::vector<const Primitive*>& now);
    void combine(const std::vector<const Primitive*>& before);
    std::vector<const Primitive*> of_level(int level) const;
    int levels() const;
    void hoist(int term);
    Code reduced(const Primitive& primitive, const std::string& text) const;
    std::string masked(const Primitive& primitive, const Code& input) const;
    void store(const Code& code, bool whole_row);
    void store_companion();
    void begin_columns(const std::string& from);
    std::string width() const;
    bool tile() const { return block_rows_ > 1; }

    Context& context_;
    const int value_;
    const RowSpace& space_;
    const bool pooled_;
    Field field_;
    Reader reader_;
    Kernel kernel_;
    RowReductions reductions_;
    FieldWriter writer_;
    int result_ = -1;
    int second_ = -1, second_result_ = -1;  ///< another value that this kernel stores, and its term
    std::vector<Index> out_at_;
    bool whole_ = false;  ///< the result has an element for each point, not for each row
    int64_t block_rows_ = 1, block_cols_ = 1;
    bool loop_ = false;
    bool serial_ = false;  ///< the loop takes one column after the other: a row's total is in one lane
    int64_t parts_ = 1;    ///< programs that share a row; 1: it belongs to one
    Space text_;
    std::map<std::string, std::pair<std::string, std::string>>
        partials_;  ///< scratch tensors and their roles, by primitive
};

}  // namespace tritonsmith::forge
