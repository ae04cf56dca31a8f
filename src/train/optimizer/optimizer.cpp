#include "train/optimizer/optimizer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "base/error.h"
#include "train/optimizer/adamw_kernel.h"
#include "train/optimizer/muon.h"
#include "train/optimizer/rounding.h"

namespace tritonsmith::train {

/// What one parameter's rule keeps between steps.
struct Optimizer::Slot {
    bool muon = false;
    at::Tensor first;   ///< AdamW's mean of gradients, or Muon's momentum
    at::Tensor second;  ///< AdamW's mean of their squares
    at::Tensor master;  ///< float32 copy of the value, or undefined
};

namespace {

/// Elements that are updated at a time: on the CPU they stay in its cache, elsewhere they bound memory.
int64_t piece_of(const at::Tensor& tensor) {
    return tensor.is_cpu() ? int64_t{1} << 16 : int64_t{1} << 24;
}

/// Which of a parameter's tensors is rounded.
enum Use : int64_t { use_value, use_first, use_second };

void check_settings(const OptimizerSettings& settings) {
    const auto share = [](double x) { return x >= 0 && x < 1; };
    if (!share(settings.beta1) || !share(settings.beta2) || !share(settings.momentum))
        throw InputError("optimizer: beta1, beta2 and momentum must be at least 0 and less than 1");
    if (!(settings.epsilon >= 0) || !(settings.weight_decay >= 0))
        throw InputError("optimizer: epsilon and weight_decay must not be negative");
    if (settings.iterations < 1 || settings.iterations > 99)
        throw InputError("optimizer: iterations must be 1 to 99");
    if (settings.states != at::kFloat && settings.states != at::kBFloat16)
        throw InputError("optimizer: states must be float32 or bfloat16");
}

/// Part of a tensor in float32, to be changed and stored again.
class Piece {
  public:
    /// @param tensor flat
    Piece(const at::Tensor& tensor, int64_t first, int64_t count)
        : stored_(tensor.narrow(0, first, count)), wide_(stored_.to(at::kFloat)) {}
    at::Tensor& operator*() { return wide_; }
    at::Tensor* operator->() { return &wide_; }
    /// @param first index of the piece's first element in the whole tensor
    void store(const RoundingKey& key, int64_t first) {
        if (stored_.scalar_type() == at::kBFloat16)
            round_stochastically(stored_, wide_, key, first);
        else if (stored_.scalar_type() != at::kFloat)
            stored_.copy_(wide_);  // else it is the same memory
    }

  private:
    at::Tensor stored_, wide_;
};

}  // namespace

Optimizer::Optimizer(std::vector<Parameter> parameters, const OptimizerSettings& settings)
    : parameters_(std::move(parameters)), settings_(settings) {
    check_settings(settings);
    const at::NoGradGuard no_grad;
    for (const Parameter& parameter : parameters_) {
        Slot slot;
        slot.muon =
            settings.method == OptimizerSettings::Method::muon && parameter.kind == Parameter::Kind::matrix;
        const auto options = parameter.value.options().dtype(settings.states);
        slot.first = at::zeros(parameter.value.sizes(), options);
        if (!slot.muon) slot.second = at::zeros(parameter.value.sizes(), options);
        if (settings.master && parameter.value.scalar_type() != at::kFloat)
            slot.master = parameter.value.to(at::kFloat);
        slots_.push_back(std::move(slot));
    }
}

Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;

namespace {

struct Update {
    const OptimizerSettings& settings;
    int64_t step;
    double rate, gradient_scale;

