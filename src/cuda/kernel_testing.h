#pragma once

#include <fstream>
#include <string>

#include "base/base64.h"
#include "base/process/files.h"
#include "cuda/kernel.h"

namespace tritonsmith::cuda {

/// Compiles TTIR with Triton itself, in a Python of its own. @throws MachineError
inline CompiledKernel compile_for_test(const std::string& ttir, const std::string& target, int num_ctas = 1) {
    const TemporaryFolder folder;
    const std::string where = folder.path().string();
    const Json request = {
        {"ttir", ttir}, {"target", target}, {"options", {{"num_warps", 4}, {"num_ctas", num_ctas}}}};
    write_file(folder.path() / "request.json", request.dump());
    write_file(
        folder.path() / "compile.py",
        "import json, sys\n"
        "sys.path[:0] = ['" TRITONSMITH_SOURCE_DIR
        "/python']\n"
        "from tritonsmith.services import compiler\n"
        "json.dump(compiler.compile_one(json.load(open('request.json'))), open('answer.json', 'w'))\n");
    const std::string command = "cd '" + where + "' && HOME='" + where +
                                "' PYTHONDONTWRITEBYTECODE=1 '" TRITONSMITH_PYTHON "' compile.py >&2";
    if (std::system(command.c_str()) != 0) throw MachineError("the test's kernel does not compile");
    const Json answer = Json::parse(std::ifstream(folder.path() / "answer.json"));
    CompiledKernel kernel;
    kernel.name = answer.at("name").get<std::string>();
    kernel.num_warps = answer.at("num_warps").get<int>();
    kernel.num_ctas = num_ctas;
    kernel.shared = answer.at("shared").get<int64_t>();
    kernel.global_scratch_size = answer.at("global_scratch_size").get<int64_t>();
    kernel.global_scratch_align = answer.at("global_scratch_align").get<int64_t>();
    kernel.tensordesc_meta = answer.at("tensordesc_meta");
    kernel.cubin = base64_decode(answer.at("cubin").get<std::string>()).value();
    return kernel;
}

}  // namespace tritonsmith::cuda
