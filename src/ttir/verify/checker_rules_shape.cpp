/// Rules of operations that move elements about or combine them.
#include <algorithm>

#include "ttir/verify/checker_rules.h"
#include "ttir/verify/checker_types.h"

namespace tritonsmith::ttir::rules {
namespace {

bool same_element(const Type& a, const Type& b) {
    return element_type(a) == element_type(b);
}

Type joined(Type type) {
    type.shape.push_back(2);
    return type;
}

}  // namespace

void splat(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.require(!v.in(0).is_tensor() && v.out(0).is_tensor() && same_element(v.in(0), v.out(0)),
              "a scalar becomes a tensor of itself");
    v.require(v.in(0).kind != Type::Kind::descriptor && !is_block_pointer(v.in(0)),
              "a number or pointer is spread");
}

void unsplat(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.require(v.in(0).is_tensor() && v.in(0).count() == 1 && element_type(v.in(0)) == v.out(0),
              "a tensor of one element becomes a scalar");
}

void expand_dims(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    std::vector<int64_t> shape = v.in(0).shape;
    v.require(!shape.empty() && same_element(v.in(0), v.out(0)), "a tensor is expanded");
    shape.insert(shape.begin() + static_cast<int64_t>(v.axis(shape.size() + 1)), 1);
    v.require(v.out(0).shape == shape, "the result has one more dimension of size 1");
}

void broadcast(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    const std::vector<int64_t>&from = v.in(0).shape, &to = v.out(0).shape;
    v.require(!from.empty() && from.size() == to.size() && same_element(v.in(0), v.out(0)),
              "source and result have one rank and element type");
    for (size_t i = 0; i < from.size(); ++i)
        v.require(from[i] == to[i] || from[i] == 1, "only dimensions of size 1 grow");
}

void reshape(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    v.require(v.in(0).is_tensor() && v.out(0).is_tensor() && same_element(v.in(0), v.out(0)),
              "a tensor becomes a tensor of the same elements");
    v.require(v.in(0).count() == v.out(0).count(), "source and result have as many elements");
}

void trans(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 1);
    const std::vector<int64_t>& order = v.array("order");
    size_t rank = v.in(0).shape.size();
    v.require(
        rank > 0 && order.size() == rank && v.out(0).shape.size() == rank && same_element(v.in(0), v.out(0)),
        "order has one entry for each dimension");
    std::vector<bool> seen(rank, false);
    for (size_t i = 0; i < rank; ++i) {
        v.require(order[i] >= 0 && order[i] < static_cast<int64_t>(rank) && !seen[order[i]],
                  "order is a permutation");
        seen[order[i]] = true;
        v.require(v.out(0).shape[i] == v.in(0).shape[order[i]],
                  "the result's shape does not follow from order");
    }
}

void cat(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 1);
    v.require(v.in(0).is_tensor() && v.in(0) == v.in(1) && same_element(v.in(0), v.out(0)),
              "two tensors of one type are joined");
    std::vector<int64_t> shape = v.in(0).shape;
    shape[0] *= 2;
    v.require(v.out(0).shape == shape, "the result has twice the first dimension");
}

void join(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 1);
    v.require(v.in(0).is_tensor() && v.in(0) == v.in(1) && v.out(0) == joined(v.in(0)),
              "the result has a new last dimension of 2");
}

void split(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(1, 2);
    v.require(v.out(0) == v.out(1) && v.in(0) == joined(v.out(0)), "the source has a last dimension of 2");
}

void make_range(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(0, 1);
    v.require(
        v.out(0).kind == Type::Kind::scalar && v.out(0).elem == Scalar::i32 && v.out(0).shape.size() == 1,
        "the result is a 1-d tensor of i32");
    v.require(v.number("end") - v.number("start") == v.out(0).shape[0],
              "the result has end - start elements");
}

void gather(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(2, 1);
    const Type &source = v.in(0), &indices = v.in(1);
    size_t rank = source.shape.size();
    v.require(rank > 0 && indices.shape.size() == rank && is_class(indices, Class::integer),
              "indices are integers of the source's rank");
    v.require(v.out(0) == with_shape(source, indices.shape), "the result has the indices' shape");
    size_t axis = v.axis(rank);
    for (size_t i = 0; i < rank; ++i)
        v.require(i == axis || indices.shape[i] <= source.shape[i], "indices reach beyond the source");
}

void histogram(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(op.operands.size() == 2 ? 2 : 1, 1);
    v.require(is_class(v.in(0), Class::integer) && v.in(0).is_tensor(), "a tensor of integers is counted");
    v.require(is_class(v.out(0), Class::integer) && v.out(0).shape.size() == 1,
              "the result is a 1-d tensor of integers");
    if (op.operands.size() == 2)
        v.require(v.in(1) == of_shape(Scalar::i1, v.in(0)), "the mask is i1 of the source's shape");
}

void dot(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.counts(3, 1);
    const std::vector<int64_t>&a = v.in(0).shape, &b = v.in(1).shape, &c = v.in(2).shape;
    size_t rank = a.size();
    v.require(rank == 2 || rank == 3, "a dot is of 2 or 3 dimensions");
    v.require(b.size() == rank && c.size() == rank && v.in(2) == v.out(0),
              "operands have one rank; accumulator and result one type");
    for (size_t i = 0; i < 3; ++i) v.require(is_class(v.in(i), Class::any), "a dot takes numbers");
    bool integer = is_class(v.in(0), Class::integer);
    v.require(integer == is_class(v.in(1), Class::integer) && integer == is_class(v.in(2), Class::integer),
              "integers and floats are mixed");
    if (rank == 3) v.require(a[0] == b[0] && a[0] == c[0], "the batches differ");
    v.require(a[rank - 1] == b[rank - 2] && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1],
              "the shapes do not multiply");
}

