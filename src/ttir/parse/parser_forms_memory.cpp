/// Pretty forms of loads, stores, atomics and tensor descriptors.
#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {
namespace {

/// What a pointer, a tensor of pointers or a block pointer points to.
Type pointee_of(Lexer& lexer, const Type& pointer) {
    if (pointer.kind != Type::Kind::pointer || !pointer.pointee) lexer.fail("expected a pointer type");
    return pointer.is_tensor() ? with_shape(*pointer.pointee, pointer.shape) : *pointer.pointee;
}

}  // namespace

void Parser::parse_cache_clauses(Operation& op, const OpSpec& spec) {
    while (true) {
        if (lexer.accept_word("cacheModifier")) {
            lexer.expect("=");
            op.attributes["cache"] = keyword(spec, "cache");
        } else if (lexer.accept_word("evictionPolicy")) {
            lexer.expect("=");
            op.attributes["evict"] = keyword(spec, "evict");
        } else {
            return;
        }
    }
}

void Parser::parse_memory(Operation& op, const OpSpec& spec, Types& results) {
    if (spec.form == Form::atomic_rmw || spec.form == Form::atomic_cas) {
        if (spec.form == Form::atomic_rmw) {
            op.attributes["atomic_rmw_op"] = keyword(spec, "atomic_rmw_op");
            lexer.expect(",");
        }
        op.attributes["sem"] = keyword(spec, "sem");
        lexer.expect(",");
        op.attributes["scope"] = keyword(spec, "scope");
        lexer.expect(",");
        Refs refs = operand_list();
        return functional_types(op, refs, results);
    }
    Refs refs = operand_list();
    parse_cache_clauses(op, spec);
    optional_attributes(op.attributes);
    lexer.expect(":");
    Type pointer = type();
    Type value = pointee_of(lexer, pointer);
    bool load = spec.form == Form::load;
    for (size_t i = 0; i < refs.size(); ++i) {
        bool is_value = i == (load ? 2u : 1u);
        use(op, refs[i], i == 0 ? pointer : is_value ? value : i1_like(value));
    }
    if (load) results.push_back(value);
}

void Parser::parse_descriptor(Operation& op, const OpSpec& spec, Types& results) {
    if (spec.form == Form::descriptor_reduce) {
        op.attributes["kind"] = keyword(spec, "kind");
        lexer.expect(",");
    }
    const Type i32 = scalar_type(Scalar::i32), i64 = scalar_type(Scalar::i64);
    Refs base{operand()};
    std::vector<Refs> groups;
    bool bare = spec.form == Form::make_tensor_ptr || spec.form == Form::make_descriptor ||
                spec.form == Form::advance;
    if (bare) {
        while (lexer.accept(",")) groups.push_back(operand_list("[", "]"));
    } else {
        groups.push_back(operand_list("[", "]"));
        if (lexer.accept(",")) groups.push_back({operand()});
    }
    parse_cache_clauses(op, spec);
    optional_attributes(op.attributes);
    lexer.expect(":");
    size_t expected = spec.form == Form::make_tensor_ptr ? 3 : spec.form == Form::make_descriptor ? 2 : 1;
    if (spec.form == Form::descriptor_store || spec.form == Form::descriptor_reduce ||
        spec.form == Form::descriptor_scatter)
        expected = 2;
    if (groups.size() != expected)
        lexer.fail(op.name + " needs " + std::to_string(expected) + " groups of operands");
    switch (spec.form) {
        case Form::make_tensor_ptr: {
            results.push_back(parse_short_type(lexer, "tt.ptr"));
            Type pointer = results[0];
            Type block = pointee_of(lexer, pointer);
            pointer.pointee = std::make_shared<const Type>(element_type(block));
            use(op, base, pointer);
            use(op, groups[0], i64);
            use(op, groups[1], i64);
            use(op, groups[2], i32);
            break;
        }
        case Form::make_descriptor:
            use(op, base, parse_short_type(lexer, "tt.ptr"));
            lexer.expect(",");
            results.push_back(parse_short_type(lexer, "tt.tensordesc"));
            use(op, groups[0], i32);
            use(op, groups[1], i64);
            break;
        case Form::advance:
            results.push_back(parse_short_type(lexer, "tt.ptr"));
            use(op, base, results[0]);
            use(op, groups[0], i32);
            break;
        case Form::descriptor_load:
            use(op, base, parse_short_type(lexer, "tt.tensordesc"));
            lexer.expect("->");
            results.push_back(type());
            use(op, groups[0], i32);
            break;
        case Form::descriptor_store:
        case Form::descriptor_reduce:
            use(op, base, parse_short_type(lexer, "tt.tensordesc"));
            lexer.expect(",");
            use(op, groups[1], type());
            use(op, groups[0], i32);
            break;
        case Form::descriptor_gather: {
            auto [inputs, outputs] = function_type();
            Refs refs = base;
            refs.insert(refs.end(), groups[0].begin(), groups[0].end());
            use(op, refs, inputs);
            results = std::move(outputs);
            return;
        }
        default: {
            Refs refs = base;
            refs.insert(refs.end(), groups[0].begin(), groups[0].end());
            refs.push_back(groups[1][0]);
            return use(op, refs, type_list());
        }
    }
    if (bare && spec.form != Form::advance) {
        op.segments.push_back(1);
        for (const Refs& group : groups) op.segments.push_back(static_cast<int>(group.size()));
    }
}

}  // namespace tritonsmith::ttir
