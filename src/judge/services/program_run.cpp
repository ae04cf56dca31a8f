#include "judge/services/program_run.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "run/client/pack_writer.h"
#include "trace/classify.h"

namespace tritonsmith::judge {
namespace {

constexpr int64_t kMostResultBytes = int64_t{1} << 30;
constexpr size_t kMostPrinted = 1 << 16;

/// What the child said went wrong.
Finding told_error(const Json& answer) {
    if (answer.value("reason", "") == "no_device")
        throw MachineError("programs cannot be run: " + printable(answer.value("message", ""), 2000));
    return trace::finding_of(answer, "candidate");
}

/// The part of the file that the values take: a pack maps all of its file, and there is room for far more
/// than most programs give.
run::Pack taken_part(const Fd& file, const Json& index) {
    int64_t used = 0;
    for (const run::PackEntry& one : run::entries_from(index, kMostResultBytes))
        used = std::max(used, one.offset + run::contiguous_bytes(one.dtype, one.shape));
    Fd part = memory_file("tritonsmith-values", used);
    std::vector<char> buffer(size_t{1} << 20);
    for (int64_t at = 0; at < used;) {
        const size_t wanted = std::min<size_t>(buffer.size(), static_cast<size_t>(used - at));
        const ssize_t read = ::pread(file.get(), buffer.data(), wanted, at);
        if (read <= 0 || ::pwrite(part.get(), buffer.data(), static_cast<size_t>(read), at) != read)
            throw MachineError("cannot copy the values of a program");
        at += read;
    }
    return run::Pack(part.release(), index);
}

}  // namespace

std::variant<ProgramResult, Finding> run_program(FileProcess& process, const ProgramRequest& request) {
    const Fd nothing = memory_file("tritonsmith-nothing", 0);
    std::variant<FileAnswer, Finding> told =
        process.ask({{"do", "program"},
                     {"source", request.source},
                     {"filename", request.filename},
                     {"tests", request.tests},
                     {"device", request.device},
                     {"seed", request.seed}},
                    nothing.get(), {request.deadline, int64_t{24} << 30, kMostResultBytes});
    if (auto* finding = std::get_if<Finding>(&told)) return std::move(*finding);
    auto& [answer, outputs] = std::get<FileAnswer>(told);
    try {
        if (!answer.at("ok").get<bool>()) return told_error(answer);
        ProgramResult out;
        out.seconds = answer.at("seconds").get<double>();
        out.printed = shortened(answer.at("printed").get<std::string>(), kMostPrinted);
        out.texts = answer.at("texts").get<std::map<std::string, std::string>>();
        out.values = taken_part(outputs, answer.at("values"));
        return out;
    } catch (const Json::exception& error) {
        return Finding{"trace_protocol",
                       std::string("its answer is damaged: ") + printable(error.what(), 500), 0,
                       Json::object()};
    } catch (const InputError& error) {
        return Finding{"trace_protocol", printable(error.what(), 500), 0, Json::object()};
    }
}

}  // namespace tritonsmith::judge
