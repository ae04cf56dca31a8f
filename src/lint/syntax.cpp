#include "lint/syntax.h"

#include <algorithm>

#include "base/text.h"

namespace tritonsmith::lint {
namespace {

constexpr size_t kMaxErrors = 5;

class ErrorFinder {
  public:
    ErrorFinder(const Tree& tree, Report& report) : tree_(tree), report_(report) {}

    bool enter(TSNode node, Kind, Kind) {
        if (found_ >= kMaxErrors || !ts_node_has_error(node)) return false;
        if (ts_node_is_missing(node)) {
            add("expected '" + std::string(ts_node_type(node)) + "'", node);
        } else if (ts_node_is_error(node)) {
            std::string_view text = tree_.text(node);
            text = cut(text, std::min<size_t>(text.find('\n'), 40));
            add(text.empty() ? "unexpected end of the text"
                             : "cannot be read as Python: '" + std::string(text) + "'",
                node);
            return false;
        }
        return true;
    }
    void leave(Kind) {}

  private:
    void add(std::string message, TSNode node) {
        TSPoint point = ts_node_start_point(node);
        int line = static_cast<int>(point.row) + 1;
        if (line == last_line_) return;
        last_line_ = line;
        ++found_;
        report_.diagnostics.push_back(
            {"syntax_error", std::move(message), line, static_cast<int>(point.column) + 1});
    }

    const Tree& tree_;
    Report& report_;
    size_t found_ = 0;
    int last_line_ = 0;
};

void add_all(const std::vector<Place>& places, std::string_view message, Report& report) {
    for (size_t i = 0; i < std::min(places.size(), kMaxErrors); ++i)
        report.diagnostics.push_back(
            {"syntax_error", std::string(message), places[i].line, places[i].column});
}

}  // namespace

void check_syntax(const Tree& tree, const Facts& facts, Report& report) {
    if (ts_node_has_error(tree.root())) {
        ErrorFinder finder(tree, report);
        walk(tree.root(), finder);
    }
    add_all(facts.old_statements, "a statement of Python 2", report);
    add_all(facts.bad_indents, "indentation differs from the block's", report);
    add_all(facts.empty_blocks, "a block without statements: is the next line indented?", report);
    add_all(facts.joined, "a second statement on one line needs ';' before it", report);
    add_all(facts.keywords, "a keyword where a name is expected", report);
    add_all(facts.stray_returns, "'return' outside a function", report);
    size_t nul = tree.source().find('\0');
    if (nul != std::string_view::npos) {
        int line = 1 + static_cast<int>(std::count(tree.source().begin(),
                                                   tree.source().begin() + static_cast<long>(nul), '\n'));
        report.diagnostics.push_back({"syntax_error", "the text holds a NUL byte", line, 0});
    }
    report.parses = report.diagnostics.empty();
}

}  // namespace tritonsmith::lint
