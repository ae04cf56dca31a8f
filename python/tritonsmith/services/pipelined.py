"""Where the compiled kernel issues the memory operations of a loop: Triton's software pipelining moves loads some rounds ahead
(and copies the first ones in front of the loop), whatever the rounds between store. Read off its TTGIR, in which each operation
still has the location that the text it came from gave it (src/ttir/analysis/issue_order.h)."""

import re

# What loads, stores and atomics have become by then.
_MEMORY = re.compile(r"\b(tt\.(?:load|store|atomic_rmw|atomic_cas|descriptor_\w+)|ttg\.async_copy_global_to_local"
                     r"|ttng\.async_tma_(?:copy_global_to_local|copy_local_to_global|gather|scatter|reduce))\b")
_ALIAS = re.compile(r'^#(loc\d*) = loc\("operation":(\d+):1\)')
_USED = re.compile(r'loc\((?:#(loc\d*)|"operation":(\d+):1)\)\s*$')
# Loops whose halves run on different warps: nothing orders a load of one after a store of another.
_APART = 1 << 20


def issue_order(text):
    """@param text: TTGIR  @returns [[number of the operation, loop, rounds ahead, place]] for those in loops"""
    lines = text.splitlines()
    aliases = {found[1]: int(found[2]) for found in map(_ALIAS.match, lines) if found}
    loops, inside, apart = [], [], []  # of a loop: (its outer loop, line)
    seen = []  # (operation, innermost loop or -1, line, in a partition)
    for number, line in enumerate(lines):
        body = _USED.sub("", line).rstrip()
        closes = body.lstrip().startswith("}")
        if closes and inside:
            inside.pop()
            apart.pop()
        around = next((one for one in reversed(inside) if one >= 0), -1)
        found = _MEMORY.search(line)
        used = _USED.search(line) if found else None
        operation = (aliases.get(used[1]) if used[1] else int(used[2])) if used else None
        if operation is not None:
            seen.append((operation - 1, around, number, any(apart)))
        if body.endswith("{"):
            is_loop = "scf.for" in body
            if is_loop:
                loops.append((around, number))
            inside.append(len(loops) - 1 if is_loop else -1)
            apart.append("partition" in body or "ttg.warp_specialize" in body)
    order = []
    for operation, loop, place, specialised in seen:
        if loop < 0:
            continue
        outer, begin = loops[loop]
        ahead = sum(other == operation and around == outer and line < begin for other, around, line, _ in seen)
        order.append([operation, loop, _APART if specialised else ahead, place])
    return order
