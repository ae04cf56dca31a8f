#pragma once

#include <string_view>

/// The catalogue's rows by subject: catalogue.h says how they are read.
namespace tritonsmith::aten {

extern const std::string_view kMemory;
extern const std::string_view kMoves;
extern const std::string_view kArithmetic;
extern const std::string_view kFunctions;
extern const std::string_view kSpecial;
extern const std::string_view kActivations;
extern const std::string_view kLogic;
extern const std::string_view kSums;
extern const std::string_view kReductions;
extern const std::string_view kWindows;
extern const std::string_view kLayers;
extern const std::string_view kLinalg;
extern const std::string_view kBackward;
extern const std::string_view kPythonNames;

}  // namespace tritonsmith::aten
