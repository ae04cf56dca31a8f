#include "bench/run/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "base/error.h"

namespace tritonsmith::bench {

judge::Options Protocol::applied_to(judge::Options options) const {
    options.relaxed = name != "robust";
    if (name == "kernelbench") {
        options.tolerance = {1e-2, 1e-2};
        options.precision = numerics::Precision::tf32;
    }
    return options;
}

const char* Protocol::describe(const std::string& name) {
    if (name == "robust") return "the judge's own rules";
    if (name == "tritonbench")
        return "TritonBench's own tests, repaired: seeds, values, a tolerance of 1e-2; correct needs a "
               "Triton kernel";
    if (name == "kernelbench-trials")
        return "KernelBench's published check as it is: five trials on a task's own inputs, torch.allclose "
               "of 1e-2, no judge";
    if (name == "relaxed") return "PyTorch operators allowed beside own kernels";
    return "relaxed, with KernelBench's tolerance of 1e-2 and TF32";
}

std::vector<Protocol> parse_protocols(const std::string& names) {
    static constexpr std::array<std::string_view, 5> known = {"robust", "relaxed", "kernelbench",
                                                              "kernelbench-trials", "tritonbench"};
    const std::string give = fmt::format("give {}, with commas between", fmt::join(known, ", "));
    std::vector<Protocol> out;
    std::istringstream in(names);
    for (std::string name; std::getline(in, name, ',');) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw InputError("--protocols '" + name + "': " + give);
        for (const Protocol& before : out)
            if (before.name == name) throw InputError("--protocols: " + name + " is there twice");
        out.push_back({name});
    }
    if (out.empty()) throw InputError("--protocols: " + give);
    return out;
}

}  // namespace tritonsmith::bench
