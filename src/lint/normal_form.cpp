#include "lint/normal_form.h"

#include <cctype>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tritonsmith::lint {
namespace {

struct Scope {
    int parent = -1;
    bool of_class = false;
    std::unordered_map<std::string_view, int> numbers{};  ///< names defined here; -1 until they appear
    std::unordered_map<std::string_view, std::string> imports{};  ///< names that stand for a full path
    int next = 0;
};

/// One token of the normal form before names are replaced: `text` as it stands, unless `kind` says otherwise.
struct Token {
    enum class What : uint8_t { Verbatim, Name, Attribute, Keyword } what;
    std::string_view text;
    int scope;
};

/// First pass: writes down the tokens, and what each scope defines.
class Tokenizer {
  public:
    explicit Tokenizer(const Tree& tree) : tree_(tree), f_(fields()) { scopes_.push_back({}); }

    bool enter(TSNode node, Kind kind, Kind parent) {
        ++depth_;
        switch (kind) {
            case Kind::Comment:
            case Kind::LineContinuation:
            case Kind::Import:
            case Kind::ImportFrom:
            case Kind::FutureImport:
                return note_import(node, kind);
            case Kind::ExpressionStatement:
                if (ts_node_named_child_count(node) == 1 && is_text(named_child(node, 0)))
                    return false;  // a docstring
                break;
            case Kind::Type:
                return enter_type(node);
            case Kind::Number:
                return emit("#");
            case Kind::String:
                if (parent == Kind::ConcatenatedString) return false;
                return emit("$");
            case Kind::ConcatenatedString:
                emit("$");
                return false;
            case Kind::Block:
                emit("{");
                break;
            case Kind::Function:
                return open_scope(node, kind);
            case Kind::Class:
                return open_scope(node, kind);
            case Kind::Lambda:
                return open_scope(node, kind);
            case Kind::Identifier:
                return note_identifier(node, parent);
            case Kind::Assignment:
                define_targets(child(node, f_.left));
                break;
            case Kind::AugmentedAssignment:
                define_targets(child(node, f_.left));
                break;
            case Kind::For:
            case Kind::ForIn:
                define_targets(child(node, f_.left));
                break;
            case Kind::NamedExpression:
                define_targets(child(node, f_.name));
                break;
            case Kind::AsTarget:
                define_targets(named_child(node, 0));
                break;
            default:
                if (ts_node_child_count(node) == 0) return leaf(node, kind, parent);
        }
        return true;
    }

    void leave(Kind kind) {
        if (!open_.empty() && open_.back().first == depth_) {
            scope_ = open_.back().second;
            open_.pop_back();
        }
        if (kind == Kind::Block) emit("}");
        if (is_statement_end(kind)) emit(";");
        --depth_;
    }

    std::string write();

  private:
    static bool is_text(TSNode node) {
        return is_kind(node, Kind::String) || is_kind(node, Kind::ConcatenatedString);
    }

    static bool is_statement_end(Kind kind) {
        return kind == Kind::ExpressionStatement || kind == Kind::Return || kind == Kind::Pass ||
               kind == Kind::Raise || kind == Kind::Global || kind == Kind::Decorator;
    }

    bool emit(std::string_view text) {
        // Statements that left nothing leave no semicolon either.
        bool empty =
            text == ";" && (tokens_.empty() || tokens_.back().text == ";" || tokens_.back().text == "{");
        if (!empty) tokens_.push_back({Token::What::Verbatim, text, scope_});
        return false;
    }

    bool leaf(TSNode node, Kind kind, Kind parent) {
        if (kind == Kind::Semicolon) return false;
        std::string_view text = tree_.text(node);
        // A comma before a closing bracket is layout, but for the one that makes a tuple.
        if (kind == Kind::Close && parent != Kind::Tuple && !tokens_.empty() && tokens_.back().text == ",")
            tokens_.pop_back();
        if (text.empty()) return false;
        return emit(text);
    }

    /// Only `constexpr` changes what a kernel is.
    bool enter_type(TSNode node) {
        if (tree_.text(node).ends_with("constexpr"))
            emit("constexpr");
        else if (!tokens_.empty() && (tokens_.back().text == ":" || tokens_.back().text == "->"))
            tokens_.pop_back();
        return false;
    }

    Scope& here() { return scopes_[static_cast<size_t>(scope_)]; }

    void define(std::string_view name) { here().numbers.emplace(name, -1); }

    void define_targets(TSNode target) {
        if (ts_node_is_null(target)) return;
        if (is_kind(target, Kind::Identifier)) return define(tree_.text(target));
        if (is_kind(target, Kind::Attribute)) {
            if (tree_.text(child(target, f_.object)) == "self")
                attributes_.emplace(tree_.text(child(target, f_.attribute)), -1);
            return;
        }
        if (!is_kind(target, Kind::Pattern) && !is_kind(target, Kind::Parenthesized)) return;
        if (targets_ > 64) return;  // hostile nesting
        ++targets_;
        for (uint32_t i = 0; i < named_children(target); ++i) define_targets(named_child(target, i));
        --targets_;
    }

    bool open_scope(TSNode node, Kind kind) {
        std::string_view name = tree_.text(child(node, f_.name));
        bool method = here().of_class;
        if (kind != Kind::Lambda && !method) define(name);
        if (method && !name.starts_with("__") && name != "forward" && name != "backward")
            attributes_.emplace(name, -1);
        open_.emplace_back(depth_, scope_);
        name_scope_ = scope_;
        name_node_ = child(node, f_.name);
        scopes_.push_back({scope_, kind == Kind::Class});
        scope_ = static_cast<int>(scopes_.size()) - 1;
        define_parameters(child(node, f_.parameters));
        return true;
    }

