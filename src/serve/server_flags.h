#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "serve/model_server.h"

namespace tritonsmith::serve {

/// The options of a program that serves a model.
struct ServerFlags {
    ModelServerOptions server;
    std::string key_variable, key_file;

    void add_to(CLI::App& app);
    /// @param model_name the default for --model-name: the model's folder
    /// @throws InputError (a variable that is not set, a server on the network without a key)
    ModelServerOptions options(const std::string& model_name) const;
};

}  // namespace tritonsmith::serve
