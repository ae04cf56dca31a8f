// Program: from a module to code, and the launch of a grid.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "ttir/analysis/effects.h"
#include "ttir/interp/interpreter.h"
#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"
#include "ttir/interp/runtime/scheduler.h"

namespace tritonsmith::ttir {
namespace {

/// Values of one program at once; beyond it a kernel is not a kernel.
constexpr int64_t kMaxArena = int64_t{1} << 30;
constexpr int64_t kMaxPrograms = int64_t{1} << 28;

/// The smallest element that a module reads or writes, in bytes.
int smallest_access(const Module& module) {
    int smallest = 8;
    for (const Function& function : module.functions)
        for (const Type& type : function.values) {
            if (type.pointee == nullptr) continue;
            const Type* pointee = type.pointee.get();
            if (pointee->kind == Type::Kind::pointer) continue;
            smallest = std::min(smallest, element_size(stored_scalar(*pointee)));
        }
    return smallest;
}

template <class T>
void put(std::byte* out, T value) {
    std::memcpy(out, &value, sizeof value);
}

}  // namespace

struct Program::Impl {
    std::shared_ptr<const Module> module;
    Code code;
    std::vector<Effect> effects;
    std::vector<int64_t> parameters;  ///< arena slots
    int granule = 8;
    bool any_pointer = false;  ///< pointers may come from anywhere
    bool atomics = false;
    std::string broken;  ///< why it cannot run at all

    /// Writes one argument to its slot. Empty, or what is wrong with it.
    std::string bind(Launch& launch, std::byte* at, size_t index, const Argument& argument) const;
    void check_promise(Launch& launch, size_t index, const Argument& argument) const;
};

Program::Program(std::shared_ptr<const Module> module, const IssueOrder& issued) {
    auto impl = std::make_unique<Impl>();
    impl->module = std::move(module);
    const Function* entry = impl->module->entry();
    if (entry == nullptr) {
        impl->broken = "the module has no public function";
    } else {
        Builder builder(*impl->module, impl->code, issued);
        builder.build();
        impl->parameters = builder.frame(entry->name).parameters;
        impl->effects = parameter_effects(*impl->module);
        impl->granule = smallest_access(*impl->module);
        for (const Function& f : impl->module->functions)
            visit(f.body, [&](const Operation& op) {
                if (op.name == "tt.int_to_ptr" ||
                    (op.name == "tt.load" &&
                     f.values[static_cast<size_t>(op.results[0])].kind == Type::Kind::pointer))
                    impl->any_pointer = true;
                if (op.name.rfind("tt.atomic", 0) == 0 || op.name == "tt.descriptor_reduce")
                    impl->atomics = true;
            });
        if (impl->code.arena_bytes > kMaxArena)
            impl->broken =
                "one program needs " + std::to_string(impl->code.arena_bytes) + " bytes for its values";
    }
    impl_ = std::move(impl);
}

Program::~Program() = default;

std::string Program::Impl::bind(Launch& launch, std::byte* at, size_t index, const Argument& argument) const {
    const Type& type = module->entry()->values[static_cast<size_t>(module->entry()->parameters[index])];
    const std::string which = "argument " + std::to_string(index);
    if (type.kind == Type::Kind::pointer) {
        if (const auto* p = std::get_if<PointerArgument>(&argument)) {
            put<uint64_t>(at,
                          p->buffer == nullptr ? 0 : make_pointer(launch.buffer_of(p->buffer), p->offset));
        } else if (const auto* i = std::get_if<int64_t>(&argument)) {
            put<uint64_t>(at, launch.resolve(static_cast<uint64_t>(*i)));
        } else {
            return which + " must be a pointer";
        }
        return "";
    }
    if (type.kind == Type::Kind::descriptor) {
        const auto* d = std::get_if<DescriptorArgument>(&argument);
        if (d == nullptr) return which + " must be a tensor descriptor";
        const size_t rank = d->shape.size();
        if (rank == 0 || rank > 5 || d->stride.size() != rank || d->block.size() != rank ||
            d->base.buffer == nullptr)
            return which +
                   ": a descriptor of 1 to 5 dimensions is needed, with as many strides and block sizes";
        DescriptorValue v;
        v.base = make_pointer(launch.buffer_of(d->base.buffer), d->base.offset);
        v.rank = static_cast<int32_t>(rank);
        v.nan_padding = d->nan_padding ? 1 : 0;
        for (size_t k = 0; k < rank; ++k) {
            v.shape[k] = d->shape[k];
            v.stride[k] = d->stride[k];
            v.block[k] = d->block[k];
        }
        put(at, v);
        return "";
    }
    if (type.is_tensor()) return which + ": a kernel's parameter cannot be a block";
    if (is_float(type.elem)) {
        const auto* d = std::get_if<double>(&argument);
        const auto* i = std::get_if<int64_t>(&argument);
        if (d == nullptr && i == nullptr) return which + " must be a number";
        const double value = d != nullptr ? *d : static_cast<double>(*i);
        if (type.elem == Scalar::f64) {
            put<double>(at, value);
        } else if (type.elem == Scalar::f32) {
            put<float>(at, static_cast<float>(value));
        } else {
            float wide = 0;
            const std::byte* in[1] = {reinterpret_cast<const std::byte*>(&value)};
            find_kernel("narrow_odd", Scalar::f64)(reinterpret_cast<std::byte*>(&wide), in, 1);
            in[0] = reinterpret_cast<const std::byte*>(&wide);
            find_kernel("from_f32", type.elem)(at, in, 1);
        }
        return "";
    }
    int64_t address = 0;
    const auto* i = std::get_if<int64_t>(&argument);
    // A tensor's address given as a number, as `x.data_ptr()` is: what it is used for is judged where it is
    // used.
    if (const auto* pointer = std::get_if<PointerArgument>(&argument); pointer && pointer->buffer) {
        address = static_cast<int64_t>(pointer->buffer->address() + static_cast<uint64_t>(pointer->offset));
        i = &address;
    }
    if (i == nullptr) return which + " must be an integer";
    if (type.elem == Scalar::i1)
        put<uint8_t>(at, *i != 0);
    else
        std::memcpy(at, i, static_cast<size_t>(element_size(stored_scalar(type))));
    return "";
}

void Program::Impl::check_promise(Launch& launch, size_t index, const Argument& argument) const {
    const Function& entry = *module->entry();
    if (index >= entry.parameter_attributes.size()) return;
    const auto it = entry.parameter_attributes[index].find("tt.divisibility");
    if (it == entry.parameter_attributes[index].end()) return;
    const auto* divisor = std::get_if<TypedInt>(&it->second.v);
    if (divisor == nullptr || divisor->value <= 1) return;
    uint64_t value = 0;
    if (const auto* p = std::get_if<PointerArgument>(&argument)) {
        if (p->buffer == nullptr) return;
        value = p->buffer->address() + static_cast<uint64_t>(p->offset);
    } else if (const auto* i = std::get_if<int64_t>(&argument)) {
        value = static_cast<uint64_t>(*i);
    } else {
        return;
    }
    if (static_cast<int64_t>(value) % divisor->value == 0) return;
    const auto v = static_cast<size_t>(entry.parameters[index]);
    const std::string name = v < entry.value_names.size() ? entry.value_names[v] : "";
    launch.findings.emplace(
        "false_promise",
        Finding{"false_promise",
                "parameter " + std::to_string(index) + (name.empty() ? "" : " (" + name + ")") +
                    " is compiled as a multiple of " + std::to_string(divisor->value) + " but is " +
                    std::to_string(value),
                0,
                {{"parameter", index}, {"value", value}, {"divisor", divisor->value}}});
}

int Launch::buffer_of(Buffer* buffer) {
    for (size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].buffer == buffer) return static_cast<int>(i);
    LaunchBuffer b;
    b.buffer = buffer;
    b.data = buffer->data();
    b.bytes = buffer->bytes();
    b.lazy = buffer->lazy();
    b.sparse = buffer->sparse();
    b.check_written = options->checks && !options->unknown_memory && !buffer->all_written();
    b.mark_written = !buffer->all_written();
    buffers.push_back(b);
    return static_cast<int>(buffers.size()) - 1;
}

