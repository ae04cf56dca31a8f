#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lint/tree.h"

namespace tritonsmith::lint {

struct Place {
    int line = 0, column = 0;  ///< from 1; columns count bytes
};

/// Something that a function's text does. `name` is a dotted path as written ("F.relu", "self.linear"). Marks
/// at its end: "f()" the result of calling f, "k[]" the result of subscripting k; a leading "." stands for a
/// base that is no name.
struct Use {
    enum class What : uint8_t {
        Call,     ///< name(...)
        Launch,   ///< name[...](...)
        Mention,  ///< name, neither called nor assigned
        Matmul,   ///< the operators @ and @=
        Swallow,  ///< an except clause that raises nothing
        Dynamic,  ///< getattr with a name made at run time, metaclasses, double-underscore look-ups
        Patch,    ///< an assignment to an attribute of name's base
    };
    What what;
    int function;  ///< index into Facts::functions
    std::string_view name;
    Place place;
    std::string_view argument;  ///< the first argument where it is a name
};

/// `name` now stands for `target`: an import, an assignment, `self.x = nn.Linear(...)` (target
/// "nn.Linear()").
struct Binding {
    int scope;  ///< function index (0: module); for `self.x` the class as -1 - index
    std::string_view name, target;
    bool import;
};

struct Function {
    std::string_view name{};
    int parent = -1;  ///< enclosing function
    int owner = -1;   ///< class whose body it stands in
    Place place{};
    bool kernel = false;   ///< decorated with triton.jit
    bool trivial = false;  ///< a body of pass, docstring, ... alone
};

struct Class {
    std::string_view name{};
    std::vector<std::string_view> bases{};
    Place place{};
};

/// What the rules know about a program; views point into its text or into `made`. Function 0 is the module
/// itself.
struct Facts {
    std::vector<Function> functions;
    std::vector<Class> classes;
    std::vector<Use> uses;
    std::vector<Binding> bindings;
    std::vector<std::string_view> star_imports;
    // What tree-sitter tolerates and Python does not:
    std::vector<Place> old_statements;  ///< print and exec statements of Python 2
    std::vector<Place> bad_indents;     ///< statements that start in another column than their block
    std::vector<Place> empty_blocks;    ///< a colon without statements behind it
    std::vector<Place> joined;          ///< statements behind another one on its line, without a semicolon
    std::vector<Place> stray_returns;   ///< return outside a function
    std::vector<Place> keywords;        ///< keywords in the place of names
    std::deque<std::string> made;
};

/// One pass over the tree. Expressions in kernels are not looked at.
Facts gather(const Tree& tree);

}  // namespace tritonsmith::lint