    RoundingKey key_of(const Parameter& parameter, Use use) const {
        return {.seed = settings.seed, .step = step, .tensor = parameter.number, .use = use};
    }
    double decay(const Parameter& parameter) const {
        return parameter.decays() ? 1 - rate * settings.weight_decay : 1;
    }
};

void adamw(const Parameter& parameter, const at::Tensor& value, const at::Tensor& first,
           const at::Tensor& second, const Update& update) {
    const OptimizerSettings& settings = update.settings;
    const auto number = static_cast<double>(update.step);
    const double correction1 = 1 - std::pow(settings.beta1, number),
                 correction2 = 1 - std::pow(settings.beta2, number);
    const at::Tensor gradients = parameter.gradient.view(-1), values = value.view(-1),
                     firsts = first.view(-1), seconds = second.view(-1);
    const int64_t piece = piece_of(values);
    for (int64_t begin = 0; begin < values.numel(); begin += piece) {
        const int64_t count = std::min(piece, values.numel() - begin);
        const at::Tensor gradient = gradients.narrow(0, begin, count).to(at::kFloat) * update.gradient_scale;
        Piece x(values, begin, count), m(firsts, begin, count), v(seconds, begin, count);
        m->lerp_(gradient, 1 - settings.beta1);
        v->mul_(settings.beta2).addcmul_(gradient, gradient, 1 - settings.beta2);
        const at::Tensor root = v->sqrt().div_(std::sqrt(correction2)).add_(settings.epsilon);
        x->mul_(update.decay(parameter)).addcdiv_(*m, root, -update.rate / correction1);
        const int64_t element = parameter.first_element + begin;
        m.store(update.key_of(parameter, use_first), element);
        v.store(update.key_of(parameter, use_second), element);
        x.store(update.key_of(parameter, use_value), element);
    }
}

AdamWStep step_of(const Parameter& parameter, const Update& update) {
    const OptimizerSettings& settings = update.settings;
    return {.step = update.step,
            .learning_rate = update.rate,
            .gradient_scale = update.gradient_scale,
            .decay = update.decay(parameter),
            .beta1 = settings.beta1,
            .beta2 = settings.beta2,
            .epsilon = settings.epsilon,
            .value_stream = stream_of(update.key_of(parameter, use_value)),
            .first_stream = stream_of(update.key_of(parameter, use_first)),
            .second_stream = stream_of(update.key_of(parameter, use_second))};
}

/// Elements of the matrices that Muon orthogonalises at a time, unless one has more: bounds their memory.
constexpr int64_t muon_elements = int64_t{1} << 24;

}  // namespace

/// Matrices of one shape, which are orthogonalised together.
struct Optimizer::MuonGroup {
    struct Member {
        size_t parameter;
        const Parameter::Part* part;
    };
    std::vector<Member> members;
    int64_t rows = 0, columns = 0;
};

namespace {

/// Parts of several tensors that are changed together: on a GPU a launch for each would take most of the
/// time.
class Pieces {
  public:
    void add(const at::Tensor& tensor, int64_t first, int64_t count, const RoundingKey& key,
             int64_t element) {
        pieces_.push_back({Piece(tensor.view(-1), first, count), key, element});
        wide.push_back(*pieces_.back().piece);
    }
    void store() {
        for (Stored& one : pieces_) one.piece.store(one.key, one.element);
    }

    std::vector<at::Tensor> wide;  ///< in float32, flat

