#include "data/synth/style.h"

#include "data/synth/words.h"

namespace tritonsmith::data {

Style Style::draw(Random& r) {
    Style out;
    out.naming = static_cast<Naming>(r.weighted({35, 35, 12, 18}));
    out.inlined = r.of(std::vector<double>{0, 0.3, 0.6, 0.9});
    out.hints = r.chance(0.4);
    out.old_super = r.chance(0.35);
    out.from_torch = r.chance(0.2);
    out.spelled = r.chance(0.25);
    out.upper = r.chance(0.25);
    out.literals = r.chance(0.12);
    out.constants_first = r.chance(0.5);
    out.defaults = r.chance(0.25);
    out.other_constants = r.chance(0.2);
    out.stored = r.of(std::vector<double>{0, 0, 0.3, 1});
    out.stepwise_inputs = r.chance(0.4);
    out.shapes = static_cast<Shapes>(r.weighted({58, 14, 5, 3, 8, 12}));
    out.module_cast = r.chance(0.5);
    out.comments = r.of(std::vector<double>{0, 0, 0, 0.1, 0.4});
    out.prose = r.of(std::vector<double>{0, 0.3, 0.8});
    out.docs = static_cast<int>(r.weighted({36, 26, 20, 18}));
    out.body = static_cast<Body>(r.weighted({80, 10, 10}));
    if (r.chance(0.45))
        out.entry = r.of({"Net", "FusedOp", "MyModule", "Encoder", "Operator", "CustomModule", "Head",
                          "Stage", "Kernel", "FusedBlock", "Module", "SmallNet", "Reference", "Transform",
                          "Fused", "Part", "Unit"});
    if (r.chance(0.12)) out.entry = class_name(drawn_name(r));
    out.name = out.body == Body::method     ? "helper method"
               : out.body == Body::function ? "function"
               : out.entry == "Model"       ? "Model file"
                                            : "named module";
    return out;
}

}  // namespace tritonsmith::data
