#include "data/synth/plan_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

namespace tritonsmith::data {
namespace {

/// A kernel as the solution's text has it.
struct KernelText {
    std::string name, docstring, body;
    std::vector<std::string> parameters;
    std::string grid;
    std::vector<std::string> given;  ///< arguments of its first launch
};

std::vector<std::string> split_arguments(const std::string& text) {
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
std::string between(const std::string& text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '[') ++depth;
        if ((text[at] == ')' || text[at] == ']') && --depth == 0) return text.substr(open + 1, at - open - 1);
    }
    return "";
}

std::vector<KernelText> kernels_of(const std::string& code) {
    std::vector<KernelText> out;
    const std::string mark = "@triton.jit\ndef ";
    for (size_t at = code.find(mark); at != std::string::npos; at = code.find(mark, at + 1)) {
        const size_t name = at + mark.size(), open = code.find('(', name);
        KernelText kernel;
        kernel.name = code.substr(name, open - name);
        const std::string parameters = between(code, open);
        kernel.parameters = split_arguments(parameters);
        const size_t begin = code.find('\n', open + parameters.size()), end = code.find("\n\n\n", begin);
        kernel.body = code.substr(begin, end - begin);
        const size_t doc = kernel.body.find("\"\"\""), closed = kernel.body.find("\"\"\"", doc + 3);
        if (doc != std::string::npos && closed != std::string::npos)
            kernel.docstring = kernel.body.substr(doc + 3, closed - doc - 3);
        const size_t launch = code.find(" " + kernel.name + "[");
        if (launch != std::string::npos) {
            const size_t bracket = code.find('[', launch);
            kernel.grid = between(code, bracket);
            if (kernel.grid.starts_with("(")) kernel.grid = between(code, bracket + 1);
            if (kernel.grid == "grid") {  // given its name on the lines before
                const size_t named = code.rfind("grid = (", launch);
                if (named != std::string::npos) kernel.grid = between(code, named + 7);
            }
            const size_t call = code.find('(', bracket + between(code, bracket).size() + 1);
            kernel.given = split_arguments(between(code, call));
        }
        if (!kernel.docstring.empty()) out.push_back(std::move(kernel));
    }
    return out;
}

std::string listed(const std::vector<std::string>& items) {
    std::string out;
    for (size_t i = 0; i < items.size(); ++i)
        out += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return out;
}

size_t count(const std::string& text, const std::string& what) {
    size_t out = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++out;
    return out;
}

bool has(const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
}

std::string describe(const KernelText& kernel, Random& r) {
    std::vector<std::string> read, wrote, numbers;
    for (size_t i = 0; i < kernel.parameters.size() && i < kernel.given.size(); ++i) {
        const std::string& parameter = kernel.parameters[i];
        if (!parameter.ends_with("_ptr")) continue;
        (has(kernel.body, ("tl.store(" + parameter).c_str()) ? wrote : read).push_back(kernel.given[i]);
    }
    for (const std::string& argument : kernel.given)
        if (const size_t equals = argument.find('='); equals != std::string::npos)
            numbers.push_back(argument);
    const bool product = has(kernel.body, "tl.dot("),
               scan = has(kernel.body, "tl.cumsum(") || has(kernel.body, "tl.cumprod(");
    const bool rows = !product && !scan &&
                      (has(kernel.body, "tl.sum(") || has(kernel.body, "tl.max(") ||
                       has(kernel.body, "tl.min(") || has(kernel.body, "tl.reduce("));
    std::string out = fmt::format("{}: {}\n", kernel.name, kernel.docstring);
    // Access pattern.
    out += r.of({"  access: ", "  memory: ", "  data: "});
    if (!read.empty()) out += fmt::format("reads {}", listed(read));
    if (!wrote.empty()) out += fmt::format("{}writes {}", read.empty() ? "" : ", ", listed(wrote));
    if (product)
        out += r.of({"; both factors are read in tiles, and each tile is used for a whole tile of the result",
                     "; a tile of either factor serves a whole tile of the result, so traffic falls with the "
                     "tile's width"});
    else if (scan)
        out +=
            "; along the axis each block needs the total of those before it, so a program walks its row in "
            "order";
    else if (rows)
        out += r.of({"; a row's reduction needs all of its elements, so a row stays with one program",
                     "; the reduced axis belongs to one program: nothing is exchanged between programs"});
    else
        out += r.of({"; every element is independent, neighbours in a block are neighbours in memory",
                     "; one pass over memory, intermediate values stay in registers"});
    out += ".\n";
    // Grid and tiles.
    out += fmt::format("  {}({}). ", r.of({"grid: ", "programs: ", "grid "}), kernel.grid);
    if (!numbers.empty()) out += listed(numbers) + ". ";
    for (const std::string& number : numbers) {
        if (number.starts_with("BLOCK=triton.next_power_of_2") ||
            number.starts_with("BLOCK_COLS=triton.next_power_of_2"))
            out += "The block is the next power of two of the row, and what lies beyond is masked. ";
        if (number.starts_with("BLOCK_M"))
            out +=
                "tl.dot needs tiles of at least 16 by 16, and powers of two; wider ones reuse more, as long "
                "as there are programs enough. ";
        if (number.starts_with("GROUP_M"))
            out += "Tiles are visited in groups of rows, so that the right factor is still in the cache. ";
        if (number == "BLOCK=1024")
            out += "1024 elements give each of 128 threads 8: enough loads in flight. ";
        if (number == "num_warps=8") out += "Wide tiles get 8 warps, or the registers spill. ";
    }
    out += "\n";
    // Load, compute, store.
    const size_t loads = count(kernel.body, "tl.load(");
    out += fmt::format("  {}{} load{}", r.of({"steps: ", "body: ", "load/compute/store: "}), loads,
                       loads == 1 ? "" : "s");
    if (has(kernel.body, "mask=")) out += " under a mask for the edge";
    if (product)
        out += fmt::format("; tl.dot over the inner dimension into a float32 total{}",
                           has(kernel.body, "input_precision=\"ieee\"") ? " at IEEE precision" : "");
    if (scan) out += "; tl.cumsum in the block, plus what was carried";
    if (rows && has(kernel.body, "for begin in"))
        out += "; a loop over blocks of columns that keeps partial results in registers, then one reduction";
    else if (rows)
        out += "; the reduction in registers";
    if (has(kernel.body, "tl.exp(") && has(kernel.body, "tl.max("))
        out += "; the maximum is subtracted before the exponential";
    out += "; one masked store.\n";
    return out;
}

}  // namespace

std::string plan_in_words(const std::string& code, Random& r) {
    const std::vector<KernelText> kernels = kernels_of(code);
    std::string out =
        kernels.size() == 1
            ? r.of({"One kernel does all of it.\n", "Everything fits into one kernel.\n",
                    "A single fused kernel.\n"})
            : fmt::format("{} kernels, one after the other; what passes between them goes through memory.\n",
                          kernels.size());
    for (const KernelText& kernel : kernels) out += describe(kernel, r);
    std::vector<std::string> host;
    if (has(code, ".contiguous()")) host.emplace_back("makes the inputs contiguous");
    if (has(code, "raise ValueError")) host.emplace_back("checks ranks and dtypes");
    host.emplace_back("allocates the results with torch.empty");
    host.emplace_back(kernels.size() == 1 ? "launches the kernel" : "launches the kernels in order");
    if (has(code, "self."))
        host.emplace_back("leaves the constructor as it is, so that the weights keep their names");
    return out + "host: " + listed(host) + ".\n";
}

}  // namespace tritonsmith::data