uint64_t Launch::resolve(uint64_t address) const {
    for (size_t i = 0; i < buffers.size(); ++i) {
        const uint64_t begin = buffers[i].buffer->address();
        if (address >= begin &&
            address - begin < static_cast<uint64_t>(std::max<int64_t>(buffers[i].bytes, 1)))
            return make_pointer(static_cast<int>(i), static_cast<int64_t>(address - begin));
    }
    return 0;
}

uint64_t Launch::address(uint64_t pointer) const {
    const int index = pointer_buffer(pointer);
    if (index < 0 || index >= static_cast<int>(buffers.size())) return 0;
    return buffers[static_cast<size_t>(index)].buffer->address() +
           static_cast<uint64_t>(pointer_offset(pointer));
}

LaunchReport Program::launch(const std::array<int64_t, 3>& grid, const std::vector<Argument>& arguments,
                             const LaunchOptions& options) const {
    LaunchReport report;
    const auto refuse = [&](std::string why) {
        report.unsupported = std::move(why);
        return report;
    };
    if (!impl_->broken.empty()) return refuse(impl_->broken);
    const Function& entry = *impl_->module->entry();
    if (arguments.size() != entry.parameters.size())
        throw InputError("kernel " + entry.name + " has " + std::to_string(entry.parameters.size()) +
                         " parameters but " + std::to_string(arguments.size()) + " arguments were given");
    __int128 total = 1;
    for (int64_t g : grid) {
        if (g < 0 || g > INT32_MAX)
            throw InputError("a grid of " + std::to_string(g) + " programs is not possible");
        total *= g;
    }
    if (options.sample)
        for (int64_t program : *options.sample)
            if (program < 0 || program >= total)
                throw InputError("program " + std::to_string(program) + " is not in the grid");
    Launch launch;
    launch.module = impl_->module.get();
    launch.options = &options;
    launch.grid = grid;
    launch.granule = impl_->granule;

    // Pointers first: integer arguments are resolved among all buffers.
    for (const Argument& a : arguments) {
        if (const auto* p = std::get_if<PointerArgument>(&a); p != nullptr && p->buffer != nullptr)
            launch.buffer_of(p->buffer);
        if (const auto* d = std::get_if<DescriptorArgument>(&a); d != nullptr && d->base.buffer != nullptr)
            launch.buffer_of(d->base.buffer);
    }
    if (impl_->any_pointer)
        for (Buffer* reachable : options.reachable) launch.buffer_of(reachable);
    if (launch.buffers.size() > 60000) return refuse("more buffers than the interpreter can tell apart");
    std::vector<std::pair<int64_t, std::vector<std::byte>>> initial = impl_->code.constants;
    for (size_t i = 0; i < arguments.size(); ++i) {
        std::vector<std::byte> bytes(std::max<size_t>(sizeof(DescriptorValue), 8));
        const std::string wrong = impl_->bind(launch, bytes.data(), i, arguments[i]);
        if (!wrong.empty()) throw InputError("kernel " + entry.name + ": " + wrong);
        const Type& type = entry.values[static_cast<size_t>(entry.parameters[i])];
        bytes.resize(type.kind == Type::Kind::descriptor ? sizeof(DescriptorValue) : 8);
        initial.emplace_back(impl_->parameters[i], std::move(bytes));
        if (options.checks) impl_->check_promise(launch, i, arguments[i]);
    }

    // Which buffers the kernel may write; only those need race words.
    std::set<Buffer*> written;
    std::map<Buffer*, Effect> together;  // through all arguments that point into a buffer
    bool all = impl_->any_pointer;
    for (size_t i = 0; i < arguments.size() && i < impl_->effects.size(); ++i) {
        const Effect& e = impl_->effects[i];
        if (e.escapes) all = true;
        Buffer* buffer = nullptr;
        if (const auto* p = std::get_if<PointerArgument>(&arguments[i]))
            buffer = p->buffer;
        else if (const auto* d = std::get_if<DescriptorArgument>(&arguments[i]))
            buffer = d->base.buffer;
        else if (e.writes)
            all = true;
        if (e.writes) written.insert(buffer);
        Effect& sum = together[buffer];
        sum.loads |= e.loads;
        sum.atomics |= e.atomics;
        sum.stores = std::min(2, sum.stores + e.stores);
    }

    ProgramOrder order(options, static_cast<int64_t>(std::min<__int128>(total, int64_t{1} << 62)));
    if (order.count() > kMaxPrograms) {
        report.findings.push_back({"grid_too_large",
                                   "a grid of " + std::to_string(order.count()) + " programs does not end", 0,
                                   Json::object()});
        return report;
    }
    if (options.sample) launch.order_to_program = *options.sample;
    uint32_t base = 0;
    const auto words = static_cast<uint64_t>(order.count()) * 2 + 4;
    for (LaunchBuffer& b : launch.buffers) {
        b.tracked = all || written.count(b.buffer) != 0;
        if (!b.tracked || !options.checks) continue;
        const int64_t count = (b.bytes + launch.granule - 1) / launch.granule + 1;
        b.races.readers = b.buffer->race_shadow(2 * count);
        b.races.writers = b.races.readers + count;
        if (options.num_warps > 1 || impl_->atomics) {
            const Effect& e = together[b.buffer];
            b.stored_once = options.num_warps > 1 && !all && e.stores == 1 && !e.loads && !e.atomics;
            if (all || (e.stores > 0 ? !b.stored_once : e.atomics && e.loads)) {
                b.lane_readers = b.buffer->lane_shadow(2 * count);
                b.lane_writers = b.lane_readers + count;
            }
        }
        if (b.buffer->race_epoch() + words > UINT32_MAX - 8) b.buffer->forget_races();
        base = std::max(base, b.buffer->race_epoch());
    }
    if (base + words > UINT32_MAX - 8) return refuse("too many programs for the race check");
    for (LaunchBuffer& b : launch.buffers) {
        if (b.races.writers == nullptr) continue;
        b.races.base = base;
        b.buffer->set_race_epoch(base + static_cast<uint32_t>(words));
    }
    if (impl_->atomics) launch.released.assign(static_cast<size_t>(order.count()), 0);

    run_programs(launch, impl_->code, initial, order, base, report);

    for (auto& [reason, finding] : launch.findings) report.findings.push_back(std::move(finding));
    for (auto& [reason, finding] : launch.warnings) report.warnings.push_back(std::move(finding));
    report.prints = std::move(launch.prints);
    report.timed_out = launch.timed_out.load();
    report.tf32 = launch.tf32.load();
    report.unsupported = std::move(launch.unsupported);
    return report;
}

}  // namespace tritonsmith::ttir
