#include "serve/server_flags.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/process/files.h"

namespace tritonsmith::serve {
namespace {

bool only_this_machine(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string read_key(const std::string& variable, const std::string& file) {
    if (!variable.empty() && !file.empty())
        throw InputError("give --api-key-env or --api-key-file, not both");
    std::string key, source;
    if (!variable.empty()) {
        const char* value = std::getenv(variable.c_str());
        key = value ? value : "";
        source = "the environment variable " + variable + " (--api-key-env)";
    } else if (!file.empty()) {
        key = read_file(file, "API key", 1 << 16);
        source = "the file " + file + " (--api-key-file)";
        key = key.substr(0, key.find_first_of("\r\n"));
    }
    if (!source.empty() && key.empty()) throw InputError(source + " holds no key");
    return key;
}

}  // namespace

void ServerFlags::add_to(CLI::App& app) {
    app.add_option("--host", server.host, "address to listen on")->capture_default_str();
    app.add_option("--port", server.port, "0: any free one")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    app.add_option("--socket", server.socket, "path of a Unix socket, instead of --host and --port");
    app.add_option("--model-name", server.model_name,
                   "what clients call the model (default: its folder's name)");
    app.add_option("--api-key-env", key_variable,
                   "environment variable with the bearer token that clients must send");
    app.add_option("--api-key-file", key_file, "file with that token as its first line");
    app.add_option("--max-requests", server.requests, "completions at a time; more are refused (status 429)")
        ->check(CLI::Range(1, 16384))
        ->capture_default_str();
    app.add_option("--max-n", server.limits.samples, "samples of one prompt")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    app.add_option("--max-prompt-tokens", server.limits.prompt_tokens,
                   "tokens of a prompt (default: the context)")
        ->check(CLI::Range(1, 1 << 30));
    app.add_option("--drain", server.drain_seconds, "seconds for answers in progress after SIGTERM or Ctrl-C")
        ->check(CLI::Range(0.0, 86400.0))
        ->capture_default_str();
}

ModelServerOptions ServerFlags::options(const std::string& model_name) const {
    ModelServerOptions out = server;
    out.key = read_key(key_variable, key_file);
    if (out.model_name.empty()) out.model_name = model_name;
    out.limits.all_samples = std::max(out.limits.all_samples, out.limits.samples);
    if (out.key.empty() && out.socket.empty() && !only_this_machine(out.host))
        throw InputError(fmt::format(
            "--host {}: others on the network can reach this address: set a key with --api-key-env",
            out.host));
    return out;
}

}  // namespace tritonsmith::serve
