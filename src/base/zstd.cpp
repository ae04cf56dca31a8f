#include "base/zstd.h"

#include <dlfcn.h>

#include "base/error.h"

namespace tritonsmith {
namespace {

// The stable part of zstd.h.

struct InBuffer {
    const void* bytes;
    size_t size, at;
};
struct OutBuffer {
    void* bytes;
    size_t size, at;
};
struct Library {
    size_t (*bound)(size_t) = nullptr;
    size_t (*compress)(void*, size_t, const void*, size_t, int) = nullptr;
    size_t (*decompress)(void*, size_t, const void*, size_t) = nullptr;
    unsigned (*is_error)(size_t) = nullptr;
    unsigned long long (*content_size)(const void*, size_t) = nullptr;
    size_t (*frame_size)(const void*, size_t) = nullptr;
    void* (*create_stream)() = nullptr;
    size_t (*free_stream)(void*) = nullptr;
    size_t (*decompress_stream)(void*, OutBuffer*, InBuffer*) = nullptr;

    Library() {
        void* handle = ::dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!handle) throw MachineError("libzstd.so.1 is missing: apt-get install libzstd1");
        load(handle, "ZSTD_compressBound", bound);
        load(handle, "ZSTD_compress", compress);
        load(handle, "ZSTD_decompress", decompress);
        load(handle, "ZSTD_isError", is_error);
        load(handle, "ZSTD_getFrameContentSize", content_size);
        load(handle, "ZSTD_findFrameCompressedSize", frame_size);
        load(handle, "ZSTD_createDStream", create_stream);
        load(handle, "ZSTD_freeDStream", free_stream);
        load(handle, "ZSTD_decompressStream", decompress_stream);
    }
    template <class Function>
    static void load(void* handle, const char* name, Function& function) {
        function = reinterpret_cast<Function>(::dlsym(handle, name));
        if (!function) throw MachineError(std::string("libzstd.so.1 has no ") + name);
    }
};

const Library& library() {
    static const Library loaded;
    return loaded;
}

constexpr unsigned long long kLargest = 1ULL << 32;  ///< of one frame's text: what says more is damaged

}  // namespace

std::string compressed(std::string_view text, int level) {
    const Library& zstd = library();
    std::string out(zstd.bound(text.size()), '\0');
    const size_t size = zstd.compress(out.data(), out.size(), text.data(), text.size(), level);
    if (zstd.is_error(size))
        throw MachineError("zstd cannot compress " + std::to_string(text.size()) + " bytes");
    out.resize(size);
    return out;
}

std::string decompressed(std::string_view frames, const std::string& what) {
    const Library& zstd = library();
    std::string out;
    while (!frames.empty()) {
        const size_t size = zstd.frame_size(frames.data(), frames.size());
        const unsigned long long content =
            zstd.is_error(size) ? kLargest : zstd.content_size(frames.data(), size);
        if (content >= kLargest) throw InputError(what + ": not a zstd file, or damaged");
        const size_t before = out.size();
        out.resize(before + content);
        const size_t read = zstd.decompress(out.data() + before, content, frames.data(), size);
        if (zstd.is_error(read) || read != content) throw InputError(what + ": is damaged");
        frames.remove_prefix(size);
    }
    return out;
}

ZstdStream::ZstdStream(std::string what) : what_(std::move(what)), stream_(library().create_stream()) {
    if (!stream_) throw MachineError("no memory to decompress " + what_);
}

ZstdStream::~ZstdStream() {
    library().free_stream(stream_);
}

void ZstdStream::feed(std::string_view bytes, std::string& out) {
    const Library& zstd = library();
    constexpr size_t piece = size_t{128} << 10;  // ZSTD_DStreamOutSize(): a block fits
    InBuffer in{bytes.data(), bytes.size(), 0};
    for (bool full = false; in.at < in.size || full;) {
        const size_t before = out.size();
        out.resize(before + piece);
        OutBuffer to{out.data() + before, piece, 0};
        const size_t left = zstd.decompress_stream(stream_, &to, &in);
        out.resize(before + to.at);
        if (zstd.is_error(left)) throw InputError(what_ + ": not a zstd file, or damaged");
        within_ = left != 0;
        full = to.at == piece && within_;  // more may be ready without further input
    }
}

void ZstdStream::finish() const {
    if (within_) throw InputError(what_ + ": is cut off; write it again");
}

}  // namespace tritonsmith
