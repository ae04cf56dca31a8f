#include "plan/ir/validate.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/options.h"

namespace tritonsmith::plan {
namespace {

__extension__ typedef __int128 Wide;

constexpr int64_t kMaxBytes = int64_t{1} << 47;     // CUDA's virtual address space
constexpr int64_t kMaxElements = int64_t{1} << 47;  // of a view: broadcast ones have more elements than bytes
constexpr int64_t kMaxConstantBytes = int64_t{256} << 20;
constexpr int64_t kMaxReadValues = 65536;
constexpr int64_t kMaxPrograms = int64_t{1} << 40;

/// The first thing wrong ends the validation; it never leaves this file as an exception.
struct Wrong {
    Finding finding;
};

std::string quoted(const std::string& text) {
    return "\"" + shortened(text, 80) + "\"";
}

class Validator {
  public:
    explicit Validator(const Plan& plan) : plan_(plan), state_(plan.buffers.size(), State::unborn) {}

    void run() {
        head();
        buffers();
        kernels();
        where_ = "init_inputs";
        values_exist(plan_.init_inputs);
        for (size_t i = 0; i < plan_.steps.size(); ++i)
            step(plan_.steps[i], "steps[" + std::to_string(i) + "]");
        weights();
        inputs();
        where_ = "output";
        for (const Tensor& tensor : tensors_in(plan_.output)) use(tensor);
        no_pointers(plan_.output);
    }

  private:
    enum class State : uint8_t { unborn, alive, dead };

    [[noreturn]] void wrong(const std::string& what, const std::string& reason = "plan_invalid") const {
        throw Wrong{{reason, where_ + ": " + what, line_, Json{{"where", where_}}}};
    }

    void head() {
        where_ = "plan";
        if (plan_.version != 1) wrong("version must be 1");
        if (plan_.role != "reference" && plan_.role != "candidate" && plan_.role != "script")
            wrong("role must be reference, candidate or script");
        if (plan_.device != "cuda" && plan_.device != "cpu") wrong("device must be cuda or cpu");
        const std::string& target = plan_.target;
        bool known = target.starts_with("sm_") && target.size() >= 5 && target.size() <= 7 &&
                     std::all_of(target.begin() + 3, target.begin() + 5,
                                 [](char c) { return c >= '0' && c <= '9'; }) &&
                     std::all_of(target.begin() + 5, target.end(),
                                 [](char c) { return (c >= '0' && c <= '9') || c == 'a' || c == 'f'; });
        if (!known && !(plan_.device == "cpu" && target.empty()))
            wrong("target must be like sm_90, found " + quoted(target));
    }

    void buffers() {
        int64_t constant_bytes = 0;
        for (size_t i = 0; i < plan_.buffers.size(); ++i) {
            const Buffer& buffer = plan_.buffers[i];
            where_ = "buffers[" + std::to_string(i) + "]";
            line_ = buffer.line;
            if (buffer.id != static_cast<int>(i))
                wrong("id must be " + std::to_string(i) + ", found " + std::to_string(buffer.id));
            if (buffer.bytes < 0 || buffer.bytes > kMaxBytes) wrong(std::to_string(buffer.bytes) + " bytes");
            if (buffer.address > UINT64_MAX - static_cast<uint64_t>(buffer.bytes))
                wrong("address beyond 64 bits");
            if (buffer.kind == BufferKind::constant) {
                if (static_cast<int64_t>(buffer.data.size()) != buffer.bytes)
                    wrong("holds " + std::to_string(buffer.data.size()) + " bytes of data, must hold " +
                          std::to_string(buffer.bytes));
                constant_bytes += buffer.bytes;
                if (constant_bytes > kMaxConstantBytes)
                    wrong("constants of more than " + std::to_string(kMaxConstantBytes) + " bytes");
            } else if (!buffer.data.empty()) {
                wrong("only constants have data");
            }
            if (buffer.kind == BufferKind::input) bear(buffer);
            if (buffer.kind == BufferKind::constant) state_[i] = State::alive;
        }
        line_ = 0;
    }

