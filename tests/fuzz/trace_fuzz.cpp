// The end of a traced child: how it ended (first four bytes), and the bytes of its result pipe, as the judge
// reads them. The same bytes are also read as frames from a socket.
#include <sys/socket.h>

#include <string>

#include "base/process/process.h"
#include "fuzz.h"
#include "trace/classify.h"
#include "trace/outcome.h"

using namespace tritonsmith;
using namespace tritonsmith::trace;

namespace {

constexpr size_t kSocketHolds = 100'000;

void receive(const uint8_t* data, size_t size) {
    SocketPair pair = socket_pair();
    if (size > kSocketHolds ||
        ::send(pair.theirs.get(), data, size, MSG_DONTWAIT) != static_cast<ssize_t>(size))
        return;
    pair.theirs.reset();
    Frame frame;
    while (receive_frame(pair.ours.get(), frame, std::nullopt, 1 << 20) == FrameError::none)
        (void)frame.message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Bytes bytes(data, size);
    Ending ending;
    const auto head = static_cast<unsigned>(bytes.take(1));
    ending.stop = static_cast<Ending::Stop>(head % 8);
    ending.signal = head < 128 ? 0 : static_cast<int>(bytes.take(1) % 65);
    ending.status = static_cast<int>(bytes.take(1));
    ending.peak = static_cast<int64_t>(bytes.take(1) << 26);
    ending.result.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    ending.output = ending.result.substr(0, 200);
    Request request;
    request.kind = head % 16 < 8 ? "candidate" : "reference";
    plan::Tensor tensor;
    tensor.buffer = 0;
    tensor.shape = {8, 16};
    tensor.stride = {16, 1};
    request.inputs = {plan::Value{tensor}};
    const Outcome outcome = outcome_of(ending, {}, request);
    if (const auto* finding = std::get_if<Finding>(&outcome)) {
        fuzz::require(!finding->reason.empty() && !finding->message.empty(), "a finding without words");
        for (const char c : finding->message)
            fuzz::require(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20,
                          "a control character on its way to the terminal");
    }
    receive(bytes.data(), bytes.size());
    return 0;
}
