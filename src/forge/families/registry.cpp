#include "forge/families/family.h"

namespace tritonsmith::forge {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"recurrent", write_recurrent},
        {"concatenation", write_concatenation},
        {"contraction", write_contraction},
        {"rows", write_rows},
        {"scan", write_scan},
        {"elementwise", write_elementwise},
    };
    return all;
}

}  // namespace tritonsmith::forge
