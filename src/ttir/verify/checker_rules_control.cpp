/// Rules of structured control flow; successors and terminators' places are checker.cpp's.
#include "ttir/verify/checker_rules.h"
#include "ttir/verify/checker_types.h"

namespace tritonsmith::ttir::rules {

void terminator(const Function& f, const Operation& op, const OpSpec&) {
    View(f, op).require(op.results.empty(), "it has no results");
}

void condition(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.require(op.results.empty() && v.in(0) == scalar_type(Scalar::i1), "the condition is i1");
}

void branch(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    bool plain = op.name == "cf.br", two = op.name == "cf.cond_br";
    v.counts(plain ? 0 : 1, 0);
    v.require(op.successors.size() == (plain ? 1
                                       : two ? 2
                                             : op.successors.size()) &&
                  !op.successors.empty(),
              "wrong number of successors");
    if (two) v.require(v.in(0) == scalar_type(Scalar::i1), "the condition is i1");
    if (plain || two) return;
    v.require(is_class(v.in(0), Class::integer) && !v.in(0).is_tensor(), "an integer is switched on");
    auto cases = op.attributes.find("case_values");
    const Dense* values = cases == op.attributes.end() ? nullptr : std::get_if<Dense>(&cases->second.v);
    v.require(cases == op.attributes.end() || values, "case_values is dense<>");
    size_t count = values ? values->bits.size() : 0;
    v.require(count + 1 == op.successors.size(), "one successor for each case");
}

void scf_for(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.require(op.operands.size() >= 3, "bounds and step are needed");
    v.require(is_class(v.in(0), Class::integer) && !v.in(0).is_tensor(), "bounds are integers");
    v.require(v.in(0) == v.in(1) && v.in(0) == v.in(2), "bounds and step have one type");
    std::vector<Type> carried = v.inputs(3), arguments{v.in(0)};
    v.require(v.outputs() == carried, "results have the types of the carried values");
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    v.regions(1);
    v.block(0, arguments);
    v.require(v.ends(0, "scf.yield") == carried, "scf.yield gives the carried values");
}

void scf_while(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.regions(2);
    std::vector<Type> inputs = v.inputs(), outputs = v.outputs();
    v.block(0, inputs);
    v.block(1, outputs);
    std::vector<Type> passed = v.ends(0, "scf.condition");
    v.require(!passed.empty(), "scf.condition has a condition");
    passed.erase(passed.begin());
    v.require(passed == outputs, "scf.condition passes on the results");
    v.require(v.ends(1, "scf.yield") == inputs, "scf.yield gives the initial types");
}

void scf_if(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, op.results.size());
    v.require(v.in(0) == scalar_type(Scalar::i1), "the condition is i1");
    v.regions(2);
    bool alone = op.regions[1].blocks.empty();
    v.require(!alone || op.results.empty(), "an else is needed for results");
    for (size_t i = 0; i < (alone ? 1u : 2u); ++i) {
        v.block(i, {});
        v.require(v.ends(i, "scf.yield") == v.outputs(), "scf.yield gives the results");
    }
}

void execute_region(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(0, op.results.size());
    v.regions(1);
    v.require(!op.regions[0].blocks.empty() && op.regions[0].blocks[0].arguments.empty(),
              "the entry block has no arguments");
    for (const Block& block : op.regions[0].blocks) {
        if (block.operations.empty() || block.operations.back().name != "scf.yield") continue;
        std::vector<Type> given;
        for (ValueId id : block.operations.back().operands) given.push_back(v.type(id));
        v.require(given == v.outputs(), "scf.yield gives the results");
    }
}

void index_switch(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, op.results.size());
    v.require(v.in(0) == scalar_type(Scalar::index), "an index is switched on");
    v.regions(v.array("cases").size() + 1);
    for (size_t i = 0; i < op.regions.size(); ++i) {
        v.block(i, {});
        v.require(v.ends(i, "scf.yield") == v.outputs(), "scf.yield gives the results");
    }
}

}  // namespace tritonsmith::ttir::rules
