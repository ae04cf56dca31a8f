#pragma once

#include <string>
#include <vector>

namespace tritonsmith::forge {

/// The parts of a task's text that its replacement keeps as they are written.
struct TaskText {
    std::vector<std::string> imports;  ///< as written
    std::vector<std::string>
        definitions;                   ///< top-level constants, functions, classes that the constructor needs
    std::string docstring;             ///< of the class, with its quotes; "" where there is none
    std::vector<std::string> members;  ///< of the class before and behind forward: __init__, what it calls
    std::string bases = "nn.Module";
    std::string parameters = "(self)";     ///< of forward, as written
    std::vector<std::string> arguments;    ///< their names, without self
    std::vector<std::string> constructor;  ///< names of __init__'s parameters, without self
    std::vector<std::pair<std::string, std::string>>
        kept;  ///< self.<first> = <second> in __init__, both names
};

/// @throws Refused where the class or its forward cannot be found in the text
TaskText read_task_text(const std::string& source, const std::string& entry, const std::string& new_name);

}  // namespace tritonsmith::forge
