#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "judge/options.h"

namespace tritonsmith::cli {

/// Options that every subcommand which judges has.
struct JudgeFlags {
    std::string device = "auto";
    std::string target = "sm_90";
    bool relaxed = false;
    bool no_timing = false;
    bool unsafe_no_sandbox = false;
    std::string shrink;
    int threads = 0;
    std::optional<uint64_t> seed;
    double tolerance = 0;
    double deadline = 0;

    void add_to(CLI::App& command);
    /// @throws InputError for a value out of range; MachineError where a device is asked for that is not
    /// there.
    judge::Options options() const;
};

/// "64MiB", "1.5GB", "33554432" → bytes. @throws InputError
int64_t parse_bytes(const std::string& text, const std::string& option);

}  // namespace tritonsmith::cli
