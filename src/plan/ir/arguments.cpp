#include "plan/ir/arguments.h"

namespace tritonsmith::plan {

const Value* find_argument(const AtenStep& step, size_t position, std::string_view name) {
    if (position < step.args.size()) return &step.args[position];
    if (name.empty()) return nullptr;
    for (const auto& [key, value] : step.kwargs)
        if (key == name) return &value;
    return nullptr;
}

std::optional<double> as_number(const Value* value) {
    if (const auto* real = value ? std::get_if<double>(&value->v) : nullptr) return *real;
    if (const auto* whole = value ? std::get_if<int64_t>(&value->v) : nullptr)
        return static_cast<double>(*whole);
    return std::nullopt;
}

std::optional<double> as_number_or_truth(const Value* value) {
    if (const auto* flag = value ? std::get_if<bool>(&value->v) : nullptr) return *flag ? 1 : 0;
    return as_number(value);
}

const Value* StepArguments::find(size_t position, const char* name) const {
    return find_argument(step_, position, name);
}

const Tensor* StepArguments::tensor_or_null(size_t position, const char* name) const {
    return argument<Tensor>(step_, position, name);
}

const Tensor& StepArguments::tensor(size_t position, const char* name) const {
    const Tensor* tensor = tensor_or_null(position, name);
    if (!tensor) throw CannotEvaluate(step_.op + ": an argument is no tensor");
    return *tensor;
}

double StepArguments::real(size_t position, const char* name, double otherwise) const {
    const Value* value = find(position, name);
    if (!value || std::holds_alternative<std::monostate>(value->v)) return otherwise;
    if (const std::optional<double> number = as_number_or_truth(value)) return *number;
    throw CannotEvaluate(step_.op + ": an argument is no number");
}

int64_t StepArguments::whole(size_t position, const char* name, int64_t otherwise) const {
    const Value* value = find(position, name);
    if (!value || std::holds_alternative<std::monostate>(value->v)) return otherwise;
    if (auto* number = std::get_if<int64_t>(&value->v)) return *number;
    throw CannotEvaluate(step_.op + ": an argument is no integer");
}

bool StepArguments::flag(size_t position, const char* name, bool otherwise) const {
    const bool* flag = argument<bool>(step_, position, name);
    return flag ? *flag : otherwise;
}

std::string StepArguments::text(size_t position, const char* name, const std::string& otherwise) const {
    const auto* text = argument<std::string>(step_, position, name);
    return text ? *text : otherwise;
}

std::vector<int64_t> StepArguments::integers(size_t position, const char* name) const {
    const Value* value = find(position, name);
    if (!value || std::holds_alternative<std::monostate>(value->v)) return {};
    if (auto* number = std::get_if<int64_t>(&value->v)) return {*number};
    auto* sequence = std::get_if<Sequence>(&value->v);
    if (!sequence) throw CannotEvaluate(step_.op + ": an argument is no list of integers");
    std::vector<int64_t> out;
    for (const Value& item : sequence->items) {
        auto* number = std::get_if<int64_t>(&item.v);
        if (!number) throw CannotEvaluate(step_.op + ": an argument is no list of integers");
        out.push_back(*number);
    }
    return out;
}

}  // namespace tritonsmith::plan
