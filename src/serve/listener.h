#pragma once

#include <string>

#include "base/process/process.h"

namespace tritonsmith::serve {

/// A socket that accepts connections.
struct Listener {
    Fd socket;
    std::string address;  ///< "http://127.0.0.1:8000", "unix:/run/model.sock"
    int port = 0;
};

/// @param host address or name of this machine @param port 0: any free one
/// @throws InputError for an invalid address, MachineError if it is in use
Listener listen_on(const std::string& host, int port);
/// Only this user can connect (mode 0600). The socket of a dead server is replaced. @throws InputError,
/// MachineError
Listener listen_on_socket(const std::string& path);

}  // namespace tritonsmith::serve
