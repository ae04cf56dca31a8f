#include "lint/tree.h"

#include <cctype>
#include <cstring>

#include "base/processor_time.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace tritonsmith::lint {
namespace {

constexpr std::pair<const char*, Kind> kNames[] = {
    {"module", Kind::Module},
    {"block", Kind::Block},
    {"function_definition", Kind::Function},
    {"class_definition", Kind::Class},
    {"lambda", Kind::Lambda},
    {"decorated_definition", Kind::Decorated},
    {"decorator", Kind::Decorator},
    {"parameters", Kind::Parameters},
    {"lambda_parameters", Kind::Parameters},
    {"typed_parameter", Kind::TypedParameter},
    {"typed_default_parameter", Kind::TypedParameter},
    {"type", Kind::Type},
    {"call", Kind::Call},
    {"argument_list", Kind::ArgumentList},
    {"keyword_argument", Kind::KeywordArgument},
    {"attribute", Kind::Attribute},
    {"subscript", Kind::Subscript},
    {"identifier", Kind::Identifier},
    {"parenthesized_expression", Kind::Parenthesized},
    {"named_expression", Kind::NamedExpression},
    {"binary_operator", Kind::BinaryOperator},
    {"@", Kind::At},
    {"@=", Kind::AtAssign},
    {",", Kind::Comma},
    {"(", Kind::Open},
    {"[", Kind::Open},
    {"{", Kind::Open},
    {")", Kind::Close},
    {"]", Kind::Close},
    {"}", Kind::Close},
    {";", Kind::Semicolon},
    {"assignment", Kind::Assignment},
    {"augmented_assignment", Kind::AugmentedAssignment},
    {"expression_statement", Kind::ExpressionStatement},
    {"return_statement", Kind::Return},
    {"pass_statement", Kind::Pass},
    {"raise_statement", Kind::Raise},
    {"try_statement", Kind::Try},
    {"except_clause", Kind::Except},
    {"except_group_clause", Kind::Except},
    {"for_statement", Kind::For},
    {"for_in_clause", Kind::ForIn},
    {"as_pattern_target", Kind::AsTarget},
    {"global_statement", Kind::Global},
    {"nonlocal_statement", Kind::Global},
    {"import_statement", Kind::Import},
    {"import_from_statement", Kind::ImportFrom},
    {"future_import_statement", Kind::FutureImport},
    {"aliased_import", Kind::AliasedImport},
    {"wildcard_import", Kind::WildcardImport},
    {"dotted_name", Kind::DottedName},
    {"string", Kind::String},
    {"concatenated_string", Kind::ConcatenatedString},
    {"integer", Kind::Number},
    {"float", Kind::Number},
    {"ellipsis", Kind::Ellipsis},
    {"tuple", Kind::Tuple},
    {"pattern_list", Kind::Pattern},
    {"tuple_pattern", Kind::Pattern},
    {"list_pattern", Kind::Pattern},
    {"list_splat_pattern", Kind::Pattern},
    {"dictionary_splat_pattern", Kind::Pattern},
    {"comment", Kind::Comment},
    {"line_continuation", Kind::LineContinuation},
    {"if_statement", Kind::Compound},
    {"elif_clause", Kind::Compound},
    {"else_clause", Kind::Compound},
    {"while_statement", Kind::Compound},
    {"with_statement", Kind::Compound},
    {"finally_clause", Kind::Compound},
    {"match_statement", Kind::Compound},
    {"case_clause", Kind::Compound},
    {"print_statement", Kind::PrintStatement},
    {"exec_statement", Kind::ExecStatement},
};

/// Kind by symbol, so that looking at a node costs one load.
struct KindTable {
    std::array<Kind, 512> of{};

    KindTable() {
        const TSLanguage* language = tree_sitter_python();
        for (uint32_t symbol = 0; symbol < ts_language_symbol_count(language) && symbol < of.size();
             ++symbol) {
            // The keyword `type` and the node "type" share their name: only nodes and punctuation count.
            const char* name = ts_language_symbol_name(language, static_cast<TSSymbol>(symbol));
            bool named =
                ts_language_symbol_type(language, static_cast<TSSymbol>(symbol)) == TSSymbolTypeRegular;
            for (const auto& [text, kind] : kNames)
                if (std::strcmp(name, text) == 0 &&
                    (named || !std::isalpha(static_cast<unsigned char>(text[0]))))
                    of[symbol] = kind;
        }
    }
};

const KindTable kKinds;

}  // namespace

Kind kind_of(TSNode node) {
    TSSymbol symbol = ts_node_symbol(node);
    return symbol < kKinds.of.size() ? kKinds.of[symbol] : Kind::Error;
}

const Fields& fields() {
    static const Fields table = [] {
        auto id = [](const char* name) {
            return ts_language_field_id_for_name(tree_sitter_python(), name,
                                                 static_cast<uint32_t>(std::strlen(name)));
        };
        return Fields{id("name"),        id("body"),  id("function"),     id("arguments"), id("left"),
                      id("right"),       id("value"), id("superclasses"), id("attribute"), id("object"),
                      id("module_name"), id("alias"), id("parameters")};
    }();
    return table;
}

/// Of processor time: a busy machine must not reject a text.
constexpr double kParsingSeconds = 2;

Tree::Tree(std::string_view source) : source_(source), parser_(ts_parser_new()) {
    ts_parser_set_language(parser_, tree_sitter_python());
    // It knows the clock on the wall alone, and goes on where it stopped when it is called again.
    ts_parser_set_timeout_micros(parser_, 100'000);
    const double start = processor_seconds();
    do tree_ = ts_parser_parse_string(parser_, nullptr, source.data(), static_cast<uint32_t>(source.size()));
    while (!tree_ && processor_seconds() - start < kParsingSeconds);
}

Tree::~Tree() {
    if (tree_) ts_tree_delete(tree_);
    ts_parser_delete(parser_);
}

}  // namespace tritonsmith::lint
