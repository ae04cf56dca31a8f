#include "plan/ir/options.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

using Texts = std::set<std::string>;

bool is_null(const Value& value) {
    return std::holds_alternative<std::monostate>(value.v);
}
bool is_bool(const Value& value) {
    return std::holds_alternative<bool>(value.v);
}
bool is_bool(const Value& value, bool wanted) {
    return is_bool(value) && std::get<bool>(value.v) == wanted;
}
bool is_text(const Value& value, const std::string& wanted) {
    const auto* text = std::get_if<std::string>(&value.v);
    return text && *text == wanted;
}
bool in_range(const Value& value, int64_t low, int64_t high) {
    const auto* number = std::get_if<int64_t>(&value.v);
    return number && *number >= low && *number <= high;
}
bool power_of_two_up_to(const Value& value, int64_t high) {
    const auto* number = std::get_if<int64_t>(&value.v);
    return number && *number >= 1 && *number <= high && (*number & (*number - 1)) == 0;
}

/// A list, tuple or absent value that holds exactly these strings.
bool is_set(const Value& value, const Texts& wanted) {
    if (is_null(value)) return wanted.empty();
    const auto* sequence = std::get_if<Sequence>(&value.v);
    if (!sequence || sequence->items.size() != wanted.size()) return false;
    return std::all_of(sequence->items.begin(), sequence->items.end(), [&](const Value& item) {
        const auto* text = std::get_if<std::string>(&item.v);
        return text && wanted.contains(*text);
    });
}

/// Triton's own libdevice and nothing else. The path is not used: the trusted side supplies its own.
bool is_default_libdevice(const Value& value) {
    if (is_null(value)) return true;
    std::vector<std::pair<std::string, Value>> items;
    if (const auto* dict = std::get_if<Dict>(&value.v)) {
        items = dict->items;
    } else if (const auto* sequence = std::get_if<Sequence>(&value.v)) {
        for (const Value& item : sequence->items) {
            const auto* pair = std::get_if<Sequence>(&item.v);
            const auto* name =
                pair && pair->items.size() == 2 ? std::get_if<std::string>(&pair->items[0].v) : nullptr;
            if (!name) return false;
            items.emplace_back(*name, pair->items[1]);
        }
    } else {
        return false;
    }
    return std::all_of(items.begin(), items.end(), [](const auto& item) {
        const auto* path = std::get_if<std::string>(&item.second.v);
        return item.first == "libdevice" && path &&
               path->ends_with("/triton/backends/nvidia/lib/libdevice.10.bc");
    });
}

int capability(const std::string& target) {
    int number = 0;
    for (char c : target)
        if (c >= '0' && c <= '9' && number < 10000) number = number * 10 + (c - '0');
    return number;
}

/// The options that may vary: "" where the value is fine, else what it must be. Null: not one of them.
const char* varying(const std::string& name, const Value& value) {
    if (name == "num_warps") return power_of_two_up_to(value, 32) ? "" : "must be 1, 2, 4, 8, 16 or 32";
    if (name == "num_ctas") return power_of_two_up_to(value, 16) ? "" : "must be 1, 2, 4, 8 or 16";
    if (name == "num_stages") return in_range(value, 0, 64) ? "" : "must be an integer from 0 to 64";
    if (name == "maxnreg")
        return is_null(value) || in_range(value, 0, 255) ? "" : "must be an integer up to 255";
    if (name == "enable_fp_fusion" || name == "launch_cooperative_grid")
        return is_bool(value) ? "" : "must be true or false";
    if (name == "launch_pdl") return is_bool(value) || is_null(value) ? "" : "must be true or false";
    return nullptr;
}

/// Defaults of Triton 3.6 (class CUDAOptions and parse_options of its nvidia backend).
bool is_default(const std::string& name, const Value& value, int arch) {
    if (name == "warp_size") return in_range(value, 32, 32);
    if (name == "ptx_version" || name == "ptx_options" || name == "ir_override") return is_null(value);
    if (name == "enable_reflect_ftz" || name == "sanitize_overflow") return is_bool(value, true);
    if (name == "debug") return is_bool(value, false);
    if (name == "instrumentation_mode") return is_text(value, "");
    if (name == "backend_name") return is_text(value, "cuda");
    if (name == "arch")
        return is_text(value, "sm" + std::to_string(arch)) || is_text(value, "sm_" + std::to_string(arch));
    if (name == "default_dot_input_precision") return is_text(value, "tf32");
    if (name == "allowed_dot_input_precisions")
        return is_set(value, {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"});
    if (name == "supported_fp8_dtypes")
        return is_set(value, arch >= 89 ? Texts{"fp8e5", "fp8e4b15", "fp8e4nv"} : Texts{"fp8e5", "fp8e4b15"});
    if (name == "deprecated_fp8_dot_operand_dtypes")
        return is_set(value, arch >= 90 ? Texts{"fp8e4b15"} : Texts{});
    if (name == "max_num_imprecise_acc_default") {
        int64_t expected = arch == 90 ? int64_t{1} << 30 : 0;
        return is_null(value) || in_range(value, expected, expected);
    }
    if (name == "extern_libs") return is_default_libdevice(value);
    return false;
}

}  // namespace

std::optional<std::string> forbidden_option(const std::string& name, const Value& value,
                                            const std::string& target) {
    std::string text = shortened(name, 64) + " = " + shortened(dump(to_json(value)), 80);
    if (const char* wrong = varying(name, value)) {
        if (!*wrong) return std::nullopt;
        return text + ": " + wrong;
    }
    if (is_default(name, value, capability(target))) return std::nullopt;
    return text +
           ": only num_warps, num_ctas, num_stages, maxnreg, enable_fp_fusion and launch_cooperative_grid "
           "may be chosen";
}

namespace {
int integer_option(const Kernel& kernel, const char* name, int otherwise) {
    const auto it = kernel.options.find(name);
    const auto* value = it == kernel.options.end() ? nullptr : std::get_if<int64_t>(&it->second.v);
    return value != nullptr ? static_cast<int>(*value) : otherwise;
}

bool is_set(const Kernel& kernel, const char* name) {
    const auto it = kernel.options.find(name);
    const auto* value = it == kernel.options.end() ? nullptr : std::get_if<bool>(&it->second.v);
    return value != nullptr && *value;
}
}  // namespace

int num_warps(const Kernel& kernel) {
    return integer_option(kernel, "num_warps", 4);
}

int num_ctas(const Kernel& kernel) {
    return integer_option(kernel, "num_ctas", 1);
}

bool cooperative_grid(const Kernel& kernel) {
    return is_set(kernel, "launch_cooperative_grid");
}

bool starts_early(const Kernel& kernel) {
    return is_set(kernel, "launch_pdl");
}

int64_t resident_programs(const std::string& target, const Kernel& kernel) {
    const int64_t processors = target == "sm_80" ? 108 : target == "sm_90" ? 132 : 192;
    return processors * std::min(32, 64 / std::max(num_warps(kernel), 1));
}

bool tensor_copies(const std::string& target) {
    return capability(target) >= 90;
}

}  // namespace tritonsmith::plan