void dot_scaled(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.require(op.segments.size() == 5 && op.results.size() == 1, "wrong operands");
    const std::vector<int64_t>&a = v.in(0).shape, &b = v.in(1).shape, &c = v.in(2).shape;
    size_t rank = a.size();
    v.require((rank == 2 || rank == 3) && b.size() == rank && c.size() == rank,
              "a dot is of 2 or 3 dimensions");
    v.require(v.in(2) == v.out(0) && is_class(v.in(2), Class::floating),
              "accumulator and result are floats of one type");
    auto kind = [&](size_t i, const char* attribute) {
        std::string name = v.keyword(attribute);
        bool packed = name == "e2m1";
        Scalar elem = v.in(i).elem;
        bool fits = packed || name == "e2m3" || name == "e3m2" ? elem == Scalar::i8
                    : name == "bf16"                           ? elem == Scalar::bf16
                    : name == "fp16"                           ? elem == Scalar::f16
                                                               : bit_width(elem) == 8;
        v.require(v.in(i).kind == Type::Kind::scalar && fits, "an operand's type is not its element type");
        return packed;
    };
    bool packed_a = kind(0, "a_elem_type"), packed_b = kind(1, "b_elem_type");
    bool along_k_a = std::get<bool>(op.attributes.at("lhs_k_pack").v),
         along_k_b = std::get<bool>(op.attributes.at("rhs_k_pack").v);
    int64_t m = a[rank - 2] * (packed_a && !along_k_a ? 2 : 1),
            ka = a[rank - 1] * (packed_a && along_k_a ? 2 : 1);
    int64_t n = b[rank - 1] * (packed_b && !along_k_b ? 2 : 1),
            kb = b[rank - 2] * (packed_b && along_k_b ? 2 : 1);
    v.require(ka == kb && m == c[rank - 2] && n == c[rank - 1], "the shapes do not multiply");
    if (rank == 3) v.require(a[0] == b[0] && a[0] == c[0], "the batches differ");
    size_t next = 3;
    for (int side = 0; side < 2; ++side) {
        if (op.segments[3 + side] == 0) continue;
        const Type& scale = v.in(next++);
        v.require(
            scale.kind == Type::Kind::scalar && bit_width(scale.elem) == 8 && scale.shape.size() == rank,
            "a scale has 8 bits and the operands' rank");
        int64_t blocks = scale.shape[rank - 1];
        v.require(scale.shape[rank - 2] == (side == 0 ? m : n) && ka % blocks == 0,
                  "a scale's shape does not fit");
        if (rank == 3) v.require(scale.shape[0] == a[0], "the batches differ");
    }
    v.require(next == op.operands.size(), "wrong operands");
}

namespace {

/// Scalars of each operand twice: accumulated and new.
void combine_region(const View& v, const Operation& op, const char* terminator) {
    v.regions(1);
    std::vector<Type> arguments, scalars;
    for (const Type& type : v.inputs()) scalars.push_back(element_type(type));
    arguments = scalars;
    arguments.insert(arguments.end(), scalars.begin(), scalars.end());
    v.block(0, arguments);
    v.require(v.ends(0, terminator) == scalars, "the region gives one value for each operand");
    v.require(!op.operands.empty() && op.results.size() == op.operands.size(), "as many results as operands");
    for (const Type& type : v.inputs())
        v.require(type.is_tensor() && type.shape == v.in(0).shape, "operands are tensors of one shape");
}

}  // namespace

void reduce(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    combine_region(v, op, "tt.reduce.return");
    std::vector<int64_t> shape = v.in(0).shape;
    shape.erase(shape.begin() + static_cast<int64_t>(v.axis(shape.size())));
    for (size_t i = 0; i < op.operands.size(); ++i)
        v.require(v.out(i) == with_shape(v.in(i), shape), "a result is the operand without the axis");
}

void scan(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    combine_region(v, op, "tt.scan.return");
    v.axis(v.in(0).shape.size());
    v.require(v.inputs() == v.outputs(), "results have the operands' types");
}

void map_elementwise(const Function& f, const Operation& op, const OpSpec&) {
    View v(f, op);
    v.regions(1);
    int64_t pack = v.number("pack");
    v.require(pack >= 1 && pack <= 64, "pack is between 1 and 64");
    v.require(!op.operands.empty() && !op.regions[0].blocks.empty(), "operands and a region are needed");
    const Block& entry = op.regions[0].blocks[0];
    v.require(entry.arguments.size() == op.operands.size() * static_cast<size_t>(pack),
              "wrong number of block arguments");
    for (size_t i = 0; i < entry.arguments.size(); ++i) {
        v.require(v.type(entry.arguments[i]) == element_type(v.in(i / pack)),
                  "wrong type of a block argument");
    }
    for (const Type& type : v.inputs())
        v.require(type.is_tensor() && type.shape == v.in(0).shape, "operands are tensors of one shape");
    for (const Type& type : v.outputs())
        v.require(type.shape == v.in(0).shape, "results have the operands' shape");
    v.require(v.in(0).count() % pack == 0, "pack divides the number of elements");
    for (const Block& block : op.regions[0].blocks) {
        if (block.operations.empty() || block.operations.back().name != "tt.map_elementwise.return") continue;
        const Operation& last = block.operations.back();
        v.require(last.operands.size() == op.results.size() * static_cast<size_t>(pack),
                  "pack values for each result");
        for (size_t i = 0; i < last.operands.size(); ++i) {
            v.require(v.type(last.operands[i]) == element_type(v.out(i / pack)),
                      "wrong type of a returned value");
        }
    }
}

}  // namespace tritonsmith::ttir::rules