    void kernels() {
        for (size_t i = 0; i < plan_.kernels.size(); ++i) {
            const Kernel& kernel = plan_.kernels[i];
            where_ = "kernels[" + std::to_string(i) + "]";
            line_ = kernel.line;
            if (kernel.name.empty()) wrong("has no name");
            if (kernel.ttir.empty()) wrong("has no TTIR");
            for (const auto& [name, value] : kernel.options)
                if (auto text = forbidden_option(name, value, plan_.target)) {
                    where_ = "kernel " + quoted(kernel.name);
                    wrong("compile option " + *text, "compile_option_forbidden");
                }
        }
        line_ = 0;
    }

    // ---- life of buffers

    /// From now on the buffer's addresses are taken.
    void bear(const Buffer& buffer) {
        state_[static_cast<size_t>(buffer.id)] = State::alive;
        if (buffer.address == 0 || buffer.bytes == 0) return;
        uint64_t end = buffer.address + static_cast<uint64_t>(buffer.bytes);
        auto next = addresses_.upper_bound(buffer.address);
        if (next != addresses_.end() && next->first < end) overlapping(buffer, next->second);
        if (next != addresses_.begin()) {
            int before = std::prev(next)->second;
            const Buffer& other = plan_.buffers[static_cast<size_t>(before)];
            if (other.address + static_cast<uint64_t>(other.bytes) > buffer.address)
                overlapping(buffer, before);
        }
        addresses_[buffer.address] = buffer.id;
    }

    [[noreturn]] void overlapping(const Buffer& buffer, int other) const {
        wrong("buffers " + std::to_string(buffer.id) + " and " + std::to_string(other) +
              " overlap in addresses");
    }

    void kill(int id) {
        const Buffer& buffer = plan_.buffers[static_cast<size_t>(id)];
        state_[static_cast<size_t>(id)] = State::dead;
        auto here = addresses_.find(buffer.address);
        if (here != addresses_.end() && here->second == id) addresses_.erase(here);
    }

    const Buffer& buffer(int id) const {
        if (id < 0 || static_cast<size_t>(id) >= plan_.buffers.size())
            wrong("no buffer " + std::to_string(id));
        return plan_.buffers[static_cast<size_t>(id)];
    }

    void alive(int id) const {
        buffer(id);
        switch (state_[static_cast<size_t>(id)]) {
            case State::unborn:
                wrong("uses buffer " + std::to_string(id) + " before a step makes it");
            case State::dead:
                wrong("uses buffer " + std::to_string(id) + " after it was freed");
            case State::alive:
                return;
        }
    }

    // ---- tensors and values

    void shape(const Tensor& tensor) const {
        const Buffer& home = buffer(tensor.buffer);
        if (tensor.shape.size() != tensor.stride.size()) wrong("shape and stride differ in length");
        if (tensor.shape.size() > 64) wrong("rank " + std::to_string(tensor.shape.size()));
        if (tensor.offset < 0) wrong("negative offset " + std::to_string(tensor.offset));
        Wide elements = 1, last = tensor.offset;
        bool none = false;
        for (size_t i = 0; i < tensor.shape.size(); ++i) {
            int64_t size = tensor.shape[i], stride = tensor.stride[i];
            if (size < 0 || size > kMaxElements) wrong("dimension of size " + std::to_string(size));
            if (stride < 0 || stride > kMaxElements) wrong("stride " + std::to_string(stride));
            if (size == 0) {
                none = true;
                continue;
            }
            elements *= size;
            if (elements > kMaxElements) wrong("more than 2^47 elements");
            last += Wide{size - 1} * stride;
        }
        if (none) last = Wide{tensor.offset} - 1;  // touches nothing, but its pointer is still to lie inside
        if ((last + 1) * element_size(tensor.dtype) > home.bytes)
            wrong("a tensor reaches past the end of buffer " + std::to_string(tensor.buffer) + " (" +
                  std::to_string(home.bytes) + " bytes)");
    }

