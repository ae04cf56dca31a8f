#include "model/weights/quantised_files.h"

namespace tritonsmith::model {
namespace {

bool int8_rows(const Json& group) {
    if (!group.is_object() || group.value("targets", Json()) != Json::array({"Linear"})) return false;
    if (!group.value("input_activations", Json()).is_null()) return false;
    const Json weights = group.value("weights", Json());
    return weights.is_object() && weights.value("num_bits", Json()) == 8 &&
           weights.value("type", Json()) == "int" && weights.value("symmetric", Json()) == true &&
           weights.value("strategy", Json()) == "channel";
}

}  // namespace

std::string scales_name(const std::string& tensor) {
    return tensor + "_scale";
}

bool has_int8_matrices(const JsonFields& config) {
    if (!config.has("quantization_config")) return false;
    const Json& fields = config.value("quantization_config");
    if (fields.is_object() && fields.value("quant_method", Json()) == "compressed-tensors" &&
        fields.value("format", Json()) == "int-quantized" &&
        fields.value("ignore", Json()) == Json::array({"lm_head"})) {
        const Json groups = fields.value("config_groups", Json());
        if (groups.is_object() && groups.size() == 1 && int8_rows(groups.front())) return true;
    }
    config.wrong(
        "quantization_config: of quantised weights only int8 with a scale for each row is supported "
        "(compressed-tensors, int-quantized, without the head): use the model in bfloat16, float16 or "
        "float32");
}

Json int8_quantization_config() {
    const Json weights = {
        {"num_bits", 8},    {"type", "int"},         {"symmetric", true},         {"strategy", "channel"},
        {"dynamic", false}, {"group_size", nullptr}, {"block_structure", nullptr}};
    const Json group = {{"targets", {"Linear"}},
                        {"weights", weights},
                        {"input_activations", nullptr},
                        {"output_activations", nullptr}};
    return {{"quant_method", "compressed-tensors"},
            {"format", "int-quantized"},
            {"quantization_status", "compressed"},
            {"config_groups", {{"group_0", group}}},
            {"ignore", {"lm_head"}},
            {"kv_cache_scheme", nullptr}};
}

}  // namespace tritonsmith::model
