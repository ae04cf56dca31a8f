#include "data/synth/words.h"

#include <set>
#include <sstream>
#include <vector>

namespace tritonsmith::data {
namespace {

std::vector<std::string> split(const char* text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

const std::vector<std::string>& words() {
    static const std::vector<std::string> all = split(
        "acc action active adapter affine agent alpha amount anchor angle area arr array atom attn audio aux "
        "axis back band base basis batch beam bias bin bit block blur body book bound box branch bridge "
        "buffer bulk camera cell center chan channel chunk class cloud cluster code coef coeff coil col "
        "color "
        "column conf context coord core corner count crop cross curve cycle data decay decoder deep delta "
        "depth desc detail dim dir disc dist domain dot down draft drift drop edge elem embed emission "
        "encoder energy entity entry error event expert extra face factor feat feature feed fiber field "
        "filter final fine first flag flow fold force fov frame freq front fuse gain gamma gate geo glob "
        "grad graph gram grid group guide hash head heat height hidden high hop horizon hot hub image img "
        "index infer info inner input inst item joint jump kappa kernel key kind knot label lambda_ lane "
        "large last lat latent layer leaf left length level lift light limit line link list local logit long "
        "loop loss low lower main map margin mask mass mat matrix max_len mean mem memory mesh mid mix mode "
        "model moment motion mu msg neck net new node noise norm nu num obs offset old omega op order orig "
        "out outer output pad page pair param part patch path peak phase phi phone pixel place plane point "
        "pool pos post power pre prev prior probe proj prompt proto psi pulse query queue radius random "
        "rank rate ratio raw ray rbf recon rect ref region rel res residual result rho ring root rot round "
        "route row sample scale scan scene score seg self_ sem sensor seq series shape shift short side "
        "sigma signal sim site size skip slab slice slope slot small smooth source space span spec speed "
        "spin split spot stack stage start state static_ stem step stop stream strip style sub support "
        "surface swap sym table tag tail target task tau tensor term text theta thresh tick tile time token "
        "tone top torso total trace track train_ tree trunk turn twist type_ unit upper user val value var "
        "vec velocity view visual vocab voice vol volume voxel wave weight width wind window word xi yaw "
        "zeta zone ion fox river stone cedar lemon cobalt ember quartz maple raven tulip garnet willow "
        "falcon harbor meadow copper violet onyx jade amber birch coral delphi echo flint glade");
    return all;
}

std::string abbreviated(const std::string& word, Random& r) {
    if (r.chance(0.5)) return word.substr(0, static_cast<size_t>(r.between(2, 4)));
    std::string out(1, word[0]);
    for (size_t i = 1; i < word.size(); ++i)
        if (std::string("aeiou").find(word[i]) == std::string::npos) out += word[i];
    return out;
}

std::string syllables(Random& r) {
    static const std::vector<std::string> begin =
        split("b c d f g h j k l m n p q r s t v w x z br cr dr fl gr kl pr st th tr vr zh");
    static const std::vector<std::string> middle = split("a e i o u ai ei ou ee y");
    static const std::vector<std::string> end = split("n r s t l x k m nd sh rt");
    std::string out;
    const int64_t count = r.between(1, 3);
    for (int64_t i = 0; i < count; ++i) out += r.of(begin) + r.of(middle);
    if (r.chance(0.6)) out += r.of(end);
    return out;
}

std::string camel(const std::string& name, bool first) {
    std::string out;
    bool raise = first;
    for (const char c : name) {
        if (c == '_') {
            raise = true;
            continue;
        }
        out += raise ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        raise = false;
    }
    return out;
}

std::string some(Random& r) {
    const std::string digit = std::to_string(r.chance(0.85) ? r.between(0, 9) : r.between(10, 99));
    switch (r.weighted({22, 24, 7, 9, 9, 9, 7, 7, 3, 3})) {
        case 0:
            return r.of(words());
        case 1:
            return r.of(words()) + "_" + r.of(words());
        case 2:
            return r.of(words()) + "_" + r.of(words()) + "_" + r.of(words());
        case 3:
            return std::string(1, static_cast<char>((r.chance(0.7) ? 'a' : 'A') + r.below(26)));
        case 4:
            return static_cast<char>((r.chance(0.8) ? 'a' : 'A') + r.below(26)) +
                   std::string(r.chance(0.3) ? "_" : "") + digit;
        case 5:
            return abbreviated(r.of(words()), r) + (r.chance(0.6) ? "_" + abbreviated(r.of(words()), r) : "");
        case 6:
            return r.of(words()) + (r.chance(0.4) ? "_" : "") + digit;
        case 7:
            return syllables(r) + (r.chance(0.4) ? "_" + r.of(words()) : "");
        case 8:
            return camel(r.of(words()) + "_" + r.of(words()), false);
        default:
            return std::string(r.of({"in_", "n_", "num_", "to_", "x_", "is_", "w_", "pre_", "my_"})) +
                   r.of(words());
    }
}

}  // namespace

bool reserved_name(const std::string& name) {
    static const std::set<std::string> all = [] {
        const std::vector<std::string> list = split(
            "False None True and as assert async await break class continue def del elif else except finally "
            "for from global if import in is lambda nonlocal not or pass raise return try while with yield "
            "match case self super torch nn F tl triton math len range float int bool str tuple list dict "
            "set "
            "min max sum abs any all print type object slice map iter next id hash input_ isinstance "
            "Model ModelNew get_inputs get_init_inputs compute forward T training train eval half double "
            "bfloat16 cuda cpu to apply modules children parameters buffers state_dict add_module register "
            "compile share_memory extra_repr requires_grad zero_grad dump_patches named_parameters "
            "get_buffer get_parameter get_submodule ipu xpu mtia to_empty call_super_init _compute "
            "load_state_dict named_buffers named_children named_modules register_buffer register_parameter");
        return std::set<std::string>(list.begin(), list.end());
    }();
    return all.contains(name);
}

std::string drawn_name(Random& r) {
    for (;;) {
        std::string out = some(r);
        if (!reserved_name(out)) return out;
    }
}

std::string class_name(const std::string& name) {
    return camel(name, true);
}

}  // namespace tritonsmith::data
