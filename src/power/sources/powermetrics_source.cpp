// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/powermetrics_source.h"

#include "platform/pipe_process.h"

#include "ep/core/clock.h"
#include "ep/core/joined.h"
#include "ep/core/start_thread.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace ep::power {

namespace {

constexpr std::string_view kUnknownSampler = "unrecognized sampler:";

// The first line of the tool's output that is not known noise, truncated.
std::string firstComplaint(std::string_view output)
{
    constexpr std::array<std::string_view, 2> kNoise = {"underflow occured", "proc_pid"};
    constexpr std::size_t kLongest = 200;
    while (!output.empty()) {
        const auto line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(output.size(), line.size() + 1));
        const bool noise = std::ranges::any_of(
            kNoise, [line](std::string_view word) { return line.find(word) != line.npos; });
        if (!noise && line.find_first_not_of(" \t\r") != line.npos)
            return std::string(line.substr(0, kLongest));
    }
    return {};
}

// A text that identifies a failure, and the message for it. {rule} stands for the sudoers rule.
struct Known {
    std::string_view text;
    std::string_view sentence;
};
constexpr std::string_view kNeedsPassword =
    "sudo asks for a password before it runs powermetrics; run `sudo -v` in the same terminal "
    "first, or allow this one command with the sudoers rule `{rule}`.";
constexpr std::string_view kNotAllowed =
    "This account may not run powermetrics through sudo; an administrator can allow this one "
    "command with the sudoers rule `{rule}`.";
constexpr std::array<Known, 10> kKnown = {{
    {"must be invoked as the superuser",
     "powermetrics was not run as root; allow it with the sudoers rule `{rule}`, or choose "
     "another power source."},
    {"a password is required", kNeedsPassword},
    {"interactive authentication is required", kNeedsPassword},
    {"a terminal is required", kNeedsPassword},
    {"no tty present", kNeedsPassword},
    {"must have a tty", kNeedsPassword},
    {"is not in the sudoers file", kNotAllowed},
    {"is not allowed to execute", kNotAllowed},
    {"may not run sudo", kNotAllowed},
    {"Assertion failed",
     "powermetrics crashed, as is known from beta versions of the system; update macOS, or choose "
     "another power source."},
}};

std::string filled(std::string_view sentence, const std::string& rule)
{
    std::string text(sentence);
    constexpr std::string_view kRule = "{rule}";
    if (const auto at = text.find(kRule); at != std::string::npos)
        text.replace(at, kRule.size(), rule);
    return text;
}

std::string readings(int count)
{
    return std::to_string(count) + (count == 1 ? " reading" : " readings");
}

} // namespace

PowermetricsCommand powermetricsCommand()
{
    PowermetricsCommand command;
    command.elevate = geteuid() != 0;
    if (const char* path = std::getenv("EP_POWERMETRICS"); path != nullptr && *path != '\0')
        command.powermetrics = path;
    if (const char* path = std::getenv("EP_SUDO"); path != nullptr && *path != '\0') {
        command.sudo = path;
        command.elevate = true;
    }
    return command;
}

std::vector<std::string> defaultSamplers()
{
    return {"cpu_power", "gpu_power", "ane_power", "thermal"};
}

std::vector<std::string> powermetricsArguments(int intervalMs,
                                               const std::vector<std::string>& samplers)
{
    return {"-i", std::to_string(intervalMs), "-f", "plist", "-b", "0",
            "-s", joined(samplers, ",")};
}

std::string commandLine(const std::vector<std::string>& words)
{
    std::vector<std::string> quoted;
    for (const auto& word : words) {
        const bool plain = !word.empty() && word.find_first_of(" '\"\\$`()&;|<>*?") == word.npos;
        std::string inside;
        for (const char c : word)
            inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
        quoted.push_back(plain ? word : "'" + inside + "'");
    }
    return joined(quoted, " ");
}

