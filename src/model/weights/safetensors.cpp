#include "model/weights/safetensors.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/process/process.h"

namespace tritonsmith::model {
namespace {

std::optional<at::ScalarType> torch_dtype(const std::string& dtype) {
    static const std::map<std::string, at::ScalarType> known = {
        {"F32", at::kFloat}, {"F16", at::kHalf}, {"BF16", at::kBFloat16}, {"I64", at::kLong},
        {"I32", at::kInt},   {"U8", at::kByte},  {"I8", at::kChar}};
    const auto found = known.find(dtype);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

/// Pages of the file, private to this process.
class Safetensors::Mapping {
  public:
    Mapping(int fd, int64_t bytes, const std::string& where) : bytes_(bytes) {
        // Writable, since PyTorch's operators take no pointers to constants; nothing writes to it.
        void* memory = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_NORESERVE, fd, 0);
        if (memory == MAP_FAILED)
            throw MachineError(fmt::format("cannot map {}: {}", where, std::strerror(errno)));
        memory_ = static_cast<char*>(memory);
    }
    ~Mapping() { ::munmap(memory_, static_cast<size_t>(bytes_)); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    char* at(int64_t offset) const { return memory_ + offset; }

    void drop(int64_t begin, int64_t end) const {
        constexpr int64_t page = 4096;
        begin = (begin + page - 1) / page * page;
        end = end / page * page;
        if (begin < end) ::madvise(memory_ + begin, static_cast<size_t>(end - begin), MADV_DONTNEED);
    }

  private:
    char* memory_ = nullptr;
    int64_t bytes_;
};

Safetensors Safetensors::open(const std::filesystem::path& path) {
    Safetensors file;
    file.where_ = path.string();
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (!fd || ::fstat(fd.get(), &status) != 0)
        throw InputError(fmt::format("cannot read {}: {}; the model's folder must hold it", file.where_,
                                     std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) throw InputError(file.where_ + " is not a file");
    const int64_t bytes = status.st_size;
    uint64_t header = 0;
    if (bytes < 8 || ::pread(fd.get(), &header, 8, 0) != 8 || header > 100'000'000 ||
        static_cast<int64_t>(header) > bytes - 8)
        throw InputError(file.where_ + " is not a safetensors file, or truncated: download it again");
    file.mapping_ = std::make_shared<const Mapping>(fd.get(), bytes, file.where_);
    file.data_ = 8 + static_cast<int64_t>(header);
    file.entries_ = parse_safetensors_header({file.mapping_->at(8), header}, bytes, file.where_);
    return file;
}

const TensorEntry& Safetensors::entry(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw InputError(fmt::format("{}: no tensor {}", where_, name));
    return found->second;
}

at::Tensor Safetensors::view(int64_t begin, const std::string& name, const TensorEntry& entry,
                             const std::vector<int64_t>& shape) const {
    const auto dtype = torch_dtype(entry.dtype);
    if (!dtype)
        throw InputError(fmt::format(
            "{}: tensor {} is {}, which is not supported; save the model in bfloat16, float16 or float32",
            where_, name, entry.dtype));
    char* data = mapping_->at(data_ + begin);
    const auto view = at::from_blob(
        data, shape, [mapping = mapping_](void*) {}, at::TensorOptions().dtype(*dtype));
    return reinterpret_cast<uintptr_t>(data) % c10::elementSize(*dtype) == 0 ? view : view.clone();
}

at::Tensor Safetensors::tensor(const std::string& name) const {
    const TensorEntry& found = entry(name);
    return view(found.begin, name, found, found.shape);
}

at::Tensor Safetensors::adjacent(const std::vector<std::string>& names) const {
    const TensorEntry& first = entry(names.front());
    std::vector<int64_t> shape = first.shape;
    int64_t end = first.end;
    for (size_t i = 1; i < names.size(); ++i) {
        const TensorEntry& next = entry(names[i]);
        if (next.begin != end || next.dtype != first.dtype || next.shape.size() != shape.size() ||
            shape.empty() || !std::equal(shape.begin() + 1, shape.end(), next.shape.begin() + 1))
            return {};
        shape[0] += next.shape[0];
        end = next.end;
    }
    return view(first.begin, names.front(), first, shape);
}

void Safetensors::release(const std::string& name) const {
    const TensorEntry& found = entry(name);
    mapping_->drop(data_ + found.begin, data_ + found.end);
}

}  // namespace tritonsmith::model
