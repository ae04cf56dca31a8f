#include "run/draw/variant.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonsmith::run {

namespace {

const char* name(Variant::Pattern pattern) {
    switch (pattern) {
        case Variant::Pattern::rows:
            return "rows";
        case Variant::Pattern::columns:
            return "columns";
        case Variant::Pattern::none:
            break;
    }
    return "none";
}

}  // namespace

Json variant_json(const Variant& v) {
    return {{"sign", v.sign},
            {"scale", v.scale},
            {"offset", v.offset},
            {"pattern", name(v.pattern)},
            {"reach", v.reach},
            {"bounded", v.bounded},
            {"extremes", v.extremes},
            {"guards", v.guards},
            {"exponentials", v.exponentials},
            {"ties", v.ties},
            {"lines", v.lines},
            {"constants", static_cast<int>(v.constants)},
            {"patterns", v.patterns},
            {"nonfinite", static_cast<int>(v.nonfinite)},
            {"planted", v.planted}};
}

Variant variant_from_json(const Json& json) {
    Variant out{json.at("sign").get<double>(), json.at("scale").get<double>(),
                json.at("offset").get<double>()};
    const auto pattern = json.at("pattern").get<std::string>();
    for (const auto each : {Variant::Pattern::rows, Variant::Pattern::columns})
        if (pattern == name(each)) out.pattern = each;
    out.reach = json.at("reach").get<int>();
    out.bounded = json.at("bounded").get<bool>();
    out.extremes = json.at("extremes").get<bool>();
    out.guards = json.at("guards").get<std::vector<double>>();
    out.exponentials = json.at("exponentials").get<bool>();
    out.ties = json.at("ties").get<bool>();
    out.lines = json.at("lines").get<bool>();
    out.constants = static_cast<Variant::Constants>(std::clamp(json.value("constants", 0), 0, 2));
    out.planted = json.at("planted").get<std::vector<double>>();
    out.patterns = json.value("patterns", true);
    out.nonfinite = static_cast<Variant::Nonfinite>(std::clamp(json.value("nonfinite", 0), 0, 3));
    return out;
}

std::string describe(const Variant& v) {
    if (!v.planted.empty()) return "numbers that the kernels compare with";
    if (v.nonfinite == Variant::Nonfinite::any) return "NaN and infinities among the inputs";
    if (v.nonfinite == Variant::Nonfinite::nan) return "NaN among the inputs";
    if (v.nonfinite == Variant::Nonfinite::infinite) return "infinities among the inputs";
    if (v.constants != Variant::Constants::kept)
        return fmt::format("inputs that the task makes constant are drawn{}{}",
                           v.constants == Variant::Constants::near ? " near their values" : "",
                           v.patterns ? "" : ", flags and patterns excepted");
    std::string text = fmt::format("sign {} scale {} offset {}", v.sign, v.scale, v.offset);
    if (v.pattern == Variant::Pattern::none) return text;
    text = name(v.pattern);
    if (v.bounded) text += " within the law's range";
    if (!v.extremes) text += " without zeros";
    if (!v.ties) text += " without ties";
    if (!v.lines) text += " without rows of equal integers or flags";
    return text;
}

}  // namespace tritonsmith::run
