#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ttir/ir/lexer.h"
#include "ttir/ir/location_table.h"
#include "ttir/ir/type_text.h"
#include "ttir/verify/op_specs.h"

namespace tritonsmith::ttir {

using AttributeMap = std::map<std::string, Attribute>;
using Types = std::vector<Type>;
constexpr size_t kMaxList = 65536;  ///< operands or types of one operation

/// i1 of the same shape.
inline Type i1_like(const Type& type) {
    Type out = scalar_type(Scalar::i1);
    out.shape = type.shape;
    return out;
}

/// Names of SSA values as the text has them. A region's names end with it; a name that is used before its
/// definition (blocks may be printed in any order) gets a value at once, whose definition must follow in the
/// same function.
class Names {
  public:
    struct Bound {
        ValueId first = 0;
        int count = 1;
        std::vector<ValueId> scattered;  ///< of each result, where they are not first, first + 1, …
    };
    size_t mark() const { return undo_.size(); }
    void leave(size_t mark);
    const Bound* find(std::string_view name) const;
    /// False if the name is visible already.
    bool bind(std::string_view name, Bound bound);
    void clear();

  private:
    std::unordered_map<std::string_view, Bound> bound_;
    std::vector<std::string_view> undo_;
};

/// Recursive descent over MLIR text. One instance reads one module.
class Parser {
  public:
    explicit Parser(std::string_view text) : lexer(text), locations(lexer) {}
    Module module();

  private:
    /// `%name#number` as written; resolved once its type is known.
    struct Ref {
        std::string_view name;
        int number = 0;
        size_t position = 0;
    };
    using Refs = std::vector<Ref>;
    struct Label {
        int block = -1;
        size_t position = 0;
    };
    struct Labels {
        std::unordered_map<std::string_view, int> number;
        std::vector<Label> labels;
    };
    struct Binding {
        std::string_view name;
        int count = 1;
        size_t position = 0;
    };

    // parser.cpp, parser_functions.cpp: module, functions, regions, blocks, generic operations
    void top_level();
    void module_operation();
    void generic_module();
    void pretty_function(size_t position);
    void generic_function(size_t position);
    void start_function(Function& function);
    void finish_function(Function& function, size_t position);
    std::vector<std::pair<std::string_view, Type>> parameter_list(Function& function);
    void result_list(Function& function);
    /// `arguments`: names that the operation's header gives to the entry block. `implied_block`: `{}` has one
    /// block.
    Region region(const std::vector<std::pair<std::string_view, Type>>& arguments, bool implied_block,
                  const char* implied_terminator = nullptr);
    void block_body(Block& block, const char* implied_terminator);
    void block_arguments(Block& block);
    void count_item();  ///< operations and attributes: bounds the memory that a text can ask for
    Operation operation();
    void generic_operation(Operation& op, Types& results);
    void pretty_operation(Operation& op, const OpSpec& spec, Types& results);
    std::vector<Binding> result_names();
    void define_results(Operation& op, const Types& types, const std::vector<Binding>& names);
    Successor successor(bool with_arguments);
    void canonicalize(Operation& op, const OpSpec& spec);
    void spread_branch_operands(Operation& op);

    // values (parser_values.cpp)
    Ref operand();
    Refs operand_list();  ///< zero or more, separated by commas
    Refs operand_list(std::string_view open, std::string_view close);
    ValueId resolve(const Ref& ref, const Type& type);
    void use(Operation& op, const Ref& ref, const Type& type) { op.operands.push_back(resolve(ref, type)); }
    void use(Operation& op, const Refs& refs, const Type& type);
    void use(Operation& op, const Refs& refs, const Types& types);
    ValueId new_value(const Type& type, std::string_view name);
    ValueId define(std::string_view name, int number, const Type& type, size_t position);

    // types and attributes (parser_attributes.cpp)
    Type type() { return parse_type(lexer); }
    Types type_list();  ///< one or more, separated by commas
    Types types_in_parentheses();
    Types result_types();  ///< one type, or a list in parentheses
    std::pair<Types, Types> function_type();
    Attribute attribute(int depth = 0);
    Attribute number_attribute();
    Attribute array_attribute();
    Attribute dense_attribute();
    uint64_t element_bits(const Lexer::Number& number, const Type& type);
    uint64_t dense_element(const Type& type);
    void dense_list(std::vector<uint64_t>& bits, const Type& type, int depth);
    void attribute_entry(AttributeMap& into);
    void attribute_dictionary(AttributeMap& into);                 ///< `{…}`
    void optional_attributes(AttributeMap& into);                  ///< `{…}` or nothing
    Attribute keyword(const OpSpec& spec, std::string_view name);  ///< an enumeration's bare keyword
    void normalize(Operation& op, const AttributeSpec& spec, Attribute& attribute);
    void fill_default(Operation& op, const AttributeSpec& spec);
    void fill_segments(Operation& op, const OpSpec& spec, const std::vector<int64_t>* sizes);

    // pretty forms (parser_forms.cpp, parser_forms_memory.cpp, parser_regions.cpp)
    /// `{…} : (inputs) -> outputs` of an operation with these operands.
    void functional_types(Operation& op, const Refs& refs, Types& results);
    void type_and_arrow(Operation& op, const Ref& ref);  ///< `: type ->`
    /// `%a = %x, …)`: arguments of a region and what they begin with.
    void initial_values(std::vector<std::pair<std::string_view, Type>>& arguments, Refs& initial);
    void parse_same(Operation& op, const OpSpec& spec, Types& results);
    void parse_cast(Operation& op, const OpSpec& spec, Types& results);
    void parse_arith(Operation& op, const OpSpec& spec, Types& results);
    void parse_tt(Operation& op, const OpSpec& spec, Types& results);
    void parse_memory(Operation& op, const OpSpec& spec, Types& results);
    void parse_descriptor(Operation& op, const OpSpec& spec, Types& results);
    void parse_dot_scaled(Operation& op, const OpSpec& spec, Types& results);
    void parse_control(Operation& op, const OpSpec& spec, Types& results);
    void parse_for(Operation& op, Types& results);
    void parse_while(Operation& op, Types& results);
    void parse_if(Operation& op, Types& results);
    void parse_index_switch(Operation& op, Types& results);
    void parse_switch(Operation& op);
    void parse_flags(Operation& op);  ///< overflow<…>, fastmath<…>, exact
    void parse_cache_clauses(Operation& op, const OpSpec& spec);

    Lexer lexer;
    LocationTable locations;
    Module module_;
    Function* function_ = nullptr;
    Names names_;
    struct Pending {
        size_t position;
        ValueId value;
    };
    std::unordered_map<std::string, Pending> pending_;  ///< used before defined: "name#number"
    Labels* labels_ = nullptr;
    size_t operation_position_ = 0;  ///< of the operation that is made canonical
    int depth_ = 0;
    int64_t values_ = 0, items_ = 0;
};

}  // namespace tritonsmith::ttir
