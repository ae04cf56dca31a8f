"""Whether the compiler made use of the leave to reorder (`tl.view`, `tl.reshape(..., can_reorder=True)`).

Triton then keeps every element in its register and gives the result whatever layout suits its users; for most shapes
that is the order that a plain reshape has, for some it is not. Its own verifier tells: without the leave, a reshape whose
layouts belong to another order is refused.
"""
import re

RESHAPE = re.compile(r"(%[\w#]+) = tt\.reshape %[\w#]+ allow_reorder\b.*-> tensor<\d+x(\d+x)?")


def in_order(text):
    """The TTGIR with its reshapes forbidden to reorder, but for blocks that are made flat to be reduced."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        found = RESHAPE.search(line)
        if not found:
            continue
        use = re.compile(re.escape(found[1]) + r"(?![\w#])")
        uses = [other for other in lines if other is not line and use.search(other)]
        if found[2] or not uses or not all('"tt.reduce"(' in other for other in uses):
            lines[i] = line.replace(" allow_reorder", "", 1)
    return "".join(lines)


def reorders(text, parse):
    """@param text the TTGIR. @param parse raises RuntimeError for a text that the verifier does not accept."""
    strict = in_order(text)
    if strict == text:
        return False
    try:
        parse(strict)
        return False
    except RuntimeError:
        pass
    try:
        parse(text)
        return True
    except RuntimeError:  # Triton cannot read its own text: nothing is known
        return False
