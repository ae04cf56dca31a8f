#include "train/sharding/releasable_memory.h"

#include <ATen/Functions.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/accumulate.h>

#include <stdexcept>

namespace tritonsmith::train {

ReleasableMemory::ReleasableMemory(int64_t elements, const at::TensorOptions& options)
    : flat_(at::empty({elements}, options)), bytes_(flat_.nbytes()) {
    release();
}

void ReleasableMemory::take() {
    if (is_taken()) return;
    const c10::OptionalDeviceGuard device(flat_.device());
    c10::StorageImpl& storage = *flat_.storage().unsafeGetStorageImpl();
    storage.set_data_ptr_noswap(storage.allocator()->allocate(bytes_));
    storage.set_nbytes(bytes_);
}

void ReleasableMemory::release() {
    c10::StorageImpl& storage = *flat_.storage().unsafeGetStorageImpl();
    storage.set_nbytes(0);
    storage.set_data_ptr_noswap(at::DataPtr(nullptr, flat_.device()));
}

at::Tensor ReleasableMemory::view(int64_t first, at::IntArrayRef shape) const {
    return flat_.narrow(0, first, c10::multiply_integers(shape)).view(shape);
}

void ReleasableMemory::adopt(const at::Tensor& tensor, int64_t first) const {
    if (!tensor.is_contiguous() || tensor.dtype() != flat_.dtype() || tensor.device() != flat_.device() ||
        first + tensor.numel() > flat_.numel())
        throw std::logic_error("memory adopts contiguous tensors of its own dtype that fit");
    tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(flat_.storage());
    tensor.unsafeGetTensorImpl()->set_storage_offset(first);
}

}  // namespace tritonsmith::train
