#include "graph/lift/call.h"

#include <algorithm>
#include <numeric>

#include "plan/ir/json.h"

namespace tritonsmith::graph {

Call::Call(const plan::AtenStep& step)
    : step_(step), name_(step.op), results_(plan::tensors_in(step.result)) {}

const plan::Value* Call::value(size_t position, const char* name) const {
    const plan::Value* found = position < step_.args.size() ? &step_.args[position] : nullptr;
    for (const auto& [key, given] : step_.kwargs)
        if (key == name) found = &given;
    return found && std::holds_alternative<std::monostate>(found->v) ? nullptr : found;
}

const plan::Tensor* Call::tensor_if(size_t position, const char* name) const {
    const plan::Value* found = value(position, name);
    return found ? std::get_if<plan::Tensor>(&found->v) : nullptr;
}

const plan::Tensor& Call::tensor(size_t position, const char* name) const {
    if (const plan::Tensor* found = tensor_if(position, name)) return *found;
    throw Unliftable{std::string("argument '") + name + "' is no tensor"};
}

std::vector<const plan::Tensor*> Call::tensors(size_t position, const char* name) const {
    const plan::Value* found = value(position, name);
    const auto* list = found ? std::get_if<plan::Sequence>(&found->v) : nullptr;
    if (!list) throw Unliftable{std::string("argument '") + name + "' is no list of tensors"};
    std::vector<const plan::Tensor*> out;
    for (const plan::Value& item : list->items) out.push_back(std::get_if<plan::Tensor>(&item.v));
    return out;
}

std::optional<Number> number_of(const plan::Value& value) {
    if (const bool* flag = std::get_if<bool>(&value.v)) return *flag;
    if (const int64_t* whole = std::get_if<int64_t>(&value.v)) return *whole;
    if (const double* real = std::get_if<double>(&value.v)) return *real;
    return std::nullopt;
}

std::optional<Number> Call::number_if(size_t position, const char* name) const {
    const plan::Value* found = value(position, name);
    return found ? number_of(*found) : std::nullopt;
}

double Call::real(size_t position, const char* name, double otherwise) const {
    const std::optional<Number> found = number_if(position, name);
    return found ? as_double(*found) : otherwise;
}

int64_t Call::integer(size_t position, const char* name, int64_t otherwise) const {
    const std::optional<Number> found = number_if(position, name);
    if (!found) return otherwise;
    if (const int64_t* whole = std::get_if<int64_t>(&*found)) return *whole;
    if (const bool* flag = std::get_if<bool>(&*found)) return *flag;
    throw Unliftable{std::string("argument '") + name + "' is no integer"};
}

bool Call::flag(size_t position, const char* name, bool otherwise) const {
    return integer(position, name, otherwise) != 0;
}

std::string Call::word(size_t position, const char* name, const std::string& otherwise) const {
    const plan::Value* found = value(position, name);
    const auto* text = found ? std::get_if<std::string>(&found->v) : nullptr;
    return text ? *text : otherwise;
}

std::vector<double> Call::reals(size_t position, const char* name) const {
    const plan::Value* found = value(position, name);
    std::vector<double> out;
    if (!found) return out;
    if (std::optional<Number> one = number_of(*found)) return {as_double(*one)};
    if (const auto* list = std::get_if<plan::Sequence>(&found->v))
        for (const plan::Value& item : list->items)
            if (std::optional<Number> one = number_of(item)) out.push_back(as_double(*one));
    return out;
}

std::vector<int64_t> Call::integers(size_t position, const char* name) const {
    std::vector<int64_t> out;
    for (double value : reals(position, name)) out.push_back(static_cast<int64_t>(value));
    return out;
}

const plan::Tensor& Call::result() const {
    if (results_.empty()) throw Unliftable{"it returns no tensor"};
    return results_.front();
}

int wrapped(int64_t axis, size_t rank) {
    return static_cast<int>(axis < 0 ? axis + std::max<int64_t>(static_cast<int64_t>(rank), 1) : axis);
}

std::vector<int> wrapped_axes(const std::vector<int64_t>& axes, size_t rank) {
    std::vector<int> out;
    for (int64_t axis : axes)
        if (rank > 0) out.push_back(wrapped(axis, rank));
    if (axes.empty()) {
        out.resize(rank);
        std::iota(out.begin(), out.end(), 0);
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace tritonsmith::graph
