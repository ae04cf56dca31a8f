#include "forge/partition/partition.h"

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/families/family.h"
#include "forge/field/reader.h"

namespace tritonsmith::forge {
namespace {

/// Whether computing the value again would repeat a reduction or a product: something below it, among what a
/// kernel inlines, is more than pointwise.
bool costly(Context& context, int value, const std::set<int>& inlined, std::map<int, bool>& known) {
    if (const auto found = known.find(value); found != known.end()) return found->second;
    const graph::Node& node = context.graph.maker(value);
    bool out = !is_inlined(node);
    for (const graph::Operand& operand : node.operands)
        if (!out && inlined.contains(operand.value)) out = costly(context, operand.value, inlined, known);
    return known[value] = out;
}

/// The value that has to be stored because others than this kernel need it too; -1 where there is none.
int shared(Context& context, int root, const Written& written) {
    std::map<int, bool> known;
    for (auto it = written.inlined.rbegin(); it != written.inlined.rend(); ++it) {
        if (*it == root || context.in_memory(*it) || !costly(context, *it, written.inlined, known)) continue;
        for (const int user : context.users[static_cast<size_t>(*it)]) {
            bool inside = false;
            if (user >= 0)
                for (const int result : context.graph.nodes[static_cast<size_t>(user)].results)
                    inside |= result == root || written.inlined.contains(result);
            if (!inside) return *it;
        }
    }
    return -1;
}

Written write(Context& context, int value) {
    for (;;) {
        std::optional<Written> written;
        const size_t drawn = context.drawn.size();
        // Names of an attempt that comes to nothing are free again, but for those that tensors keep.
        auto forget = [&] {
            if (context.drawn.size() == drawn) return;
            for (size_t i = drawn; i < context.drawn.size(); ++i) context.taken.erase(context.drawn[i]);
            context.drawn.resize(drawn);
            for (const auto& [id, name] : context.variables) context.taken.insert(name);
        };
        for (const Family& family : families()) {
            written = family.write(context, value);
            if (written) break;
            forget();
        }
        if (!written) {
            const graph::Node& node = context.graph.maker(value);
            throw Refused("no kernel family takes it",
                          node.op.empty() ? graph::kind_name(node.kind) : node.op, node.line);
        }
        const int stored = shared(context, value, *written);
        if (stored < 0) return std::move(*written);
        context.stored.insert(stored);
        forget();
    }
}

}  // namespace

std::vector<Launch> write_kernels(Context& context) {
    std::map<std::pair<int, int>, std::vector<Launch>> made;  // by node and result: in a possible order
    std::set<std::pair<int, int>> open;
    auto need = [&](int value) {
        const graph::Value& of = context.value(value);
        if (graph::is_leaf(context.graph.maker(value))) return;
        context.stored.insert(value);
        if (!made.contains({of.node, of.result})) open.insert({of.node, of.result});
    };
    for (const graph::Output& output : context.graph.outputs) need(output.operand.value);
    for (const graph::Update& update : context.graph.updates) need(update.now.value);
    while (!open.empty()) {
        const auto [node, result] = *open.rbegin();
        open.erase(std::prev(open.end()));
        const int value = context.graph.nodes[static_cast<size_t>(node)].results[static_cast<size_t>(result)];
        Written written = write(context, value);
        made[{node, result}] = std::move(written.launches);
        for (const int loaded : written.loaded) need(loaded);
        for (const int id : std::set<int>(context.stored)) need(id);
    }
    std::vector<Launch> out;
    for (auto& [key, launches] : made) std::move(launches.begin(), launches.end(), std::back_inserter(out));
    return out;
}

}  // namespace tritonsmith::forge
