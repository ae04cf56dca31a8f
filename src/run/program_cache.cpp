#include "run/program_cache.h"

#include "ttir/parse/parser.h"

namespace tritonsmith::run {
namespace {

constexpr size_t kMaxTextBytes = size_t{64} << 20;

}  // namespace

std::variant<ProgramCache::Entry, Finding> ProgramCache::get(const plan::Kernel& kernel) {
    if (auto found = entries_.find(kernel.ttir); found != entries_.end()) return found->second;
    try {
        Entry entry;
        entry.module = std::make_shared<const ttir::Module>(ttir::parse(kernel.ttir));
        entry.program = std::make_shared<const ttir::Program>(entry.module);
        if (text_bytes_ + kernel.ttir.size() > kMaxTextBytes) {
            entries_.clear();
            text_bytes_ = 0;
        }
        text_bytes_ += kernel.ttir.size();
        return entries_.emplace(kernel.ttir, std::move(entry)).first->second;
    } catch (const ttir::ParseError& wrong) {
        return Finding{
            "invalid_ttir", "kernel '" + kernel.name + "': " + wrong.what(), kernel.line,
            Json{{"kernel", kernel.name}, {"ttir_line", wrong.line}, {"ttir_column", wrong.column}}};
    }
}

}  // namespace tritonsmith::run