    void define_parameters(TSNode parameters) {
        for (uint32_t i = 0; i < named_children(parameters); ++i) {
            TSNode parameter = named_child(parameters, i);
            TSNode name = child(parameter, f_.name);
            // A plain name, a typed one (its first child), a default (its name), or a splat.
            for (int step = 0; step < 3 && ts_node_is_null(name); ++step) {
                if (is_kind(parameter, Kind::Identifier))
                    name = parameter;
                else
                    parameter = named_child(parameter, 0);
            }
            if (is_kind(name, Kind::Identifier)) {
                define(tree_.text(name));
                parameters_.insert(tree_.text(name));
            }
        }
    }

    bool note_import(TSNode node, Kind kind) {
        if (kind != Kind::Import && kind != Kind::ImportFrom) return false;
        TSNode module_node = child(node, f_.module_name);
        std::string module(tree_.text(module_node));
        for (uint32_t i = 0; i < named_children(node); ++i) {
            TSNode item = named_child(node, i);
            if (!ts_node_is_null(module_node) && ts_node_eq(item, module_node)) continue;
            bool aliased = is_kind(item, Kind::AliasedImport);
            if (!aliased && !is_kind(item, Kind::DottedName)) continue;
            std::string_view name = tree_.text(aliased ? child(item, f_.name) : item);
            std::string_view bound = aliased ? tree_.text(child(item, f_.alias)) : name;
            std::string path =
                kind == Kind::ImportFrom ? module + "." + std::string(name) : std::string(name);
            if (!aliased && kind == Kind::Import) {
                bound = name.substr(0, name.find('.'));
                path = std::string(bound);
            }
            here().imports[bound] = path;
        }
        return false;
    }

    bool note_identifier(TSNode node, Kind parent) {
        std::string_view text = tree_.text(node);
        bool is_attribute = parent == Kind::Attribute && !tokens_.empty() && tokens_.back().text == ".";
        bool first_of_keyword = parent == Kind::KeywordArgument && !tokens_.empty() &&
                                (tokens_.back().text == "(" || tokens_.back().text == ",");
        if (is_attribute)
            tokens_.push_back({Token::What::Attribute, text, scope_});
        else if (first_of_keyword)
            tokens_.push_back({Token::What::Keyword, text, scope_});
        else if (!ts_node_is_null(name_node_) && ts_node_eq(node, name_node_))
            tokens_.push_back({Token::What::Name, text, name_scope_});
        else
            tokens_.push_back({Token::What::Name, text, scope_});
        return false;
    }

    std::string name_of(const Token& token);
    std::string attribute_name(std::string_view text);
    std::string spelling(const Token& token);

    const Tree& tree_;
    const Fields& f_;
    int depth_ = 0, scope_ = 0, name_scope_ = 0, targets_ = 0;
    TSNode name_node_{};
    std::vector<Scope> scopes_;
    std::vector<std::pair<int, int>> open_;  ///< depth of an open scope, and the scope around it
    std::vector<Token> tokens_;
    std::unordered_map<std::string_view, int> attributes_;
    std::unordered_set<std::string_view> parameters_;
    int next_attribute_ = 0;
};

std::string Tokenizer::name_of(const Token& token) {
    int level = 0;
    for (int s = token.scope; s >= 0; s = scopes_[static_cast<size_t>(s)].parent) {
        Scope& scope = scopes_[static_cast<size_t>(s)];
        // The names of a class body are not visible in its methods.
        if (scope.of_class && s != token.scope) continue;
        auto found = scope.numbers.find(token.text);
        if (found != scope.numbers.end()) {
            if (found->second < 0) found->second = scope.next++;
            // Module-level names are the same wherever they are used; others count the scopes between.
            return (s == 0 ? "g" : "v" + std::string(static_cast<size_t>(level), '^')) +
                   std::to_string(found->second);
        }
        if (auto path = scope.imports.find(token.text); path != scope.imports.end()) return path->second;
        ++level;
    }
    return std::string(token.text);
}

std::string Tokenizer::attribute_name(std::string_view text) {
    auto found = attributes_.find(text);
    if (found == attributes_.end()) return std::string(text);
    if (found->second < 0) found->second = next_attribute_++;
    return "m" + std::to_string(found->second);
}

std::string Tokenizer::spelling(const Token& token) {
    bool in_class = scopes_[static_cast<size_t>(token.scope)].of_class;
    switch (token.what) {
        case Token::What::Verbatim:
            return std::string(token.text);
        case Token::What::Keyword:
            return parameters_.contains(token.text) ? "k" : std::string(token.text);
        case Token::What::Attribute:
            return attribute_name(token.text);
        case Token::What::Name:
            break;
    }
    return in_class && attributes_.contains(token.text) ? attribute_name(token.text) : name_of(token);
}

std::string Tokenizer::write() {
    auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    out.reserve(tokens_.size() * 4);
    for (const Token& token : tokens_) {
        std::string text = spelling(token);
        // A space only where two words would grow together.
        if (!out.empty() && !text.empty() && is_word(out.back()) && is_word(text.front())) out += ' ';
        out += text;
    }
    return out;
}

}  // namespace

std::string normal_form(const Tree& tree) {
    Tokenizer tokenizer(tree);
    walk(tree.root(), tokenizer);
    return tokenizer.write();
}

}  // namespace tritonsmith::lint
