#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "base/process/process.h"

namespace tritonsmith {
namespace {

constexpr size_t kMaxDescriptors = 16;
constexpr int kMaxNesting = 256;  ///< Json's copy and dump recurse: a peer must not choose our stack depth

/// One write that carries the descriptors, if any, beside its first byte. Pipes take write(2) instead.
ssize_t send_some(int fd, const char* data, size_t bytes, const std::vector<int>& descriptors) {
    iovec part{const_cast<char*>(data), bytes};
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
    }
    ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK && descriptors.empty()) return ::write(fd, data, bytes);
    return sent;
}

/// Takes ownership of every descriptor that came; false if the kernel had to drop some or there are too many.
bool take_descriptors(msghdr& message, std::vector<Fd>& out) {
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
            int fd;
            std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
            out.emplace_back(fd);
        }
    }
    return !(message.msg_flags & MSG_CTRUNC) && out.size() <= kMaxDescriptors;
}

FrameError wait_readable(int fd, Deadline deadline) {
    for (;;) {
        int wait = -1;
        if (deadline) {
            auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
            wait = static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
        }
        pollfd entry{fd, POLLIN, 0};
        int ready = ::poll(&entry, 1, wait);
        if (ready > 0) return entry.revents & POLLNVAL ? FrameError::closed : FrameError::none;
        if (ready == 0) return FrameError::timeout;
        if (errno != EINTR) return FrameError::closed;
    }
}

/// Fills `data` exactly.
FrameError receive_exactly(int fd, char* data, size_t bytes, Deadline deadline,
                           std::vector<Fd>& descriptors) {
    while (bytes > 0) {
        if (FrameError error = wait_readable(fd, deadline); error != FrameError::none) return error;
        iovec part{data, bytes};
        alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))];
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        ssize_t got = ::recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (got < 0 && errno == ENOTSOCK) {
            got = ::read(fd, data, bytes);
        } else if (got >= 0 && !take_descriptors(message, descriptors)) {
            return FrameError::malformed;
        }
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return FrameError::closed;
        data += got;
        bytes -= static_cast<size_t>(got);
    }
    return FrameError::none;
}

bool nested_too_deeply(const std::string& text) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxNesting) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

}  // namespace

void send_frame(int socket, const Json& message, const std::vector<int>& descriptors) {
    if (descriptors.size() > kMaxDescriptors) throw MachineError("a frame carries at most 16 descriptors");
    std::string body = dump(message);
    if (body.size() > UINT32_MAX) throw MachineError("a frame holds at most 4 GiB");
    std::string bytes(4, '\0');
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(body.size() >> (8 * i) & 0xff);
    bytes += body;
    for (size_t done = 0; done < bytes.size();) {
        ssize_t sent = send_some(socket, bytes.data() + done, bytes.size() - done,
                                 done == 0 ? descriptors : std::vector<int>{});
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) {
            pollfd entry{socket, POLLOUT, 0};
            ::poll(&entry, 1, -1);
            continue;
        }
        if (sent < 0)
            throw MachineError(std::string("cannot send to a helper process: ") + std::strerror(errno));
        done += static_cast<size_t>(sent);
    }
}

FrameError receive_frame(int fd, Frame& frame, Deadline deadline, int64_t max_bytes) {
    frame.message = nullptr;
    frame.descriptors.clear();
    std::array<char, 4> prefix;
    FrameError error = receive_exactly(fd, prefix.data(), prefix.size(), deadline, frame.descriptors);
    if (error != FrameError::none) return error;
    int64_t bytes = 0;
    for (int i = 0; i < 4; ++i) bytes |= int64_t{static_cast<unsigned char>(prefix[i])} << (8 * i);
    if (bytes > max_bytes) return FrameError::too_large;
    // Grown as data comes: a length alone must not make us allocate.
    std::string body;
    while (static_cast<int64_t>(body.size()) < bytes) {
        size_t have = body.size();
        size_t step = std::min<size_t>(static_cast<size_t>(bytes) - have, std::max<size_t>(have, 1 << 20));
        body.resize(have + step);
        error = receive_exactly(fd, body.data() + have, step, deadline, frame.descriptors);
        if (error != FrameError::none) return error;
    }
    if (nested_too_deeply(body)) return FrameError::malformed;
    frame.message = Json::parse(body, nullptr, false);
    return frame.message.is_discarded() ? FrameError::malformed : FrameError::none;
}

}  // namespace tritonsmith
