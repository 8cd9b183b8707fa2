// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/plist_splitter.h"
#include "ep/power/powermetrics_document.h"
#include "ep/power/source.h"
#include "ep/power/window_tracker.h"

#include <QByteArray>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::power {

// Programs, and how to call them.
struct PowermetricsCommand {
    std::string powermetrics = "/usr/bin/powermetrics";
    std::string sudo = "/usr/bin/sudo";
    bool elevate = true; // through `sudo -n`; false if the process is already root

    bool operator==(const PowermetricsCommand&) const = default;
};

// The system's programs; the environment variables EP_POWERMETRICS and EP_SUDO replace their paths
// for testing. Elevates unless this process is root; an explicit EP_SUDO is always used.
PowermetricsCommand powermetricsCommand();

// The samplers, in the order in which they are requested. Systems before macOS 13 do not know
// ane_power.
std::vector<std::string> defaultSamplers();

// The fixed argument vector: -i <ms> -f plist -b 0 -s <samplers>. Short options only: the long ones
// differ between systems. A sudoers rule that pins the vector depends on every byte of it.
std::vector<std::string> powermetricsArguments(int intervalMs,
                                               const std::vector<std::string>& samplers);

// Program and arguments as one shell-quoted line, for messages.
std::string commandLine(const std::vector<std::string>& words);

// The rule that lets `user` run exactly this vector without a password.
std::string sudoersRule(std::string_view user, const PowermetricsCommand& command, int intervalMs,
                        const std::vector<std::string>& samplers);

// Returns NAME from "unrecognized sampler: NAME" in the tool's output.
std::optional<std::string> unknownSampler(std::string_view output);

// Facts about how a powermetrics process ended unexpectedly.
struct PowermetricsExit {
    bool started = true; // false: the program could not be executed
    bool crashed = false; // ended by a signal
    int status = 0; // exit status
    int documents = 0; // readings delivered before the end
    std::string output; // text on stdout outside of documents, and stderr
    std::string allow_rule; // sudoersRule() of the call
    PowermetricsCommand command;
};

// One sentence for the user: what happened and what to do.
std::string explainExit(const PowermetricsExit& exit);

struct PowermetricsProbe {
    bool installed = false; // the program exists
    bool works = false; // a reading arrived
    Message problem; // why it does not work
    std::vector<Rail> rails;
    std::vector<std::string> samplers; // samplers that this system knows
};

// Runs the exact command of a measurement until its first reading: a sudoers rule may pin
// every argument, so only that shows whether it works. Blocks for at most about 3 s; any
// thread.
PowermetricsProbe probePowermetrics(const PowermetricsCommand& command, int intervalMs);

class PipeProcess;

struct PowermetricsOptions {
    PowermetricsCommand command = powermetricsCommand();
    std::vector<std::string> samplers = defaultSamplers();
    bool samplers_known = false; // true: a probe has shown that the system knows all of them
    int first_reading_ms = 10'000; // beyond the interval, until the source fails
    int stall_ms = 5'000; // maximum time between two readings, beyond the interval
    int terminate_ms = 2'000; // from SIGTERM to closing the pipe
    int give_up_ms = 500; // from closing the pipe to abandoning the process
};

// Apple's powermetrics, run once for a whole measurement (macOS, as root or through `sudo -n`).
//
// start() first checks without privileges which samplers the tool knows, and drops the unknown
// ones. Then it reads the endless stream. stop() sends SIGTERM, closes the pipe after terminate_ms,
// and never kills: sudo could not relay that to its child.
class PowermetricsSource : public Source {
    Q_OBJECT
public:
    explicit PowermetricsSource(PowermetricsOptions options = {}, QObject* parent = nullptr);
    ~PowermetricsSource() override;

    std::string kind() const override { return "powermetrics"; }
    Message detail() const override; // machine, rails and command, as far as known
    SourceFacts facts() const override;
    void start(int intervalMs) override;
    void stop() override;

    const std::vector<std::string>& samplers() const { return m_options.samplers; }

private:
    enum class State { Idle, ProbingSamplers, Sampling, Terminating, PipeClosed, Ended };

    void newProcess();
    void probeSamplers();
    void sample();
    void read(const QByteArray& bytes);
    void readDocument(std::string_view xml, Nanoseconds arrivalNs);
    void onTimeout();
    void onUnexpectedEnd(bool started, bool crashed, int status);
    void terminate();
    void end(const Message& problem);
    bool dropUnknownSampler();
    std::string outputText() const;

    PowermetricsOptions m_options;
    State m_state = State::Idle;
    int m_intervalMs = kUsualIntervalMs;
    std::unique_ptr<PipeProcess> m_process;
    QTimer m_timer; // timeout of the current state
    PlistSplitter m_splitter;
    WindowTracker m_windows;
    std::string m_machine;
    std::vector<Rail> m_rails;
    std::string m_thermalPressure;
    Message m_failure; // why it is being terminated, unless requested
    int m_readings = 0;
    int m_unreadable = 0; // consecutive unreadable documents
    std::int64_t m_dropped = 0;
    int m_discarded = 0; // count of the splitter at the last check
};

} // namespace ep::power
