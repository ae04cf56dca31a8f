#include "model/weights/safetensors_writer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "base/process/files.h"
#include "base/process/process.h"

namespace tritonsmith::model {
namespace {

const char* dtype_name(at::ScalarType dtype) {
    switch (dtype) {
        case at::kFloat:
            return "F32";
        case at::kHalf:
            return "F16";
        case at::kBFloat16:
            return "BF16";
        case at::kLong:
            return "I64";
        case at::kInt:
            return "I32";
        case at::kByte:
            return "U8";
        case at::kChar:
            return "I8";
        default:
            throw std::logic_error("a tensor of this dtype cannot be written");
    }
}

std::string header_of(const std::vector<NamedTensor>& tensors) {
    nlohmann::ordered_json header = {
        {"__metadata__", {{"format", "pt"}}}};  // transformers asks for the format
    int64_t offset = 0;
    for (const NamedTensor& tensor : tensors) {
        const int64_t end = offset + tensor.bytes();
        header[tensor.name] = {
            {"dtype", dtype_name(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = dump(header);
    text.resize((text.size() + 63) / 64 * 64 + 56,
                ' ');  // the data begins at a multiple of 64, behind 8 bytes of length
    return text;
}

class Output {
  public:
    explicit Output(const std::filesystem::path& path)
        : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
        if (!fd_) fail();
    }
    void write(const void* data, size_t bytes) {
        const auto* from = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t written = ::write(fd_.get(), from, std::min<size_t>(bytes, 1 << 30));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail();
            from += written;
            bytes -= static_cast<size_t>(written);
        }
    }
    void flush() {
        if (::fsync(fd_.get()) != 0) fail();
    }

  private:
    [[noreturn]] void fail() const {
        throw MachineError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
    }
    std::filesystem::path path_;
    Fd fd_;
};

std::vector<std::vector<NamedTensor>> split(const std::vector<NamedTensor>& tensors, int64_t shard_bytes) {
    std::vector<std::vector<NamedTensor>> shards(1);
    int64_t bytes = 0;
    for (const NamedTensor& tensor : tensors) {
        const int64_t more = tensor.bytes();
        if (bytes > 0 && bytes + more > shard_bytes) {
            shards.emplace_back();
            bytes = 0;
        }
        shards.back().push_back(tensor);
        bytes += more;
    }
    return shards;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors) {
    Output output(path);
    const std::string header = header_of(tensors);
    const uint64_t length = header.size();
    output.write(&length, sizeof length);
    output.write(header.data(), header.size());
    for (const NamedTensor& tensor : tensors) {
        const at::Tensor bytes = tensor.value().cpu().contiguous();
        output.write(bytes.const_data_ptr(), bytes.nbytes());
    }
    output.flush();
}

void write_shards(const std::filesystem::path& folder, const std::vector<NamedTensor>& tensors,
                  int64_t shard_bytes) {
    const auto shards = split(tensors, shard_bytes);
    if (shards.size() == 1) return write_safetensors(folder / "model.safetensors", tensors);
    Json map = Json::object();
    int64_t total = 0;
    for (size_t i = 0; i < shards.size(); ++i) {
        const std::string name = fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, shards.size());
        write_safetensors(folder / name, shards[i]);
        for (const NamedTensor& tensor : shards[i]) {
            map[tensor.name] = name;
            total += tensor.bytes();
        }
    }
    write_file(folder / "model.safetensors.index.json",
               dump({{"metadata", {{"total_size", total}}}, {"weight_map", map}}, 2) + "\n");
}

}  // namespace tritonsmith::model
