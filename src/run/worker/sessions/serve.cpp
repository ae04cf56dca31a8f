#include "run/worker/sessions/serve.h"

#include <cstdlib>
#include <string_view>

#include "run/client/build_id.h"

namespace tritonsmith::run {

int serve(int socket, WorkerState& state) {
    for (;;) {
        Frame frame;
        const FrameError error = receive_frame(socket, frame, std::nullopt);
        if (error != FrameError::none) return error == FrameError::closed ? 0 : 3;
        std::vector<Fd> files;
        const Json message = answer(frame.message, frame.descriptors, state, files);
        std::vector<int> descriptors;
        for (const Fd& file : files) descriptors.push_back(file.get());
        send_frame(socket, message, descriptors);
        if (message.value("lost", false)) return 3;
    }
}

std::map<std::string, std::string> options_of(int argc, char** argv) {
    std::map<std::string, std::string> out;
    for (int i = 1; i < argc; i += 2) {
        if (!std::string_view(argv[i]).starts_with("--") || i + 1 == argc)
            throw InputError(std::string("'") + argv[i] + "' is no option with a value");
        out[argv[i] + 2] = argv[i + 1];
    }
    if (const auto build = out.find("build"); build != out.end() && build->second != build_id())
        std::exit(kOtherBuild);
    return out;
}

}  // namespace tritonsmith::run
