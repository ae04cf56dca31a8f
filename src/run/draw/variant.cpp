#include "run/draw/variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tritonsmith::run {

namespace {

const char* name(Variant::Pattern pattern) {
    switch (pattern) {
        case Variant::Pattern::rows:
            return "rows";
        case Variant::Pattern::columns:
            return "columns";
        case Variant::Pattern::fading:
            return "fading rows";
        case Variant::Pattern::none:
            break;
    }
    return "none";
}

/// The floating draws that keep to their law, as people count them.
std::string kept_ones(const Variant& v) {
    if (v.kept.empty()) return "";
    std::vector<int> from_one;
    for (const int rank : v.kept) from_one.push_back(rank + 1);
    return fmt::format(", floating input {} within its law's range", fmt::join(from_one, ", "));
}

const char* name(Variant::Constants constants) {
    switch (constants) {
        case Variant::Constants::near:
            return " near their values";
        case Variant::Constants::anywhere:
            return ", first places and signs included";
        case Variant::Constants::empty:
            return ", rows, lengths and segments may be empty";
        case Variant::Constants::kept:
        case Variant::Constants::all:
            break;
    }
    return "";
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
            {"named", v.named},
            {"met", v.met},
            {"by_rows", v.by_rows},
            {"everywhere", v.everywhere},
            {"inputs", v.inputs},
            {"ends", v.ends},
            {"kept", v.kept},
            {"whole", static_cast<int>(v.whole)},
            {"alike", static_cast<int>(v.alike)},
            {"apart", v.apart},
            {"weights", static_cast<int>(v.weights)},
            {"turn", v.turn},
            {"planted", v.planted}};
}

Variant variant_from_json(const Json& json) {
    Variant out{json.at("sign").get<double>(), json.at("scale").get<double>(),
                json.at("offset").get<double>()};
    const auto pattern = json.at("pattern").get<std::string>();
    for (const auto each : {Variant::Pattern::rows, Variant::Pattern::columns, Variant::Pattern::fading})
        if (pattern == name(each)) out.pattern = each;
    out.reach = json.at("reach").get<int>();
    out.bounded = json.at("bounded").get<bool>();
    out.extremes = json.at("extremes").get<bool>();
    out.guards = json.at("guards").get<std::vector<double>>();
    out.exponentials = json.at("exponentials").get<bool>();
    out.ties = json.at("ties").get<bool>();
    out.lines = json.at("lines").get<bool>();
    out.constants = static_cast<Variant::Constants>(std::clamp(json.value("constants", 0), 0, 4));
    out.named = json.value("named", std::vector<std::vector<double>>{});
    out.met = json.value("met", std::vector<std::vector<int64_t>>{});
    out.by_rows = json.value("by_rows", false);
    out.everywhere = json.value("everywhere", false);
    out.inputs = json.value("inputs", std::vector<int64_t>{});
    out.planted = json.at("planted").get<std::vector<double>>();
    out.patterns = json.value("patterns", true);
    out.nonfinite = static_cast<Variant::Nonfinite>(std::clamp(json.value("nonfinite", 0), 0, 3));
    out.ends = json.value("ends", false);
    out.kept = json.value("kept", std::vector<int>{});
    out.whole = static_cast<Variant::Whole>(std::clamp(json.value("whole", 0), 0, 2));
    out.alike = static_cast<Variant::Alike>(std::clamp(json.value("alike", 0), 0, 2));
    out.apart = json.value("apart", false);
    out.weights = static_cast<Variant::Weights>(std::clamp(json.value("weights", 0), 0, 2));
    out.turn = json.value("turn", 0);
    return out;
}

std::string describe(const Variant& v) {
    const char* alone = v.lines ? "" : ", in no row alone";
    if (!v.planted.empty()) return "numbers that the kernels compare with";
    if (v.by_rows) return "rows of weights among those of inputs";
    if (!v.named.empty() && v.everywhere) return "nothing but numbers that the reference looks for";
    if (!v.named.empty())
        return fmt::format("numbers that the reference looks for{}{}",
                           v.inputs.size() > 1 ? ", in all inputs" : "", alone);
    if (v.nonfinite == Variant::Nonfinite::any)
        return fmt::format("NaN and infinities among the inputs{}", alone);
    if (v.nonfinite == Variant::Nonfinite::nan) return fmt::format("NaN among the inputs{}", alone);
    if (v.nonfinite == Variant::Nonfinite::infinite) return "infinities among the inputs";
    if (v.constants != Variant::Constants::kept)
        return fmt::format("inputs that the task makes constant are drawn{}{}", name(v.constants),
                           v.patterns ? "" : ", flags and patterns excepted");
    if (v.whole != Variant::Whole::drawn)
        return fmt::format("all integers of an input {}{}",
                           v.whole == Variant::Whole::one ? "are one value" : "are two values",
                           !v.lines                         ? ""
                           : v.whole == Variant::Whole::one ? ", no flag is set"
                                                            : ", all flags are set");
    if (v.alike != Variant::Alike::none)
        return fmt::format("inputs of one kind hold the same{}",
                           v.alike == Variant::Alike::lines ? " in some rows" : "");
    if (v.apart) return "inputs that the task says twice are drawn apart";
    if (v.weights != Variant::Weights::near)
        return fmt::format("weights of very different sizes{}",
                           v.weights == Variant::Weights::far ? " and signs" : "");
    std::string text = fmt::format("sign {} scale {} offset {}", v.sign, v.scale, v.offset);
    if (v.pattern == Variant::Pattern::none) return text + kept_ones(v);
    text = name(v.pattern);
    if (v.bounded) text += " within the law's range";
    if (v.ends) text += " and at its ends";
    if (!v.extremes) text += " without zeros";
    if (!v.ties) text += " without ties";
    if (!v.lines) text += " without rows of equal integers or flags";
    return text + kept_ones(v);
}

}  // namespace tritonsmith::run
