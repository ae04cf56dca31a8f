// A candidate's text: rules, facts and normal form. Renaming nothing must change nothing.
#include "fuzz.h"
#include "lint/lint.h"

using namespace tritonsmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const lint::Report report = lint::lint(text, {true});
    for (const lint::Diagnostic& d : report.diagnostics)
        fuzz::require(!d.rule.empty() && !d.message.empty() && d.line >= 0, "a diagnostic without words");
    const lint::Report again = lint::lint(text, {true});
    fuzz::require(report.normal_form == again.normal_form, "another normal form at the second look");
    fuzz::require(report.parses == lint::lint(text).parses, "the normal form changes what parses");
    return 0;
}
