#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

bool Type::operator==(const Type& other) const {
    if (kind != other.kind || elem != other.elem || shape != other.shape ||
        address_space != other.address_space || signed_int != other.signed_int ||
        unsigned_int != other.unsigned_int) {
        return false;
    }
    if (!pointee || !other.pointee) return pointee == other.pointee;
    return pointee == other.pointee || *pointee == *other.pointee;
}

bool Location::operator==(const Location& other) const {
    return line == other.line && column == other.column && file == other.file && name == other.name &&
           callers == other.callers;
}

const Function* Module::find(const std::string& name) const {
    for (const Function& function : functions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

const Function* Module::entry() const {
    const Function* found = nullptr;
    for (const Function& function : functions) {
        if (!function.is_public || function.body.blocks.empty()) continue;
        if (found) return nullptr;
        found = &function;
    }
    return found;
}

void visit(const Region& region, const std::function<void(const Operation&)>& f) {
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            f(op);
            for (const Region& nested : op.regions) visit(nested, f);
        }
}

}  // namespace tritonsmith::ttir