std::string sudoersRule(std::string_view user, const PowermetricsCommand& command, int intervalMs,
                        const std::vector<std::string>& samplers)
{
    std::string rule(user);
    rule += " ALL=(root) NOPASSWD: " + command.powermetrics;
    for (const auto& argument : powermetricsArguments(intervalMs, samplers)) {
        rule += ' ';
        for (const char c : argument) {
            if (c == ',' || c == ':' || c == '=' || c == '\\')
                rule += '\\';
            rule += c;
        }
    }
    return rule;
}

std::optional<std::string> unknownSampler(std::string_view output)
{
    const auto at = output.find(kUnknownSampler);
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto rest = output.substr(at + kUnknownSampler.size());
    const auto first = rest.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return std::nullopt;
    const auto name = rest.substr(first, rest.find_first_of(" \t\r\n", first) - first);
    return name.empty() ? std::nullopt : std::optional(std::string(name));
}

std::string explainExit(const PowermetricsExit& exit)
{
    if (!exit.started) {
        const auto& program = exit.command.elevate ? exit.command.sudo : exit.command.powermetrics;
        return "The program " + program
            + " could not be started; powermetrics is part of macOS, choose another power source "
              "on other systems.";
    }
    for (const auto& known : kKnown) {
        if (exit.output.find(known.text) != std::string::npos)
            return filled(known.sentence, exit.allow_rule);
    }
    if (const auto sampler = unknownSampler(exit.output))
        return "This system's powermetrics does not support the sampler " + *sampler
            + ", without which it gives no energy; choose another power source.";
    std::string ended = exit.crashed ? "by a signal" : "with status " + std::to_string(exit.status);
    if (const auto complaint = firstComplaint(exit.output); !complaint.empty())
        ended += " (" + complaint + ")";
    if (exit.documents > 0)
        return "powermetrics ended unexpectedly after " + readings(exit.documents) + ", " + ended
            + "; the run continues without power from this point.";
    return "powermetrics ended before its first reading, " + ended
        + "; try its command in a terminal, or choose another power source.";
}

namespace {

constexpr int kMaxUnreadable = 3; // consecutive documents
constexpr int kSamplerProbeMs = 2'000;

QStringList toQt(const std::vector<std::string>& words)
{
    QStringList list;
    for (const auto& word : words)
        list << QString::fromStdString(word);
    return list;
}

bool isProgram(const std::string& path)
{
    const QFileInfo info(QString::fromStdString(path));
    return info.isFile() && info.isExecutable();
}

std::string userName()
{
    const auto name = qEnvironmentVariable("USER").toStdString();
    return name.empty() ? "%admin" : name;
}

PowermetricsProbe runToFirstReading(const PowermetricsOptions& options, int intervalMs)
{
    PowermetricsProbe probe;
    PowermetricsSource source(options);
    QEventLoop loop;
    QObject::connect(&source, &Source::sampleReady, &loop, [&](const PowerSample& sample) {
        probe.works = true;
        for (std::size_t i = 0; i < kRailCount; ++i) {
            const auto rail = static_cast<Rail>(i);
            if (sample.power_mw[rail] && std::ranges::count(probe.rails, rail) == 0)
                probe.rails.push_back(rail);
        }
        source.stop();
    });
    QObject::connect(&source, &Source::ended, &loop, [&](const Message& problem) {
        probe.problem = problem;
        loop.quit();
    });
    source.start(intervalMs);
    loop.exec();
    probe.samplers = source.samplers();
    return probe;
}

} // namespace

PowermetricsSource::PowermetricsSource(PowermetricsOptions options, QObject* parent)
    : Source(parent)
    , m_options(std::move(options))
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PowermetricsSource::onTimeout);
}

PowermetricsSource::~PowermetricsSource()
{
    // Without stop(), the process still gets the signal, and its pipe closes with ours.
    if (m_process) {
        m_process->disconnect(this);
        m_process->terminate();
    }
}

Message PowermetricsSource::detail() const
{
    std::string text = m_options.command.powermetrics;
    if (!m_machine.empty())
        text += ", " + m_machine;
    if (!m_rails.empty()) {
        text += ", rails";
        for (const Rail rail : m_rails)
            text.append(" ").append(name(rail));
    }
    if (!m_thermalPressure.empty())
        text += ", thermal pressure " + m_thermalPressure;
    return text;
}