    void use(const Tensor& tensor) const {
        shape(tensor);
        alive(tensor.buffer);
    }

    void use(const Pointer& pointer) const {
        alive(pointer.buffer);
        if (pointer.offset < 0 || pointer.offset > buffer(pointer.buffer).bytes)
            wrong("a pointer at byte " + std::to_string(pointer.offset) + " of buffer " +
                  std::to_string(pointer.buffer) + ", which has " +
                  std::to_string(buffer(pointer.buffer).bytes));
    }

    void use(const Descriptor& descriptor) const {
        use(descriptor.base);
        size_t rank = descriptor.base.shape.size();
        if (rank < 1 || rank > 5)
            wrong("a descriptor of rank " + std::to_string(rank) + "; 1 to 5 are possible");
        if (descriptor.block.size() != rank) wrong("a descriptor's block has another rank than its tensor");
        for (int64_t size : descriptor.block)
            if (size < 1 || size > 1 << 20) wrong("a descriptor's block of size " + std::to_string(size));
        if (descriptor.base.stride.back() != 1) wrong("a descriptor's last stride must be 1");
        if (descriptor.padding != "zero" && descriptor.padding != "nan")
            wrong("a descriptor's padding must be zero or nan");
    }

    /// ATen values: tensors everywhere, pointers and descriptors nowhere.
    void no_pointers(const Value& value) const {
        if (std::holds_alternative<Pointer>(value.v) || std::holds_alternative<Descriptor>(value.v))
            wrong("a bare pointer or descriptor outside a launch");
        if (const auto* sequence = std::get_if<Sequence>(&value.v)) no_pointers(sequence->items);
        if (const auto* dict = std::get_if<Dict>(&value.v))
            for (const auto& [key, item] : dict->items) no_pointers(item);
    }
    void no_pointers(const List& list) const {
        for (const Value& value : list) no_pointers(value);
    }
    /// Tensors recorded as arguments of the constructor: their buffers exist from the start.
    void values_exist(const List& list) const {
        no_pointers(list);
        for (const Tensor& tensor : tensors_in(list)) shape(tensor);
    }

    // ---- steps

    void step(const Step& step, const std::string& where) {
        where_ = where;
        line_ = step.line;
        bool is_free = std::holds_alternative<FreeStep>(step.what);
        if (step.phase == Phase::forward && !is_free) called_ = true;
        if (step.phase != Phase::forward && !is_free && called_)
            wrong("a step of another phase after the call began");
        if (step.phase == Phase::inputs && !is_free && plan_.role == "candidate")
            wrong("a candidate makes no inputs");
        phase_ = step.phase;
        std::visit([&](const auto& what) { check(what); }, step.what);
        line_ = 0;
    }

    void check(const AtenStep& aten) {
        op_name(aten.op);
        List arguments = aten.args;
        for (const auto& [name, value] : aten.kwargs) arguments.push_back(value);
        no_pointers(arguments);
        no_pointers(aten.result);
        std::unordered_set<int> given;
        for (const Tensor& tensor : tensors_in(arguments)) {
            use(tensor);
            given.insert(tensor.buffer);
        }
        bool may_alias = op_class(aten.op) == OpClass::view || op_class(aten.op) == OpClass::compute ||
                         op_class(aten.op) == OpClass::copy || in_place(aten.op) || !aten.kwargs.empty();
        for (const Tensor& tensor : tensors_in(aten.result)) {
            shape(tensor);
            if (given.contains(tensor.buffer)) {
                if (!may_alias)
                    wrong(aten.op + " makes new memory, but its result is in buffer " +
                          std::to_string(tensor.buffer));
                continue;
            }
            made(tensor.buffer);
            given.insert(tensor.buffer);  // several results may share one new buffer
        }
        if (aten.draw >= 0) draw(aten.draw);
    }

