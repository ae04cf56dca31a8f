#pragma once

#include "ttir/verify/op_specs.h"

namespace tritonsmith::ttir::rules {

/// One rule for each family of operations: number and types of operands and results, attributes, the types of
/// region arguments. Throws CheckError. Values of forward references have their types already when a rule
/// runs.
#define TRITONSMITH_RULE(name) void name(const Function&, const Operation&, const OpSpec&)
TRITONSMITH_RULE(same);
TRITONSMITH_RULE(cast);
TRITONSMITH_RULE(compare);
TRITONSMITH_RULE(select);
TRITONSMITH_RULE(constant);
TRITONSMITH_RULE(extended);
TRITONSMITH_RULE(powi);
TRITONSMITH_RULE(poison);
TRITONSMITH_RULE(assume);
TRITONSMITH_RULE(nothing);
TRITONSMITH_RULE(scf_for);
TRITONSMITH_RULE(scf_while);
TRITONSMITH_RULE(scf_if);
TRITONSMITH_RULE(execute_region);
TRITONSMITH_RULE(index_switch);
TRITONSMITH_RULE(condition);
TRITONSMITH_RULE(terminator);
TRITONSMITH_RULE(branch);
TRITONSMITH_RULE(splat);
TRITONSMITH_RULE(unsplat);
TRITONSMITH_RULE(expand_dims);
TRITONSMITH_RULE(broadcast);
TRITONSMITH_RULE(reshape);
TRITONSMITH_RULE(trans);
TRITONSMITH_RULE(cat);
TRITONSMITH_RULE(join);
TRITONSMITH_RULE(split);
TRITONSMITH_RULE(make_range);
TRITONSMITH_RULE(gather);
TRITONSMITH_RULE(histogram);
TRITONSMITH_RULE(addptr);
TRITONSMITH_RULE(bitcast);
TRITONSMITH_RULE(int_to_ptr);
TRITONSMITH_RULE(ptr_to_int);
TRITONSMITH_RULE(elementwise);
TRITONSMITH_RULE(map_elementwise);
TRITONSMITH_RULE(load);
TRITONSMITH_RULE(store);
TRITONSMITH_RULE(atomic_rmw);
TRITONSMITH_RULE(atomic_cas);
TRITONSMITH_RULE(make_tensor_ptr);
TRITONSMITH_RULE(advance);
TRITONSMITH_RULE(make_descriptor);
TRITONSMITH_RULE(descriptor_load);
TRITONSMITH_RULE(descriptor_store);
TRITONSMITH_RULE(descriptor_gather);
TRITONSMITH_RULE(descriptor_scatter);
TRITONSMITH_RULE(program_id);
TRITONSMITH_RULE(dot);
TRITONSMITH_RULE(dot_scaled);
TRITONSMITH_RULE(reduce);
TRITONSMITH_RULE(scan);
TRITONSMITH_RULE(print);
TRITONSMITH_RULE(assertion);
TRITONSMITH_RULE(call);
#undef TRITONSMITH_RULE

}  // namespace tritonsmith::ttir::rules
