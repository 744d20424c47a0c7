// Interruption: SIGINT and SIGTERM set a flag that long runs ask for; a second one kills. The limit on the size of
// files (SIGXFSZ) does not kill: the write that goes beyond it fails.
#pragma once

namespace retrosow::cli {

void install_signal_handlers();

// Whether a signal has asked the program to stop. Thread: any.
bool interrupted();

// Fails: interrupted error (exit code 130) once interrupted() is true.
void check_interrupted();

}  // namespace retrosow::cli
