#include "forge/families/family.h"

namespace tritonsmith::forge {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"library", write_library},
        {"recurrent", write_recurrent},
        {"concatenation", write_concatenation},
        {"attention", write_attention},
        {"contraction", write_contraction},
        {"rows", write_rows},
        {"scan", write_scan},
        {"sort", write_sort},
        {"scatter", write_scatter},
        {"elementwise", write_elementwise},
    };
    return all;
}

}  // namespace tritonsmith::forge
