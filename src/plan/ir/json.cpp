#include "plan/ir/json.h"

#include "base/base64.h"
#include "plan/ir/json_parts.h"
#include "plan/ir/validate.h"

namespace tritonsmith::plan {
namespace {

constexpr size_t kMaxBuffers = 100000;
constexpr size_t kMaxSteps = 100000;
constexpr size_t kMaxKernels = 4096;
constexpr size_t kMaxKernelText = size_t{16} << 20;
constexpr size_t kMaxName = 4096;
constexpr int kMaxLine = 1 << 24;
constexpr int kMaxStreams = 256;

constexpr std::array<const char*, 3> kPhases{"inputs", "init", "forward"};
constexpr std::array<const char*, 3> kBufferKinds{"input", "constant", "allocation"};

template <typename Enum>
Enum read_enum(const Json& json, const Where& where, const std::array<const char*, 3>& names) {
    const std::string& text = read_string(json, where, 32);
    for (size_t i = 0; i < names.size(); ++i)
        if (text == names[i]) return static_cast<Enum>(i);
    refuse(where, "must be \"" + std::string(names[0]) + "\", \"" + names[1] + "\" or \"" + names[2] +
                      "\", found \"" + text + "\"");
}

int read_line(Object& object) {
    const Json* line = object.maybe("line");
    return line ? read_int(*line, object.where() / "line", 0, kMaxLine) : 0;
}

std::vector<int64_t> read_clock(const Json& json, const Where& where) {
    std::vector<int64_t> out;
    for (const Json& item : read_array(json, where, kMaxStreams))
        out.push_back(read_int(item, where[out.size()], 0, 1 << 30));
    return out;
}

Buffer read_buffer(const Json& json, const Where& where) {
    Object object(json, where);
    Buffer buffer;
    buffer.id = read_int(object.need("id"), where / "id", 0, kMaxId);
    buffer.kind = read_enum<BufferKind>(object.need("kind"), where / "kind", kBufferKinds);
    buffer.bytes = read_integer(object.need("bytes"), where / "bytes");
    if (const Json* address = object.maybe("address")) {
        if (!address->is_number_unsigned()) refuse(where / "address", "must be an unsigned integer");
        buffer.address = address->get<uint64_t>();
    }
    if (const Json* data = object.maybe("data")) {
        auto bytes = base64_decode(read_string(*data, where / "data", size_t{256} << 20));
        if (!bytes) refuse(where / "data", "is not base64");
        buffer.data = std::move(*bytes);
    }
    buffer.line = read_line(object);
    object.end();
    return buffer;
}

Json buffer_json(const Buffer& buffer) {
    Json json{{"id", buffer.id},
              {"kind", kBufferKinds.at(static_cast<size_t>(buffer.kind))},
              {"bytes", buffer.bytes},
              {"address", buffer.address},
              {"line", buffer.line}};
    if (buffer.kind == BufferKind::constant)
        json["data"] = base64_encode(buffer.data.data(), buffer.data.size());
    return json;
}

Kernel read_kernel(const Json& json, const Where& where) {
    Object object(json, where);
    Kernel kernel;
    kernel.name = read_string(object.need("name"), where / "name", kMaxName);
    kernel.ttir = read_string(object.need("ttir"), where / "ttir", kMaxKernelText);
    Where options = where / "options";
    const Json& map = read_object(object.need("options"), options);
    if (map.size() > 256) refuse(options, "more than 256 options");
    for (const auto& item : map.items())
        kernel.options.emplace(item.key(), read_value(item.value(), options / item.key()));
    kernel.line = read_line(object);
    object.end();
    return kernel;
}

Json kernel_json(const Kernel& kernel) {
    Json options = Json::object();
    for (const auto& [name, value] : kernel.options) options[name] = to_json(value);
    return {{"name", kernel.name}, {"ttir", kernel.ttir}, {"options", options}, {"line", kernel.line}};
}

/// Steps of the whole plan, those inside choices included, count against one limit.
struct StepReader {
    size_t count = 0;

    std::vector<Step> list(const Json& json, const Where& where, int depth) {
        std::vector<Step> out;
        for (const Json& item : read_array(json, where, kMaxSteps))
            out.push_back(step(item, where[out.size()], depth));
        return out;
    }

