#pragma once

#include "run/worker/sessions/requests.h"

namespace tritonsmith::run {

/// Answers the requests that come in until the socket closes, or the device is lost. @return the exit status
int serve(int socket, WorkerState& state);

/// "--NAME VALUE" pairs of a worker's command line. Ends the process where it was started by another build
/// (build_id.h).
/// @throws InputError for anything else
std::map<std::string, std::string> options_of(int argc, char** argv);

}  // namespace tritonsmith::run
