#include "bench/run/shard.h"

#include <cstdio>

#include "base/error.h"

namespace tritonsmith::bench {

Shard Shard::parse(const std::string& text) {
    Shard out;
    if (text.empty()) return out;
    int used = 0;
    if (std::sscanf(text.c_str(), "%d/%d%n", &out.index, &out.count, &used) != 2 ||
        used != static_cast<int>(text.size()) || out.index < 1 || out.count < out.index)
        throw InputError("--shard '" + text + "': give I/N, as in 1/4 for the first of four");
    return out;
}

}  // namespace tritonsmith::bench
