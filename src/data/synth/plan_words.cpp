#include "data/synth/plan_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace tritonsmith::data {
namespace {

/// A kernel as the solution's text has it.
struct KernelText {
    std::string_view name, docstring, body;
    std::vector<std::string> parameters;
    std::string_view grid;
    std::vector<std::string> given;  ///< arguments of its first launch
};

/// Like text.find, which looks at one first letter after the other.
size_t find(std::string_view text, std::string_view what, size_t from = 0) {
    const std::string_view rest = text.substr(std::min(from, text.size()));
    const void* at = ::memmem(rest.data(), rest.size(), what.data(), what.size());
    return at ? static_cast<size_t>(static_cast<const char*>(at) - text.data()) : std::string_view::npos;
}

bool has(std::string_view text, std::string_view what) {
    return find(text, what) != std::string_view::npos;
}

std::vector<std::string> split_arguments(std::string_view text) {
    std::vector<std::string> out(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            out.emplace_back();
            continue;
        }
        if (c == '\n' || (c == ' ' && (out.back().empty() || out.back().back() == ' '))) continue;
        out.back() += c;
    }
    if (out.back().empty()) out.pop_back();
    return out;
}

/// The text between the parenthesis at `open` and the one that closes it.
std::string_view between(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '[') ++depth;
        if ((text[at] == ')' || text[at] == ']') && --depth == 0) return text.substr(open + 1, at - open - 1);
    }
    return "";
}

/// Where "kernel[" stands.
size_t launch_of(std::string_view code, std::string_view kernel) {
    for (size_t at = find(code, kernel); at != std::string_view::npos; at = find(code, kernel, at + 1))
        if (at > 0 && code[at - 1] == ' ' && code.substr(at + kernel.size()).starts_with('[')) return at;
    return std::string_view::npos;
}

/// @param module where its class begins
std::vector<KernelText> kernels_of(std::string_view code, size_t module) {
    std::vector<KernelText> out;
    const std::string_view host = code.substr(module);  // kernels are launched there
    constexpr std::string_view mark = "@triton.jit\ndef ";
    for (size_t at = find(code, mark); at < module; at = find(code, mark, at + 1)) {
        const size_t name = at + mark.size(), open = code.find('(', name);
        KernelText kernel;
        kernel.name = code.substr(name, open - name);
        const std::string_view parameters = between(code, open);
        kernel.parameters = split_arguments(parameters);
        const size_t begin = code.find('\n', open + parameters.size()), end = find(code, "\n\n\n", begin);
        kernel.body = code.substr(begin, end - begin);
        const size_t doc = find(kernel.body, "\"\"\""), closed = find(kernel.body, "\"\"\"", doc + 3);
        if (doc != std::string_view::npos && closed != std::string_view::npos)
            kernel.docstring = kernel.body.substr(doc + 3, closed - doc - 3);
        const size_t launch = launch_of(host, kernel.name);
        if (launch != std::string_view::npos) {
            const size_t bracket = host.find('[', launch);
            kernel.grid = between(host, bracket);
            if (kernel.grid.starts_with("(")) kernel.grid = between(host, bracket + 1);
            if (kernel.grid == "grid") {  // given its name on the lines before
                const size_t named = host.rfind("grid = (", launch);
                if (named != std::string_view::npos) kernel.grid = between(host, named + 7);
            }
            const size_t call = host.find('(', bracket + between(host, bracket).size() + 1);
            kernel.given = split_arguments(between(host, call));
        }
        if (!kernel.docstring.empty()) out.push_back(std::move(kernel));
    }
    return out;
}

/// Which of Triton's functions a kernel calls.
struct Called {
    bool product = false, scan = false, reduction = false, maximum = false, exponential = false;
};

Called called_in(std::string_view body) {
    Called out;
    for (size_t dot = body.find('.'); dot != std::string_view::npos; dot = body.find('.', dot + 1)) {
        if (dot < 2 || body[dot - 1] != 'l' || body[dot - 2] != 't') continue;
        const std::string_view name = body.substr(dot + 1, 8);
        auto is = [&](std::string_view call) { return name.starts_with(call); };
        out.product |= is("dot(");
        out.scan |= is("cumsum(") || is("cumprod(");
        out.maximum |= is("max(");
        out.reduction |= is("sum(") || is("max(") || is("min(") || is("reduce(");
        out.exponential |= is("exp(");
    }
    return out;
}

std::string describe(const KernelText& kernel) {
    std::vector<std::string> read, wrote, numbers;
    for (size_t i = 0; i < kernel.parameters.size() && i < kernel.given.size(); ++i) {
        const std::string& parameter = kernel.parameters[i];
        if (!parameter.ends_with("_ptr")) continue;
        (has(kernel.body, "tl.store(" + parameter) ? wrote : read).push_back(kernel.given[i]);
    }
    for (const std::string& argument : kernel.given)
        if (const size_t equals = argument.find('='); equals != std::string_view::npos)
            numbers.push_back(argument);
    const Called called = called_in(kernel.body);
    const bool rows = !called.product && !called.scan && called.reduction;
    std::string out = fmt::format("{}: {}\n", kernel.name, kernel.docstring);
    if (!read.empty()) out += fmt::format("  reads {}\n", fmt::join(read, ", "));
    if (!wrote.empty()) out += fmt::format("  writes {}\n", fmt::join(wrote, ", "));
    out += fmt::format("  grid ({})\n", kernel.grid);
    if (!numbers.empty()) out += fmt::format("  {}\n", fmt::join(numbers, ", "));
    std::vector<std::string> how;
    if (has(kernel.body, "mask=")) how.emplace_back("masked loads");
    if (called.product)
        how.emplace_back(has(kernel.body, "input_precision=\"ieee\"")
                             ? "tl.dot at IEEE precision into float32"
                             : "tl.dot into float32");
    if (called.scan) how.emplace_back("a scan of each block, plus what was carried");
    if (rows && has(kernel.body, "for begin in"))
        how.emplace_back("a loop over blocks of columns, then one reduction");
    else if (rows)
        how.emplace_back("a reduction in registers");
    if (called.exponential && called.maximum)
        how.emplace_back("the maximum is subtracted before the exponential");
    if (!how.empty()) out += fmt::format("  {}\n", fmt::join(how, "; "));
    return out;
}

/// "(self, dim, eps=1e-5)" of a method of the module, on one line; "" where it has none.
std::string signature_of(std::string_view code, size_t module, const std::string& method) {
    const size_t at = find(code, "    def " + method + "(", module);
    if (at == std::string_view::npos) return "";
    return fmt::format("({})", fmt::join(split_arguments(between(code, code.find('(', at))), ", "));
}

}  // namespace

std::string plan_in_words(const std::string& code) {
    const size_t module = std::min(find(code, "class ModelNew"), code.size());
    const std::vector<KernelText> kernels = kernels_of(code, module);
    std::string out;
    if (const std::string constructor = signature_of(code, module, "__init__"); !constructor.empty())
        out += fmt::format("ModelNew.__init__{}, with the task's members\n", constructor);
    out += fmt::format("ModelNew.forward{}\n", signature_of(code, module, "forward"));
    out += kernels.size() == 1 ? "one kernel\n" : fmt::format("{} kernels, in this order\n", kernels.size());
    for (const KernelText& kernel : kernels) out += describe(kernel);
    return out;
}

}  // namespace tritonsmith::data