    Step step(const Json& json, const Where& where, int depth) {
        if (++count > kMaxSteps) refuse(where, "more than " + std::to_string(kMaxSteps) + " steps");
        if (depth > 2) refuse(where, "choices inside choices inside choices");
        Object object(json, where);
        Step step;
        step.phase = read_enum<Phase>(object.need("phase"), where / "phase", kPhases);
        const std::string& kind = read_string(object.need("kind"), where / "kind", 32);
        if (kind == "aten")
            step.what = aten(object);
        else if (kind == "launch")
            step.what = launch(object);
        else if (kind == "choice")
            step.what = choice(object, depth);
        else if (kind == "free")
            step.what = FreeStep{read_int(object.need("buffer"), where / "buffer", 0, kMaxId)};
        else if (kind == "read")
            step.what = host_read(object);
        else
            refuse(where / "kind", "unknown kind of step \"" + kind + "\"");
        step.line = read_line(object);
        if (const Json* stream = object.maybe("stream"))
            step.stream = read_int(*stream, where / "stream", 0, kMaxStreams - 1);
        if (const Json* behind = object.maybe("behind")) step.behind = read_clock(*behind, where / "behind");
        object.end();
        return step;
    }

    static AtenStep aten(Object& object) {
        const Where& where = object.where();
        AtenStep step;
        step.op = read_string(object.need("op"), where / "op", 256);
        step.args = read_values(object.need("args"), where / "args");
        if (const Json* kwargs = object.maybe("kwargs"))
            for (const auto& item : read_object(*kwargs, where / "kwargs").items())
                step.kwargs.emplace_back(item.key(), read_value(item.value(), where / "kwargs" / item.key()));
        if (const Json* result = object.maybe("result")) step.result = read_value(*result, where / "result");
        if (const Json* draw = object.maybe("draw")) step.draw = read_int(*draw, where / "draw", -1, 1 << 30);
        return step;
    }

    static LaunchStep launch(Object& object) {
        const Where& where = object.where();
        LaunchStep step;
        step.kernel = read_int(object.need("kernel"), where / "kernel", 0, static_cast<int>(kMaxKernels));
        Where grid = where / "grid";
        const Json& sizes = read_array(object.need("grid"), grid, 3);
        if (sizes.size() != 3) refuse(grid, "must have 3 items");
        for (size_t i = 0; i < 3; ++i) step.grid[i] = read_integer(sizes[i], grid[i]);
        step.args = read_values(object.need("args"), where / "args");
        return step;
    }

    ChoiceStep choice(Object& object, int depth) {
        Where where = object.where() / "alternatives";
        ChoiceStep step;
        for (const Json& item : read_array(object.need("alternatives"), where, 10000)) {
            Where here = where[step.alternatives.size()];
            Object alternative(item, here);
            Alternative made;
            made.config = read_string(alternative.need("config"), here / "config", kMaxName);
            made.steps = list(alternative.need("steps"), here / "steps", depth + 1);
            alternative.end();
            step.alternatives.push_back(std::move(made));
        }
        if (const Json* benchmark = object.maybe("benchmark"))
            step.benchmark = list(*benchmark, object.where() / "benchmark", depth + 1);
        return step;
    }

