#include "bench/suites/flaws.h"

#include <map>
#include <utility>

namespace tritonsmith::bench {

std::string kernelbench_flaw(int level, int problem) {
    static const std::map<std::pair<int, int>, const char*> flaws = {
        {{2, 23}, "constant output"},
        {{2, 80}, "constant output"},
        {{2, 83}, "constant output"},
        {{1, 23}, "output near zero: below the public tolerance"},
        {{1, 37}, "output near zero: below the public tolerance"},
        {{1, 39}, "output near zero: below the public tolerance"},
        {{1, 53}, "output near zero: below the public tolerance"},
        {{2, 66}, "active dropout: random"},
        {{1, 90}, "output underflows"},
        {{2, 14}, "collapses algebraically"},
        {{2, 18}, "collapses algebraically"},
        {{1, 100}, "output does not depend on the inputs given"},
        {{3, 35}, "output does not depend on the inputs given"},
        {{3, 47}, "output does not depend on the inputs given"},
        {{1, 95}, "integer targets cast to floats"},
        {{1, 98}, "integer targets cast to floats"},
    };
    const auto found = flaws.find({level, problem});
    return found == flaws.end() ? "" : found->second;
}

}  // namespace tritonsmith::bench
