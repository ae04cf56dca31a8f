#include "lint/facts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tritonsmith::lint {
namespace {

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// True for "a.b.c" without spaces, calls or subscripts in it.
bool is_dotted(std::string_view text) {
    if (text.empty() || text.front() == '.' || text.back() == '.') return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return is_name_char(c) || c == '.'; });
}

constexpr std::string_view kKeywords[] = {
    "False",   "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class",   "continue", "def",   "del",    "elif", "else",   "except", "for",      "from",
    "finally", "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",      "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

/// First letters with second letters of keywords: almost every name is told apart by one look-up.
struct KeywordStarts {
    bool at[128][128] = {};
    constexpr KeywordStarts() {
        for (std::string_view word : kKeywords)
            at[static_cast<size_t>(word[0])][static_cast<size_t>(word[1])] = true;
    }
};
constexpr KeywordStarts kStarts;

bool is_keyword(std::string_view name) {
    if (name.size() < 2 || name.size() > 8) return false;
    auto a = static_cast<unsigned char>(name[0]), b = static_cast<unsigned char>(name[1]);
    return a < 128 && b < 128 && kStarts.at[a][b] &&
           std::find(std::begin(kKeywords), std::end(kKeywords), name) != std::end(kKeywords);
}

class Gatherer {
  public:
    explicit Gatherer(const Tree& tree) : tree_(tree), f_(fields()) {
        facts_.functions.push_back({.name = "<module>"});
        facts_.uses.reserve(256);
        facts_.bindings.reserve(64);
    }

    bool enter(TSNode node, Kind kind, Kind parent) {
        ++depth_;
        if (!blocks_.empty() && blocks_.back().depth == depth_ - 1) check_indent(node, kind, parent);
        // Of a kernel only the statements are of interest: the judge interprets what they compute.
        if (kernel_depth_ >= 0 && kind != Kind::Block && kind != Kind::Function && kind != Kind::Class)
            return enter_in_kernel(node, kind);
        switch (kind) {
            case Kind::Module:
            case Kind::Block:
                blocks_.push_back({depth_, place(node)});
                return true;
            case Kind::Comment:
                return false;
            case Kind::Decorator:
                note_decorator(node);
                return true;
            case Kind::Function:
                return enter_function(node);
            case Kind::Class:
                return enter_class(node);
            case Kind::Import:
                note_import(node);
                return false;
            case Kind::ImportFrom:
                note_import_from(node);
                return false;
            case Kind::FutureImport:
                return false;
            case Kind::Return:
                if (function_ == 0) facts_.stray_returns.push_back(place(node));
                break;
            case Kind::PrintStatement:
            case Kind::ExecStatement:
                facts_.old_statements.push_back(place(node));
                break;
            case Kind::Raise:
                if (!handlers_.empty()) handlers_.back().raises = true;
                break;
            case Kind::Except:
                handlers_.push_back({depth_, place(node), false});
                break;
            case Kind::String:
                return has_interpolation(node);
            case Kind::Call:
                enter_call(node);
                break;
            case Kind::Attribute:
                return enter_attribute(node);
            case Kind::Identifier:
                enter_identifier(node);
                break;
            case Kind::At:
                if (parent == Kind::BinaryOperator) add(Use::What::Matmul, "@", node);
                break;
            case Kind::AtAssign:
                add(Use::What::Matmul, "@=", node);
                break;
            case Kind::Assignment:
                bind(child(node, f_.left), child(node, f_.right));
                break;
            case Kind::NamedExpression:
                bind(child(node, f_.name), child(node, f_.value));
                break;
            default:
                break;
        }
        return true;
    }

    void leave(Kind kind) {
        if (kind == Kind::Block && !blocks_.back().any) facts_.empty_blocks.push_back(blocks_.back().place);
        if (kind == Kind::Block || kind == Kind::Module) blocks_.pop_back();
        if (kind == Kind::Function || kind == Kind::Class) {
            if (!scopes_.empty() && scopes_.back().depth == depth_) {
                function_ = scopes_.back().function;
                class_ = scopes_.back().cls;
                scopes_.pop_back();
            }
            if (kernel_depth_ == depth_) kernel_depth_ = -1;
        }
        if (kind == Kind::Except && !handlers_.empty() && handlers_.back().depth == depth_) {
            if (!handlers_.back().raises)
                facts_.uses.push_back({Use::What::Swallow, function_, "except", handlers_.back().place, {}});
            handlers_.pop_back();
        }
        --depth_;
    }

    Facts take() { return std::move(facts_); }

  private:
    struct Scope {
        int depth, function, cls;
        bool is_class;
    };  ///< open at `depth`, and what to return to
    struct Handler {
        int depth;
        Place place;
        bool raises;
    };
    struct OpenBlock {
        int depth;
        Place place;
        std::string_view indent{};
        Kind last = Kind::Other;
        bool any = false;
    };

    static Place place(TSNode node) {
        TSPoint point = ts_node_start_point(node);
        return {static_cast<int>(point.row) + 1, static_cast<int>(point.column) + 1};
    }

    void add(Use::What what, std::string_view name, TSNode node, std::string_view argument = {}) {
        facts_.uses.push_back({what, function_, name, place(node), argument});
    }

    std::string_view keep(std::string text) { return facts_.made.emplace_back(std::move(text)); }

    static TSNode unwrap(TSNode node) {
        while (is_kind(node, Kind::Parenthesized)) node = named_child(node, 0);
        return node;
    }

    /// The dotted path of a name or attribute chain, empty for any other expression.
    std::string_view dotted(TSNode node) const {
        if (ts_node_is_null(node)) return {};
        Kind kind = kind_of(node);
        if (kind != Kind::Identifier && kind != Kind::Attribute) return {};
        std::string_view text = tree_.text(node);
        return kind == Kind::Identifier || is_dotted(text) ? text : std::string_view{};
    }

    /// The path that stands for an expression's value: "a.b", "a.b()" for a call, "a.b[]" for a subscript, or
    /// empty.
    std::string_view path(TSNode node) {
        node = unwrap(node);
        if (ts_node_is_null(node)) return {};
        switch (kind_of(node)) {
            case Kind::Identifier:
            case Kind::Attribute:
                return dotted(node);
            case Kind::NamedExpression:
                return path(child(node, f_.value));
            case Kind::Call: {
                TSNode function = unwrap(child(node, f_.function));
                if (std::string_view got = got_attribute(node); !got.empty()) return got;
                std::string_view base = dotted(function);
                return base.empty() ? base : keep(std::string(base) + "()");
            }
            case Kind::Subscript: {
                std::string_view base = dotted(child(node, f_.value));
                return base.empty() ? base : keep(std::string(base) + "[]");
            }
            default:
                return {};
        }
    }

    /// getattr(a, "b") is a.b.
    std::string_view got_attribute(TSNode call) {
        TSNode function = child(call, f_.function);
        if (!is_kind(function, Kind::Identifier) || tree_.text(function) != "getattr") return {};
        TSNode arguments = child(call, f_.arguments);
        std::string_view base = dotted(named_child(arguments, 0));
        TSNode key = named_child(arguments, 1);
        if (base.empty() || !is_kind(key, Kind::String)) return {};
        std::string_view text = tree_.text(key);
        if (text.size() < 3 || !is_dotted(text.substr(1, text.size() - 2))) return {};
        return keep(std::string(base) + "." + std::string(text.substr(1, text.size() - 2)));
    }

    bool enter_in_kernel(TSNode node, Kind kind) {
        if (kind == Kind::Identifier && is_keyword(tree_.text(node))) facts_.keywords.push_back(place(node));
        if (kind == Kind::PrintStatement || kind == Kind::ExecStatement)
            facts_.old_statements.push_back(place(node));
        return kind == Kind::Compound || kind == Kind::For || kind == Kind::Try || kind == Kind::Except ||
               kind == Kind::Decorated;
    }

    void note_decorator(TSNode node) {
        TSNode expression = named_child(node, 0);
        if (is_kind(expression, Kind::Call)) expression = child(expression, f_.function);
        decorators_.push_back(dotted(expression));
    }

    bool enter_function(TSNode node) {
        Function function{
            .name = tree_.text(child(node, f_.name)), .parent = function_, .place = place(node)};
        if (!scopes_.empty() && scopes_.back().is_class) function.owner = class_;
        function.kernel =
            std::any_of(decorators_.begin(), decorators_.end(), [&](auto name) { return is_jit(name); });
        function.trivial = is_trivial(child(node, f_.body));
        decorators_.clear();
        scopes_.push_back({depth_, function_, class_, false});
        if (function.name == "__init_subclass__") add(Use::What::Dynamic, function.name, node);
        function_ = static_cast<int>(facts_.functions.size());
        if (function.kernel && kernel_depth_ < 0) kernel_depth_ = depth_;
        facts_.functions.push_back(function);
        return true;
    }

    bool enter_class(TSNode node) {
        Class cls{.name = tree_.text(child(node, f_.name)), .bases = {}, .place = place(node)};
        TSNode bases = child(node, f_.superclasses);
        for (uint32_t i = 0; i < named_children(bases); ++i) {
            TSNode base = named_child(bases, i);
            if (is_kind(base, Kind::KeywordArgument)) {
                if (tree_.text(child(base, f_.name)) == "metaclass")
                    add(Use::What::Dynamic, "metaclass", base);
            } else if (!is_kind(base, Kind::Comment)) {
                std::string_view name = path(base);
                cls.bases.push_back(name.empty() ? std::string_view("?") : name);
            }
        }
        decorators_.clear();
        scopes_.push_back({depth_, function_, class_, true});
        class_ = static_cast<int>(facts_.classes.size());
        facts_.classes.push_back(std::move(cls));
        return true;
    }

    /// Decorators come after imports, so the bindings so far decide.
    bool is_jit(std::string_view name) const {
        for (int step = 0; step < 4; ++step) {
            if (name == "triton.jit" || name == "triton.runtime.jit" || name == "triton.runtime.jit.jit")
                return true;
            std::string_view first = name.substr(0, name.find('.'));
            auto found = std::find_if(facts_.bindings.rbegin(), facts_.bindings.rend(),
                                      [&](const Binding& b) { return b.name == first; });
            if (first.empty() || found == facts_.bindings.rend() || found->target == first) return false;
            std::string_view rest = name.substr(first.size());
            if (found->target == "triton" && rest == ".jit") return true;
            if (!rest.empty())
                return found->target == "triton.runtime" && (rest == ".jit" || rest == ".jit.jit");
            name = found->target;
        }
        return false;
    }

    bool is_trivial(TSNode body) const {
        for (uint32_t i = 0; i < named_children(body); ++i) {
            TSNode statement = named_child(body, i);
            Kind kind = kind_of(statement);
            if (kind == Kind::Return && named_children(statement) == 0) continue;
            if (kind == Kind::ExpressionStatement) kind = kind_of(named_child(statement, 0));
            if (kind != Kind::Pass && kind != Kind::Comment && kind != Kind::String && kind != Kind::Ellipsis)
                return false;
        }
        return true;
    }

    void note_import(TSNode node) {
        for (uint32_t i = 0; i < named_children(node); ++i) {
            TSNode item = named_child(node, i);
            if (is_kind(item, Kind::AliasedImport)) {
                add_binding(tree_.text(child(item, f_.alias)), tree_.text(child(item, f_.name)));
            } else if (is_kind(item, Kind::DottedName)) {
                std::string_view first = tree_.text(item).substr(0, tree_.text(item).find('.'));
                add_binding(first, first);
            }
        }
    }

    void note_import_from(TSNode node) {
        TSNode module_node = child(node, f_.module_name);
        std::string_view module = tree_.text(module_node);
        for (uint32_t i = 0; i < named_children(node); ++i) {
            TSNode item = named_child(node, i);
            if (ts_node_eq(item, module_node)) continue;
            if (is_kind(item, Kind::WildcardImport)) facts_.star_imports.push_back(module);
            bool aliased = is_kind(item, Kind::AliasedImport);
            if (!aliased && !is_kind(item, Kind::DottedName)) continue;
            std::string_view name = tree_.text(aliased ? child(item, f_.name) : item);
            add_binding(aliased ? tree_.text(child(item, f_.alias)) : name,
                        keep(std::string(module) + "." + std::string(name)));
        }
    }

    void add_binding(std::string_view name, std::string_view target) {
        facts_.bindings.push_back({function_, name, target, true});
    }

    void bind(TSNode left, TSNode right) {
        std::string_view name = dotted(left);
        if (name.empty()) return;
        skip_ = {ts_node_start_byte(left), ts_node_end_byte(left)};
        bool own = name.starts_with("self.") && name.find('.', 5) == std::string_view::npos;
        if (!own && name.find('.') != std::string_view::npos) return add(Use::What::Patch, name, left);
        std::string_view target = ts_node_is_null(right) ? std::string_view{} : path(right);
        if (!target.empty()) facts_.bindings.push_back({own ? -1 - class_ : function_, name, target, false});
    }

    void enter_call(TSNode node) {
        TSNode callee = child(node, f_.function);
        TSNode function = unwrap(callee);
        TSNode arguments = child(node, f_.arguments);
        std::string_view argument =
            is_kind(arguments, Kind::ArgumentList) ? dotted(named_child(arguments, 0)) : "";
        switch (kind_of(function)) {
            case Kind::Identifier:
            case Kind::Attribute: {
                std::string_view name = dotted(function);
                if (name.empty()) {
                    name = keep("." + std::string(tree_.text(child(function, f_.attribute))));
                } else {
                    skip_ = {ts_node_start_byte(function), ts_node_end_byte(function)};
                }
                add(Use::What::Call, name, function, argument);
                if (name == "getattr" || name == "setattr") note_getattr(node, name, arguments);
                break;
            }
            case Kind::Subscript:
                add(Use::What::Launch, path(child(function, f_.value)), function);
                break;
            default:
                if (std::string_view name = path(function); !name.empty())
                    add(Use::What::Call, name, function, argument);
        }
    }

    void note_getattr(TSNode call, std::string_view function, TSNode arguments) {
        std::string_view base = dotted(named_child(arguments, 0));
        if (function == "setattr") {
            if (!base.empty() && base != "self") add(Use::What::Patch, keep(std::string(base) + ".?"), call);
        } else if (std::string_view name = got_attribute(call); !name.empty()) {
            add(Use::What::Mention, name, call);
        } else {
            add(Use::What::Dynamic, base.empty() ? "getattr" : base, call, "getattr");
        }
    }

    /// True where the node was already noted as a callee or a target.
    bool skipped(TSNode node) const {
        return skip_.first == ts_node_start_byte(node) && skip_.second == ts_node_end_byte(node);
    }

    bool enter_attribute(TSNode node) {
        std::string_view text = dotted(node);
        if (text.empty()) return true;
        if (is_keyword(text.substr(text.rfind('.') + 1))) facts_.keywords.push_back(place(node));
        if (text.find(".__") != std::string_view::npos) note_special(text, node);
        if (!skipped(node)) add(Use::What::Mention, text, node);
        return false;
    }

    void note_special(std::string_view text, TSNode node) {
        for (std::string_view name : {".__dict__", ".__getattribute__", ".__builtins__", ".__subclasses__",
                                      ".__globals__", ".__code__"})
            if (text.find(name) != std::string_view::npos)
                return add(Use::What::Dynamic, name.substr(1), node);
    }

    void enter_identifier(TSNode node) {
        std::string_view name = tree_.text(node);
        if (is_keyword(name)) facts_.keywords.push_back(place(node));
        if (!skipped(node)) add(Use::What::Mention, name, node);
    }

    bool has_interpolation(TSNode node) const {
        for (char c : tree_.text(node).substr(0, 3)) {
            if (c == 'f' || c == 'F') return true;
            if (c == '"' || c == '\'') return false;
        }
        return false;
    }

    /// Python wants all statements of a block behind the same white space, and one on a line; tree-sitter
    /// tolerates more.
    void check_indent(TSNode node, Kind kind, Kind parent) {
        OpenBlock& block = blocks_.back();
        bool follows = std::exchange(block.last, kind) != Kind::Semicolon && block.any;
        if (kind == Kind::Comment || kind == Kind::Semicolon || !ts_node_is_named(node)) return;
        block.any = true;
        uint32_t begin = ts_node_start_byte(node);
        uint32_t column = ts_node_start_point(node).column;
        std::string_view before = tree_.source().substr(begin - column, column);
        if (!std::all_of(before.begin(), before.end(),
                         [](char c) { return c == ' ' || c == '\t' || c == '\f'; })) {
            bool continued =
                before.find_first_not_of("\f\xEF\xBB\xBF") == std::string_view::npos;  // a byte order mark
            if (follows && kind != Kind::Error && !continued) facts_.joined.push_back(place(node));
            return;
        }
        if (!block.indent.data()) {
            block.indent = before;
            if (parent == Kind::Module && !before.empty() && before.find('\f') == std::string_view::npos)
                facts_.bad_indents.push_back(place(node));
        } else if (block.indent != before) {
            facts_.bad_indents.push_back(place(node));
        }
    }

    const Tree& tree_;
    const Fields& f_;
    Facts facts_;
    int depth_ = 0, function_ = 0, class_ = -1, kernel_depth_ = -1;
    std::pair<uint32_t, uint32_t> skip_{1, 0};
    std::vector<Scope> scopes_;
    std::vector<Handler> handlers_;
    std::vector<OpenBlock> blocks_;
    std::vector<std::string_view> decorators_;
};

}  // namespace

Facts gather(const Tree& tree) {
    Gatherer gatherer(tree);
    walk(tree.root(), gatherer);
    return gatherer.take();
}

}  // namespace tritonsmith::lint