    void op_name(const std::string& op) const {
        size_t colons = op.find("::");
        auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        bool fine = colons != std::string::npos && colons > 0 && colons + 2 < op.size() && op.size() <= 128;
        for (size_t i = 0; fine && i < op.size(); ++i)
            fine = word(op[i]) || (i >= colons && i < colons + 2) ||
                   (op[i] == '.' && i > colons + 2 && i + 1 < op.size());
        if (!fine || std::count(op.begin(), op.end(), '.') > 1)
            wrong("operator " + quoted(op) + " is not named like aten::add.Tensor");
    }

    /// A result outside the arguments' buffers makes its buffer, once.
    void made(int id) {
        const Buffer& home = buffer(id);
        State& state = state_[static_cast<size_t>(id)];
        if (home.kind != BufferKind::allocation || state == State::alive)
            wrong("its result is in buffer " + std::to_string(id) + ", which is neither new nor an argument");
        if (state == State::dead) wrong("makes buffer " + std::to_string(id) + " again after it was freed");
        bear(home);
        if (inside_) born_inside_.push_back(id);
    }

    void draw(int ordinal) {
        if (inside_) wrong("random draws inside a choice");
        int& next = next_draw_[static_cast<size_t>(phase_)];
        if (ordinal < next) wrong("draw " + std::to_string(ordinal) + " is out of order");
        next = ordinal + 1;
    }

    void check(const LaunchStep& launch) {
        if (launch.kernel < 0 || static_cast<size_t>(launch.kernel) >= plan_.kernels.size())
            wrong("no kernel " + std::to_string(launch.kernel));
        constexpr std::array<int64_t, 3> kLimit{(int64_t{1} << 31) - 1, 65535, 65535};
        for (size_t i = 0; i < 3; ++i)
            if (launch.grid[i] < 1 || launch.grid[i] > kLimit[i])
                wrong("grid dimension " + std::to_string(i) + " is " + std::to_string(launch.grid[i]) +
                          "; 1 to " + std::to_string(kLimit[i]) + " are possible",
                      launch.grid[i] > kLimit[i] ? "grid_too_large" : "plan_invalid");
        const Wide programs = Wide{launch.grid[0]} * launch.grid[1] * launch.grid[2];
        if (programs > kMaxPrograms)
            wrong("a grid of " + std::to_string(static_cast<int64_t>(programs)) +
                      " programs does not end within hours on any device",
                  "grid_too_large");
        check_cooperative(launch);
        if (launch.args.size() > 4096) wrong("more than 4096 arguments");
        for (const Value& value : launch.args) std::visit([&](const auto& what) { argument(what); }, value.v);
    }

    /// The driver refuses a cooperative launch whose programs are not all resident at once.
    void check_cooperative(const LaunchStep& launch) const {
        const Kernel& kernel = plan_.kernels[static_cast<size_t>(launch.kernel)];
        const auto option = kernel.options.find("launch_cooperative_grid");
        if (option == kernel.options.end()) return;
        const bool* cooperative = std::get_if<bool>(&option->second.v);
        if (!cooperative || !*cooperative) return;
        const int64_t most = resident_programs(plan_.target, kernel);
        const double programs = static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
                                static_cast<double>(launch.grid[2]);
        if (programs > static_cast<double>(most))
            wrong("a cooperative launch has more programs than the " + std::to_string(most) +
                  " that the device holds at once");
    }

    void argument(const Tensor& tensor) const { use(tensor); }
    void argument(const Pointer& pointer) const { use(pointer); }
    void argument(const Descriptor& descriptor) const { use(descriptor); }
    void argument(bool) const {}
    void argument(int64_t) const {}
    void argument(double) const {}
    template <typename Other>
    void argument(const Other&) const {
        wrong("a launch argument must be a tensor, pointer, descriptor or number");
    }

    void check(const ChoiceStep& choice) {
        if (inside_) wrong("a choice inside a choice");
        if (choice.alternatives.empty()) wrong("a choice without alternatives");
        std::string where = where_;
        inside_ = true;
        for (size_t a = 0; a < choice.alternatives.size(); ++a)
            inside(choice.alternatives[a].steps, where + ".alternatives[" + std::to_string(a) + "].steps");
        inside(choice.benchmark, where + ".benchmark");
        inside_ = false;
    }