    static ReadStep host_read(Object& object) {
        const Where& where = object.where();
        ReadStep step;
        step.tensor = read_tensor(object.need("tensor"), where / "tensor");
        Where values = where / "values";
        for (const Json& item : read_array(object.need("values"), values, 65536))
            step.values.push_back(read_integer(item, values[step.values.size()]));
        return step;
    }
};

Json values_json(const List& list) {
    return to_json(Value{Sequence{list, false}});
}

Json steps_json(const std::vector<Step>& steps);

struct StepWriter {
    Json operator()(const AtenStep& step) const {
        Json kwargs = Json::object();
        for (const auto& [name, value] : step.kwargs) kwargs[name] = to_json(value);
        Json json{{"kind", "aten"},
                  {"op", step.op},
                  {"args", values_json(step.args)},
                  {"kwargs", kwargs},
                  {"result", to_json(step.result)}};
        if (step.draw >= 0) json["draw"] = step.draw;
        return json;
    }
    Json operator()(const LaunchStep& step) const {
        return {{"kind", "launch"},
                {"kernel", step.kernel},
                {"grid", step.grid},
                {"args", values_json(step.args)}};
    }
    Json operator()(const ChoiceStep& step) const {
        Json alternatives = Json::array();
        for (const Alternative& alternative : step.alternatives)
            alternatives.push_back(
                {{"config", alternative.config}, {"steps", steps_json(alternative.steps)}});
        Json json{{"kind", "choice"}, {"alternatives", alternatives}};
        if (!step.benchmark.empty()) json["benchmark"] = steps_json(step.benchmark);
        return json;
    }
    Json operator()(const FreeStep& step) const { return {{"kind", "free"}, {"buffer", step.buffer}}; }
    Json operator()(const ReadStep& step) const {
        return {{"kind", "read"}, {"tensor", tensor_json(step.tensor)}, {"values", step.values}};
    }
};

Json steps_json(const std::vector<Step>& steps) {
    Json out = Json::array();
    for (const Step& step : steps) {
        Json json = std::visit(StepWriter{}, step.what);
        json["phase"] = kPhases.at(static_cast<size_t>(step.phase));
        json["line"] = step.line;
        if (step.stream != 0) json["stream"] = step.stream;
        if (!step.behind.empty()) json["behind"] = step.behind;
        out.push_back(std::move(json));
    }
    return out;
}

Weight read_weight(const Json& json, const Where& where) {
    Object object(json, where);
    Weight weight;
    weight.name = read_string(object.need("name"), where / "name", kMaxName);
    weight.tensor = read_tensor(object.need("tensor"), where / "tensor");
    weight.parameter = read_bool(object.need("parameter"), where / "parameter");
    if (const Json* persistent = object.maybe("persistent"))
        weight.persistent = read_bool(*persistent, where / "persistent");
    object.end();
    return weight;
}

template <typename Item>
std::vector<Item> read_items(Object& object, const char* key, size_t max_items, bool needed,
                             Item (*read)(const Json&, const Where&)) {
    std::vector<Item> out;
    const Json* list = needed ? &object.need(key) : object.maybe(key);
    if (!list) return out;
    Where where = object.where() / key;
    for (const Json& item : read_array(*list, where, max_items)) out.push_back(read(item, where[out.size()]));
    return out;
}

std::string read_warning(const Json& json, const Where& where) {
    return read_string(json, where, kMaxName);
}

}  // namespace

Plan from_json_unchecked(const Json& json) {
    Where root("");
    Object object(json, root);
    Plan plan;
    plan.version = read_int(object.need("version"), root / "version", 1, 1);
    plan.role = read_string(object.need("role"), root / "role", 32);
    plan.device = read_string(object.need("device"), root / "device", 32);
    plan.target = read_string(object.need("target"), root / "target", 32);
    plan.buffers = read_items<Buffer>(object, "buffers", kMaxBuffers, true, read_buffer);
    plan.kernels = read_items<Kernel>(object, "kernels", kMaxKernels, true, read_kernel);
    plan.steps = StepReader{}.list(object.need("steps"), root / "steps", 0);
    plan.weights = read_items<Weight>(object, "weights", kMaxBuffers, false, read_weight);
    if (const Json* inputs = object.maybe("inputs")) plan.inputs = read_values(*inputs, root / "inputs");
    if (const Json* inputs = object.maybe("init_inputs"))
        plan.init_inputs = read_values(*inputs, root / "init_inputs");
    if (const Json* constants = object.maybe("constants"))
        for (const auto& item : read_object(*constants, root / "constants").items())
            plan.constants[item.key()] = read_integer(item.value(), root / "constants" / item.key());
    if (const Json* output = object.maybe("output")) plan.output = read_value(*output, root / "output");
    if (const Json* count = object.maybe("configurations"))
        plan.configurations = read_int(*count, root / "configurations", 0, 10000);
    plan.later_calls = read_items<int64_t>(
        object, "later_calls", 8, false,
        [](const Json& call, const Where& where) { return int64_t{read_int(call, where, 2, 64)}; });
    if (const Json* kept = object.maybe("keeps_size"))
        plan.keeps_size = read_bool(*kept, root / "keeps_size");
    if (const Json* clock = object.maybe("ends_behind"))
        plan.ends_behind = read_clock(*clock, root / "ends_behind");
    plan.warnings = read_items<std::string>(object, "warnings", 10000, false, read_warning);
    object.end();
    return plan;
}

Plan from_json(const Json& json) {
    Plan plan = from_json_unchecked(json);
    if (auto finding = validate(plan)) throw InputError("plan: " + finding->message);
    return plan;
}

Json to_json(const Plan& plan) {
    Json buffers = Json::array(), kernels = Json::array(), weights = Json::array();
    for (const Buffer& buffer : plan.buffers) buffers.push_back(buffer_json(buffer));
    for (const Kernel& kernel : plan.kernels) kernels.push_back(kernel_json(kernel));
    for (const Weight& weight : plan.weights)
        weights.push_back({{"name", weight.name},
                           {"tensor", tensor_json(weight.tensor)},
                           {"parameter", weight.parameter},
                           {"persistent", weight.persistent}});
    Json constants = Json::object();
    for (const auto& [name, value] : plan.constants) constants[name] = value;
    return {{"version", plan.version},
            {"role", plan.role},
            {"device", plan.device},
            {"target", plan.target},
            {"buffers", buffers},
            {"kernels", kernels},
            {"steps", steps_json(plan.steps)},
            {"weights", weights},
            {"inputs", values_json(plan.inputs)},
            {"init_inputs", values_json(plan.init_inputs)},
            {"constants", constants},
            {"output", to_json(plan.output)},
            {"configurations", plan.configurations},
            {"later_calls", plan.later_calls},
            {"keeps_size", plan.keeps_size},
            {"ends_behind", plan.ends_behind},
            {"warnings", plan.warnings}};
}

}  // namespace tritonsmith::plan
