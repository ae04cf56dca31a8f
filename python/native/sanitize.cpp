// The interpreter for a Python process (python/tritonsmith/sanitize/interpreter.py): launches on the
// process's own memory. Texts are UTF-8; those that are returned belong to the caller, who gives them back to
// tritonsmith_free. No function throws: a null or negative answer leaves its reason in tritonsmith_error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "sanitize/session.h"

using namespace tritonsmith;
using namespace tritonsmith::sanitize;

namespace {

thread_local std::string error_text;

char* text_of(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return ::strdup(text.c_str());
}

template <class F, class R>
R guarded(R otherwise, F&& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        error_text = error.what();
        return otherwise;
    }
}

Kind kind_of(const std::string& name) {
    return name == "finding" ? Kind::finding : name == "warning" ? Kind::warning : Kind::unchecked;
}

}  // namespace

#define API extern "C" __attribute__((visibility("default")))

API const char* tritonsmith_error() {
    return error_text.c_str();
}

API void tritonsmith_free(char* text) {
    std::free(text);
}

/// Makes malloc give out addresses above 4 GiB from now on, as a GPU's are: Triton compiles a smaller one
/// that is passed as a number for 32 bits. A page behind the heap keeps it from growing, so that malloc maps
/// memory elsewhere; what the heap has free is used up.
API void tritonsmith_leave_low_memory() {
    constexpr auto low = uintptr_t{1} << 32;
    void* end = ::sbrk(0);
    if (reinterpret_cast<uintptr_t>(end) >= low) return;
    const auto page = (reinterpret_cast<uintptr_t>(end) + 4095) / 4096 * 4096;
    ::mmap(reinterpret_cast<void*>(page), 4096, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    for (size_t size = 65536; size >= 32; size /= 2)
        for (int i = 0; i < 65536; ++i) {
            void* piece = std::malloc(size);
            if (reinterpret_cast<uintptr_t>(piece) < low) continue;  // never freed
            std::free(piece);
            break;
        }
}

API Session* tritonsmith_session(int colour) {
    return guarded<>(static_cast<Session*>(nullptr), [&] { return new Session(colour != 0); });
}

API int tritonsmith_kernel(Session* session, const char* name, const char* file, int line, const char* ttir) {
    return guarded<>(-1, [&] { return session->add_kernel(name, file, line, ttir); });
}

/// A storage of the process. It must be forgotten before its memory is freed.
API ttir::Buffer* tritonsmith_memory(void* data, int64_t bytes, int unwritten) {
    return guarded<>(static_cast<ttir::Buffer*>(nullptr), [&] {
        return new ttir::Buffer(static_cast<std::byte*>(data), bytes, "memory", unwritten != 0);
    });
}

API void tritonsmith_name(ttir::Buffer* memory, const char* name) {
    memory->set_name(name);
}

/// One byte for each byte of the memory: whether it has been written. Null where all of it has.
API uint8_t* tritonsmith_written(ttir::Buffer* memory) {
    return memory->all_written() ? nullptr : memory->written();
}

API void tritonsmith_forget(ttir::Buffer* memory) {
    delete memory;
}

API RunningLaunch* tritonsmith_start(Session* session, const char* request) {
    return guarded<>(static_cast<RunningLaunch*>(nullptr),
                     [&] { return session->start(Json::parse(request)).release(); });
}

/// Waits for at most that long. 1: the launch has ended.
API int tritonsmith_wait(RunningLaunch* launch, int milliseconds) {
    return launch->wait(std::chrono::milliseconds(milliseconds)) ? 1 : 0;
}

API int64_t tritonsmith_finished(RunningLaunch* launch) {
    return launch->finished();
}

/// Ends the launch, waits until it has ended, logs what was found and destroys it.
API char* tritonsmith_end(Session* session, RunningLaunch* launch, const char* cancelled) {
    const std::unique_ptr<RunningLaunch> owned(launch);
    if (*cancelled != '\0') launch->cancel();
    return guarded<>(static_cast<char*>(nullptr), [&] { return text_of(session->end(*launch, cancelled)); });
}

/// Logs what was found on the host: {"kind":"warning","reason":…,"message":…,"file":…,"line":n}.
API int tritonsmith_note(Session* session, const char* entry) {
    return guarded<>(-1, [&] {
        const Json json = Json::parse(entry);
        Entry e;
        e.kind = kind_of(json.at("kind"));
        e.kernel = json.value("kernel", "");
        e.reason = json.at("reason");
        e.message = json.at("message");
        e.file = e.host_file = json.at("file");
        e.line = e.host_line = json.at("line");
        e.launch = json.value("launch", 0);
        session->log().add(std::move(e));
        return 0;
    });
}

API int tritonsmith_count(Session* session, const char* kind) {
    return session->log().count(kind_of(kind));
}

/// {"findings":[…],"warnings":[…],"unchecked":[…]}
API char* tritonsmith_log(Session* session) {
    return guarded<>(static_cast<char*>(nullptr), [&] { return text_of(session->log().json()); });
}
