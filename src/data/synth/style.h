#pragma once

#include <string>

#include "base/random.h"

namespace tritonsmith::data {

/// The habits of one author: drawn once for a file.
struct Style {
    enum class Naming : uint8_t { reused, described, counted, letters };
    Naming naming = Naming::described;
    double inlined = 0.5;     ///< how often a value without a second reader gets no name
    bool hints = false;       ///< type annotations
    bool old_super = false;   ///< super(Model, self)
    bool from_torch = false;  ///< from torch import nn
    bool spelled = false;     ///< torch.nn.functional.relu in place of F.relu
    bool upper = false;       ///< constants in capitals
    bool literals = false;    ///< sizes are written where they are used
    bool constants_first = true;
    bool defaults = false;         ///< sizes among the constructor's arguments have defaults as well
    bool other_constants = false;  ///< sizes have other names outside of the class
    double stored = 0;             ///< how many arguments are kept as attributes that nothing reads
    bool stepwise_inputs = false;
    enum class Shapes : uint8_t { plain, tuple, list, keyword, named, unpacked };
    Shapes shapes = Shapes::plain;  ///< of the tensors in get_inputs
    bool module_cast = false;       ///< self.half() at the end of the constructor, else self.to(dtype)
    double comments = 0;
    double prose = 0;  ///< how much of its documentation is about anything
    int docs = 0;      ///< 0: none, 1: a line, 2: what goes in and comes out, 3: long
    enum class Body : uint8_t { forward, method, function };
    Body body = Body::forward;
    std::string entry = "Model", name;  ///< `name` is for the data card

    static Style draw(Random& r);
};

}  // namespace tritonsmith::data
