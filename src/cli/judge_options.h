#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "judge/verdict/options.h"

namespace tritonsmith::cli {

/// Options that every subcommand which judges has.
struct JudgeFlags {
    std::string device = "auto";
    std::string target;  ///< empty: the device's, else sm_90
    bool strict_state = false;
    std::string require;
    bool relaxed = false;
    bool no_timing = false;
    std::optional<bool> as_written, compile_baseline;
    bool prepack = false;
    double timing_seconds = 2;
    bool unsafe_no_sandbox = false;
    std::string shrink;
    int threads = 0;
    std::optional<uint64_t> seed;
    double tolerance = 0;
    std::string precision = "default";
    double deadline = 0;
    double compile_budget = 0;

    void add_to(CLI::App& command);
    /// The device of judge::Paths; the target becomes that device's where none was given. @throws InputError,
    /// MachineError where a device is asked for that is not there.
    std::string resolve_device();
    /// After resolve_device. @param one_file that a user will get, rather than one of a batch. @throws
    /// InputError for a value out of range
    judge::Options options(bool one_file) const;
};

/// "64MiB", "1.5GB", "33554432" → bytes. @throws InputError
int64_t parse_bytes(const std::string& text, const std::string& option);

}  // namespace tritonsmith::cli