void PowermetricsSource::start(int intervalMs)
{
    m_intervalMs = std::max(1, intervalMs);
    const auto& command = m_options.command;
    if (!isProgram(command.powermetrics) || (command.elevate && !isProgram(command.sudo))) {
        const auto missing = isProgram(command.powermetrics) ? command.sudo : command.powermetrics;
        QMetaObject::invokeMethod(
            this,
            [this, missing] {
                end("There is no program " + missing
                    + "; powermetrics is part of macOS, choose another power source on other "
                      "systems.");
            },
            Qt::QueuedConnection);
        return;
    }
    m_options.samplers_known ? sample() : probeSamplers();
}

void PowermetricsSource::newProcess()
{
    // Deletes the old process later, because a handler of its end may be running now.
    if (m_process) {
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    m_process = std::make_unique<PipeProcess>();
    m_splitter = {};
    m_discarded = 0;
}

void PowermetricsSource::probeSamplers()
{
    m_state = State::ProbingSamplers;
    newProcess();
    connect(m_process.get(), &PipeProcess::output, this, [this](const QByteArray& bytes) {
        m_splitter.append({bytes.data(), static_cast<std::size_t>(bytes.size())});
        while (m_splitter.next()) { } // reads only the messages
    });
    connect(m_process.get(), &PipeProcess::finished, this, [this] {
        if (m_state != State::ProbingSamplers)
            return end({}); // stop() was called in the meantime
        dropUnknownSampler() ? probeSamplers() : sample();
    });
    m_timer.start(kSamplerProbeMs);
    // The tool checks sampler names before it checks for root, so no privilege is needed.
    m_process->start(QString::fromStdString(m_options.command.powermetrics), toQt([this] {
                         auto arguments = powermetricsArguments(1, m_options.samplers);
                         arguments.insert(arguments.end(), {"-n", "1"});
                         return arguments;
                     }()));
}

void PowermetricsSource::sample()
{
    m_state = State::Sampling;
    m_windows = WindowTracker(monotonicNow());
    newProcess();
    connect(m_process.get(), &PipeProcess::output, this, &PowermetricsSource::read);
    connect(m_process.get(), &PipeProcess::finished, this, [this](const PipeProcess::Exit& exit) {
        if (m_state == State::Sampling)
            onUnexpectedEnd(exit.started, exit.crashed, exit.status);
        else
            end(m_failure);
    });
    m_timer.start(m_intervalMs + m_options.first_reading_ms);
    const auto& command = m_options.command;
    auto words = powermetricsArguments(m_intervalMs, m_options.samplers);
    if (command.elevate)
        words.insert(words.begin(), {"-n", command.powermetrics});
    m_process->start(QString::fromStdString(command.elevate ? command.sudo : command.powermetrics),
                     toQt(words));
}

void PowermetricsSource::read(const QByteArray& bytes)
{
    const auto arrivalNs = monotonicNow();
    m_splitter.append({bytes.data(), static_cast<std::size_t>(bytes.size())});
    while (const auto xml = m_splitter.next())
        readDocument(*xml, arrivalNs);
}

void PowermetricsSource::readDocument(std::string_view xml, Nanoseconds arrivalNs)
{
    if (m_state == State::Ended || m_state == State::PipeClosed)
        return;
    if (m_discarded != m_splitter.discarded()) {
        m_discarded = m_splitter.discarded();
        m_windows.lost();
    }
    const auto document = readPowermetricsDocument(xml);
    auto sample =
        document ? toPowerSample(*document, {}, arrivalNs) : Result<PowerSample>(document.error());
    if (!sample) {
        // A single unreadable document is skipped and leaves a gap; a machine without sensors fails
        // every time.
        ++m_dropped;
        m_windows.lost();
        const bool hopeless = sample.error().code == ErrorCode::Unsupported;
        if ((hopeless || ++m_unreadable >= kMaxUnreadable) && m_state == State::Sampling) {
            m_failure = sample.error().message;
            terminate();
        }
        return;
    }
    m_unreadable = 0;
    if (m_state == State::Sampling)
        m_timer.start(m_intervalMs + m_options.stall_ms);
    const auto window = m_windows.place(*document->elapsed_ns, arrivalNs);
    if (!window)
        return; // a summary of time that was already counted
    sample->window = *window;
    ++m_readings;
    m_rails = railsOf(*document);
    m_machine = document->hw_model
        + (document->os_build.empty() ? std::string() : " (system " + document->os_build + ")");
    m_thermalPressure = document->thermal_pressure;
    deliver(*std::move(sample));
}

SourceFacts PowermetricsSource::facts() const
{
    return {.dropped = m_dropped + m_splitter.discarded(),
            .rated_mw = {},
            .sample_kind = SampleKind::Power};
}

void PowermetricsSource::stop()
{
    switch (m_state) {
    case State::Idle:
        return end({});
    case State::ProbingSamplers:
    case State::Sampling:
        return terminate();
    case State::Terminating:
    case State::PipeClosed:
    case State::Ended:
        return;
    }
}

void PowermetricsSource::terminate()
{
    m_state = State::Terminating;
    const bool sent = m_process->terminate();
    // A signal that is not permitted has the same effect as one that is ignored.
    m_timer.start(sent ? m_options.terminate_ms : 0);
}

void PowermetricsSource::onTimeout()
{
    switch (m_state) {
    case State::ProbingSamplers:
        // The tool rejects samplers at once, so something else delayed it. The next process is
        // watched as well.
        m_process->terminate();
        return sample();
    case State::Sampling:
        m_failure = m_readings == 0
            ? Message("powermetrics runs but delivers no readings; end other instances of it, or "
                      "choose another power source.")
            : Message("powermetrics stopped delivering after %1 readings; the run continues "
                      "without power from this point.",
                      m_readings);
        return terminate();
    case State::Terminating:
        m_state = State::PipeClosed;
        m_process->closeOutput();
        m_timer.start(m_options.give_up_ms);
        return;
    case State::PipeClosed:
        return end(m_failure);
    case State::Idle:
    case State::Ended:
        return;
    }
}

void PowermetricsSource::onUnexpectedEnd(bool started, bool crashed, int status)
{
    if (m_readings == 0 && dropUnknownSampler())
        return sample();
    PowermetricsExit exit;
    exit.started = started;
    exit.crashed = crashed;
    exit.status = status;
    exit.documents = m_readings;
    exit.output = outputText();
    exit.command = m_options.command;
    exit.allow_rule = sudoersRule(userName(), exit.command, m_intervalMs, m_options.samplers);
    end(explainExit(exit));
}

bool PowermetricsSource::dropUnknownSampler()
{
    const auto unknown = unknownSampler(outputText());
    // Without cpu_power there is no energy, so its failure is reported rather than worked around.
    if (!unknown || *unknown == "cpu_power")
        return false;
    return std::erase(m_options.samplers, *unknown) > 0;
}

std::string PowermetricsSource::outputText() const
{
    return m_splitter.message() + "\n" + m_process->errorText().toStdString();
}

void PowermetricsSource::end(const Message& problem)
{
    if (m_state == State::Ended)
        return;
    m_state = State::Ended;
    m_timer.stop();
    Q_EMIT ended(problem);
}

PowermetricsProbe probePowermetrics(const PowermetricsCommand& command, int intervalMs)
{
    PowermetricsProbe probe;
    const auto path = QString::fromStdString(command.powermetrics);
    if (!QFileInfo(path).isExecutable()) {
        probe.problem =
            Message("There is no program %1; powermetrics is part of macOS.", command.powermetrics);
        return probe;
    }
    PowermetricsOptions options;
    options.command = command;
    options.first_reading_ms = 2'500;
    options.terminate_ms = 300;
    options.give_up_ms = 100;
    // Runs on a separate thread, so that the caller's event loop is not entered.
    std::thread reading;
    const Status started =
        startThread(reading, [&] { probe = runToFirstReading(options, intervalMs); });
    if (started)
        reading.join();
    else
        probe.problem = started.error().message;
    probe.installed = true;
    return probe;
}

} // namespace ep::power
