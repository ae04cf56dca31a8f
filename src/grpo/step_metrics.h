#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "grpo/collector.h"
#include "grpo/sample.h"

namespace tritonsmith::grpo {

/// What the answers of a step were like: sums, which may be added up over processes.
class AnswerCounts {
  public:
    /// All answers, learned from or not.
    void count(const Group& group);
    /// @param sum_of_all adds up a number over processes; families and reasons are this process's own
    Json metrics(const std::function<double(double)>& sum_of_all) const;

  private:
    struct Rate {
        int64_t right = 0, answers = 0;
    };
    double answers_ = 0, right_ = 0, valid_ = 0, compiled_ = 0, format_ = 0, cut_ = 0, tokens_ = 0, plan_ = 0;
    double reward_ = 0, correctness_ = 0, speed_ = 0, penalty_ = 0, unjudged_ = 0;
    double longest_ = 0, cheating_ = 0, checked_ = 0, check_right_ = 0;
    double groups_ = 0;
    std::map<std::string, double> left_out_;
    std::map<std::string, Rate> families_, difficulties_;
    std::map<int, Rate> turns_;
    std::map<std::string, int64_t> reasons_, hacks_;
};

Json to_json(const StepTime& time);

}  // namespace tritonsmith::grpo
