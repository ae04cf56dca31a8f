#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/problem.h"

namespace tritonsmith::bench {

/// Finds the problem that an answer's row or file names.
class ProblemIndex {
  public:
    explicit ProblemIndex(const std::vector<Problem>& problems);

    /// @param name an id, FILE.jsonl#ID, or a path whose stem is an id or a problem's name. Null: none.
    const Problem* by_name(const std::string& name) const;
    /// KernelBench's. Null: none.
    const Problem* by_number(int level, int number) const;
    /// By an instruction or a golden program of TritonBench, whatever its white space. Texts that several
    /// problems share name none of them. Null: none.
    const Problem* by_key(const std::string& text) const;

  private:
    std::map<std::string, const Problem*> names_, keys_;
};

}  // namespace tritonsmith::bench
