// The server over samples that are written beforehand: what tests/serve/*.py speak to.
//
//   scripted_server --tokenizer DIR --script FILE.json [--step-us N] [--blocks N] [options of the server]
//
// FILE holds [{"match": "part of a prompt", "answers": ["...", ...]}, ...]: sample i of a prompt is answer i,
// counted round. A prompt that none matches is its own answer.
#include <signal.h>

#include <cstdio>

#include "base/process/files.h"
#include "scripted_generator.h"
#include "serve/server_flags.h"

namespace tritonsmith::serve {
namespace {

struct Flags {
    std::string tokenizer, script;
    int step_us = 0, blocks = 4096, running = 64, context = 4096;
    ServerFlags server;
};

bool has_template(const std::string& folder) {
    return std::filesystem::exists(folder + "/chat_template.jinja") ||
           read_file(folder + "/tokenizer_config.json", "tokenizer configuration", 1 << 20)
                   .find("chat_template") != std::string::npos;
}

int run(const Flags& flags) {
    const text::Tokenizer tokenizer = text::Tokenizer::load(flags.tokenizer);
    std::optional<text::ChatTemplate> chat;
    if (has_template(flags.tokenizer)) chat = text::ChatTemplate::load(flags.tokenizer);
    const Json rules = Json::parse(read_file(flags.script, "script", 1 << 24));
    const auto script = [&](const engine::Request& request, int sample) {
        const std::string prompt = tokenizer.decode(request.prompt, true);
        std::string answer = prompt;
        for (const Json& rule : rules) {
            if (prompt.find(rule.at("match").get<std::string>()) == std::string::npos) continue;
            const Json& answers = rule.at("answers");
            answer = answers.at(static_cast<size_t>(sample) % answers.size());
            break;
        }
        std::vector<engine::Token> tokens = tokenizer.encode(answer);
        if (!tokenizer.ends().empty()) tokens.push_back(tokenizer.ends().front());
        return tokens;
    };
    ScriptedGenerator generator(
        script, {flags.context, flags.running, flags.blocks, std::chrono::microseconds(flags.step_us)});
    return run_model_server(flags.server.options("scripted"), generator, tokenizer, chat ? &*chat : nullptr);
}

}  // namespace
}  // namespace tritonsmith::serve

int main(int argc, char** argv) {
    tritonsmith::serve::Flags flags;
    CLI::App app("server over samples that are written beforehand");
    app.add_option("--tokenizer", flags.tokenizer)->required();
    app.add_option("--script", flags.script)->required();
    app.add_option("--step-us", flags.step_us);
    app.add_option("--blocks", flags.blocks);
    app.add_option("--running", flags.running);
    app.add_option("--context", flags.context);
    flags.server.add_to(app);
    try {
        app.parse(argc, argv);
        return tritonsmith::serve::run(flags);
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    } catch (const tritonsmith::InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
