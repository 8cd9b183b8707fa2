// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands.h"
#include "options.h"

#include <string>

// The options and modes of `doctor` besides its list of findings.
namespace ep::app {

struct DoctorOptions {
    DatabaseOption database;
    PowerOptions power{};
    session::RunRequest run{}; // its source for --watch; its interval also for --load
    bool test = false;
    bool report = false;
    bool watch = false;
    bool json = false;
    bool load = false;
    bool engine = false;
    double seconds = 5.0; // of the load
    int samples = 10; // 0: until Ctrl-C
    std::string out{}; // of the report
    bool sensors = true; // in the report
};

int testSelf(const DoctorOptions& options, Invocation& invocation);
int reportDiagnostics(const DoctorOptions& options);
int watchPower(const DoctorOptions& options, Invocation& invocation);

} // namespace ep::app
