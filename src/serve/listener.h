#pragma once

#include <string>

#include "base/process.h"

namespace tritonsmith::serve {

/// A socket that accepts connections.
struct Listener {
    Fd socket;
    std::string address;  ///< "http://127.0.0.1:8000", "unix:/run/model.sock"
    int port = 0;
};

/// @param host a number, or a name of this machine @param port 0: any that is free
/// @throws InputError for what is no such address, MachineError where it is taken
Listener listen_on(const std::string& host, int port);
/// Only this user can connect (mode 0600). A socket that a dead server left is replaced. @throws InputError,
/// MachineError
Listener listen_on_socket(const std::string& path);

}  // namespace tritonsmith::serve