    void inside(const std::vector<Step>& steps, const std::string& where) {
        for (size_t i = 0; i < steps.size(); ++i) step(steps[i], where + "[" + std::to_string(i) + "]");
        // What an alternative made is gone after it, so that whichever runs leaves the same behind.
        for (int id : born_inside_) kill(id);
        born_inside_.clear();
    }

    void check(const FreeStep& step) {
        alive(step.buffer);
        if (inside_) {
            auto mine = std::find(born_inside_.begin(), born_inside_.end(), step.buffer);
            if (mine == born_inside_.end()) wrong("an alternative frees a buffer that it did not make");
            born_inside_.erase(mine);
        }
        if (buffer(step.buffer).kind == BufferKind::input)
            wrong("frees input buffer " + std::to_string(step.buffer));
        kill(step.buffer);
    }

    void check(const ReadStep& step) {
        if (inside_) wrong("a host read inside a choice");
        use(step.tensor);
        if (is_floating(step.tensor.dtype) || step.tensor.dtype == DType::c64 ||
            step.tensor.dtype == DType::c128)
            wrong("a host read of values that are not integers");
        Wide elements = 1;
        for (int64_t size : step.tensor.shape) elements *= size;
        if (elements != static_cast<Wide>(step.values.size()) || elements > kMaxReadValues)
            wrong("a host read has " + std::to_string(step.values.size()) +
                  " values for a tensor of another size");
        int bits = element_size(step.tensor.dtype) * 8;
        for (int64_t value : step.values)
            if (bits < 64 && (value < -(int64_t{1} << (bits - 1)) || value >= int64_t{1} << bits))
                wrong("the value " + std::to_string(value) + " does not fit " +
                      dtype_name(step.tensor.dtype));
    }

    // ---- the rest

    void weights() {
        std::set<std::string> names;
        for (size_t i = 0; i < plan_.weights.size(); ++i) {
            const Weight& weight = plan_.weights[i];
            where_ = "weights[" + std::to_string(i) + "]";
            if (weight.name.empty() || !names.insert(weight.name).second)
                wrong("name " + quoted(weight.name) + " is empty or not unique");
            shape(weight.tensor);
            if (state_[static_cast<size_t>(weight.tensor.buffer)] == State::unborn)
                wrong("no step makes its buffer");
            if (buffer(weight.tensor.buffer).kind == BufferKind::input)
                wrong("a weight in an input's buffer");
        }
    }

    void inputs() {
        where_ = "inputs";
        no_pointers(plan_.inputs);
        std::unordered_set<int> named;
        for (const Tensor& tensor : tensors_in(plan_.inputs)) {
            use(tensor);
            named.insert(tensor.buffer);
            if (plan_.role == "candidate" && buffer(tensor.buffer).kind != BufferKind::input)
                wrong("a candidate's input in buffer " + std::to_string(tensor.buffer) +
                      ", which is not of kind input");
        }
        for (const Buffer& home : plan_.buffers)
            if (home.kind == BufferKind::input && !named.contains(home.id))
                wrong("buffer " + std::to_string(home.id) + " belongs to no input");
    }

    const Plan& plan_;
    std::vector<State> state_;
    std::map<uint64_t, int> addresses_;  ///< of live buffers
    std::array<int, 3> next_draw_{};     ///< by phase
    bool called_ = false;                ///< a forward step was seen
    bool inside_ = false;                ///< a choice
    std::vector<int> born_inside_;
    Phase phase_ = Phase::inputs;
    std::string where_;
    int line_ = 0;
};

}  // namespace

std::optional<Finding> validate(const Plan& plan) {
    try {
        Validator(plan).run();
    } catch (Wrong& wrong) {
        return std::move(wrong.finding);
    }
    return std::nullopt;
}

}  // namespace tritonsmith::plan
