#include "forge/families/flat.h"

#include <fmt/format.h>

namespace tritonsmith::forge {

Launch flat_kernel(Context& context, const Field& field, const std::string& name,
                   const std::string& docstring, const std::string& total, int term,
                   const std::function<void(Kernel&, FieldWriter&, const Space&, const Code&)>& store) {
    Launch launch;
    Kernel& kernel = launch.kernel;
    kernel.name = name;
    kernel.docstring = docstring;
    kernel.metas = {{"BLOCK", std::to_string(context.choices.get(name + ".block", 1024))}};
    for (const char* word : {"offset", "inside", "total"}) kernel.taken.insert(word);
    FieldWriter writer(context, field, kernel);
    const bool wide = context.choices.get(name + ".wide", field.extents[0] >= (int64_t{1} << 31)) != 0;
    kernel.body.add(fmt::format("offset = tl.program_id(0){} * BLOCK + tl.arange(0, BLOCK)",
                                wide ? ".to(tl.int64)" : ""));
    kernel.body.add("inside = offset < total");
    const Space space{{{"offset"}, field.extents}, {"inside"}};
    writer.plan({term});
    const Code code = writer.write(term, space);
    store(kernel, writer, space, code);
    size_parameter(context, kernel, "total", total);
    kernel.grid = {fmt::format("triton.cdiv({}, {})", total, kernel.metas[0].value)};
    return launch;
}

}  // namespace tritonsmith::forge