  private:
    struct Stored {
        Piece piece;
        RoundingKey key;
        int64_t element;
    };
    std::vector<Stored> pieces_;
};

}  // namespace

std::vector<Optimizer::MuonGroup> Optimizer::muon_groups() const {
    std::map<std::pair<int64_t, int64_t>, std::vector<MuonGroup>> of_shape;
    for (size_t i = 0; i < parameters_.size(); ++i) {
        if (!slots_[i].muon) continue;
        for (const Parameter::Part& part : parameters_[i].parts) {
            const int64_t columns = parameters_[i].value.size(1), elements = part.rows * columns;
            std::vector<MuonGroup>& groups = of_shape[{part.rows, columns}];
            const auto size =
                groups.empty() ? int64_t{0} : static_cast<int64_t>(groups.back().members.size());
            if (groups.empty() || (size + 1) * elements > muon_elements)
                groups.push_back({.members = {}, .rows = part.rows, .columns = columns});
            groups.back().members.push_back({i, &part});
        }
    }
    std::vector<MuonGroup> all;
    for (auto& [shape, groups] : of_shape) std::move(groups.begin(), groups.end(), std::back_inserter(all));
    return all;
}

void Optimizer::step_together(const MuonGroup& group, int64_t number, double learning_rate,
                              double gradient_scale) {
    const Update update{settings_, number, learning_rate, gradient_scale};
    const int64_t elements = group.rows * group.columns;
    std::vector<at::Tensor> group_gradients;
    std::vector<at::Scalar> decays;
    Pieces momenta, values;
    for (const MuonGroup::Member& one : group.members) {
        const Parameter& parameter = parameters_[one.parameter];
        const Slot& slot = slots_[one.parameter];
        const int64_t begin = one.part->first * group.columns, element = parameter.first_element + begin;
        group_gradients.push_back(parameter.gradient.narrow(0, one.part->first, group.rows));
        momenta.add(slot.first, begin, elements, update.key_of(parameter, use_first), element);
        values.add(slot.master.defined() ? slot.master : parameter.value, begin, elements,
                   update.key_of(parameter, use_value), element);
        decays.emplace_back(update.decay(parameter));
    }
    const auto count = static_cast<int64_t>(group.members.size());
    const at::Tensor gradients =
        at::stack(group_gradients).to(at::kFloat).view({count, elements}) * update.gradient_scale;
    at::_foreach_lerp_(momenta.wide, gradients.unbind(), 1 - settings_.momentum);
    momenta.store();
    // Nesterov's look ahead
    const at::Tensor ahead = gradients.lerp(at::stack(momenta.wide), settings_.momentum);
    const at::Tensor directions =
        orthogonal(ahead.to(at::kBFloat16).view({count, group.rows, group.columns}), settings_.iterations);
    at::_foreach_mul_(values.wide, decays);
    at::_foreach_add_(values.wide, directions.to(at::kFloat).reshape({count, elements}).unbind(),
                      -update.rate * muon_rate(group.rows, group.columns));
    values.store();
}

void Optimizer::step(int64_t number, double learning_rate, double gradient_scale) {
    const at::NoGradGuard no_grad;
    if (parameters_.empty()) return;
    const c10::OptionalDeviceGuard device(parameters_.front().value.device());
    for (const MuonGroup& group : muon_groups()) step_together(group, number, learning_rate, gradient_scale);
    const Update update{settings_, number, learning_rate, gradient_scale};
    std::vector<at::Tensor> rounded, masters;
    for (size_t i = 0; i < parameters_.size(); ++i) {
        const Parameter& parameter = parameters_[i];
        Slot& slot = slots_[i];
        if (!slot.muon && has_adamw_kernel(parameter.value.device())) {
            adamw_by_kernel(parameter, slot.first, slot.second, slot.master, step_of(parameter, update));
            continue;
        }
        if (!slot.muon)
            adamw(parameter, slot.master.defined() ? slot.master : parameter.value, slot.first, slot.second,
                  update);
        if (!slot.master.defined()) continue;
        rounded.push_back(parameter.value);
        masters.push_back(slot.master);
    }
    if (!masters.empty()) at::_foreach_copy_(rounded, masters);
}

std::vector<NamedState> Optimizer::states() const {
    std::vector<NamedState> states;
    for (size_t i = 0; i < parameters_.size(); ++i) {
        const Parameter& parameter = parameters_[i];
        const auto add = [&](const char* kind, const at::Tensor& tensor) {
            if (tensor.defined())
                states.push_back({kind + parameter.name(), tensor, parameter.first_element});
        };
        add("first.", slots_[i].first);
        add("second.", slots_[i].second);
        add("master.", slots_[i].master);
    }
    return states;
}

}  // namespace tritonsmith::train
