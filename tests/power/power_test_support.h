// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/powermetrics_source.h"

#include "ep/power/source.h"

#include <QByteArray>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::test {

// Sets an environment variable for one test; an empty value removes it.
class ScopedEnv {
public:
    ScopedEnv(const char* name, const std::string& value);
    ~ScopedEnv();
    ScopedEnv(const ScopedEnv&) = delete;
    ScopedEnv& operator=(const ScopedEnv&) = delete;

private:
    const char* m_name;
    std::optional<QByteArray> m_before;
};

// What a source reported until it ended.
struct Recording {
    std::vector<PowerSample> samples;
    int ended = 0; // how often ended() came
    bool timedOut = false;
    std::string problem;
    double seconds = 0.0; // from start() to ended()
};

// Starts the source and runs an event loop until it ends, for at most 20 s. Asks it to stop after
// stopAfter samples (negative: never).
Recording record(power::Source& source, int intervalMs, int stopAfter = -1);

// Runs an event loop until the condition holds, for at most 20 s.
bool waitFor(const std::function<bool()>& condition);

// The fake programs, with short timeouts for tests.
power::PowermetricsOptions fakeOptions(bool elevate = true);

std::string readFile(const std::string& path);

// A file that is removed at the end of the test.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace ep::test
