// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_text.h"
#include "command_words.h"
#include "commands.h"
#include "exit_status.h"
#include "recording_options.h"
#include "resources.h"
#include "run_front.h"
#include "run_text.h"
#include "terminal.h"

#include "ep/core/clock.h"
#include "ep/core/command_record.h"
#include "ep/core/stop_request.h"
#include "ep/session/answer.h"
#include "ep/session/command_control.h"
#include "ep/session/find_program.h"
#include "ep/session/profiler.h"
#include "ep/session/run_settings.h"

#include <QCoreApplication>
#include <QTimer>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ep::app {

namespace {

// While a SignalRelay exists, signals that other programs send to this one are passed to the
// recorded command. Signals of the terminal's keys (Ctrl-C, Ctrl-\) reach the command anyway,
// because it is in our process group, so they are not sent twice. Signals ignored at the start (by
// nohup, for example) stay ignored. Only one instance may exist at a time.
class SignalRelay {
public:
    explicit SignalRelay(std::shared_ptr<session::CommandControl> control);
    ~SignalRelay();
    SignalRelay(const SignalRelay&) = delete;
    SignalRelay& operator=(const SignalRelay&) = delete;

    // How often Ctrl-C, SIGTERM or SIGHUP arrived, from any sender.
    int stops() const;

private:
    std::shared_ptr<session::CommandControl> m_control;
};

constexpr std::array kRelayed{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// A signal handler can only access globals.
std::atomic<session::CommandControl*> relayTarget = nullptr;
std::atomic<int> stopsHeard = 0;
static_assert(std::atomic<session::CommandControl*>::is_always_lock_free);

extern "C" void onRelayedSignal(int number, siginfo_t* info, void* /*context*/)
{
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
        stopsHeard.fetch_add(1);
#ifdef __linux__
    const bool sent = info == nullptr || info->si_code <= 0; // by a process, not by the terminal
#else
    const bool sent = info == nullptr || info->si_pid != 0;
#endif
    if (session::CommandControl* control = relayTarget.load(); control != nullptr && sent)
        control->send(number);
}

SignalRelay::SignalRelay(std::shared_ptr<session::CommandControl> control)
    : m_control(std::move(control))
{
    relayTarget = m_control.get();
    stopsHeard = 0;
    for (const int number : kRelayed) {
        struct sigaction before = {};
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {};
        action.sa_sigaction = onRelayedSignal;
        action.sa_flags = SA_RESTART | SA_SIGINFO;
        ::sigaction(number, &action, nullptr);
    }
}

SignalRelay::~SignalRelay()
{
    for (const int number : kRelayed) {
        struct sigaction now = {};
        ::sigaction(number, nullptr, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == onRelayedSignal)
            std::signal(number, SIG_DFL);
    }
    relayTarget = nullptr;
}

int SignalRelay::stops() const
{
    return stopsHeard.load();
}

struct RecordFrontOptions {
    session::RunRequest request;
    std::filesystem::path
        json{}; // empty: none; "-": standard output, after the command's own output
    bool full = true; // all of the run as JSON, not only an overview
    bool details = false; // all tables, not only the answer
};

// The terminal front end of a recorded command. Standard output belongs to the command, so this
// program writes to standard error, except for the JSON if requested. Needs a QCoreApplication;
// main thread.
class RecordFront : public QObject {
public:
    explicit RecordFront(RecordFrontOptions options);

    int exec(); // returns the exit status of the command

private:
    void checkSignals();
    void heardEnd(const session::RunFinished& finished);
    void heardFailure(const Error& error);

    const RecordFrontOptions m_options;
    SignalRelay m_relay;
    QTimer m_signalCheck;
    ProgressLine m_progress;
    session::Profiler m_profiler;
    int m_stops = 0; // signals received so far
    std::vector<std::int64_t> m_lately; // times of recent signals, in milliseconds
    int m_status = 0;
};

using session::Profiler;

// A command that ignores Ctrl-C is ended by this many signals within this time.
constexpr std::size_t kInsisting = 3;
constexpr std::int64_t kInsistingMs = 3000;

void printBeside(const std::string& text)
{
    static_cast<void>(std::fputs(text.c_str(), stderr));
    static_cast<void>(std::fflush(stderr));
}

RecordFront::RecordFront(RecordFrontOptions options)
    : m_options(std::move(options))
    , m_relay(m_options.request.record->control)
{
    constexpr int kCheckIntervalMs = 20;
    m_signalCheck.setInterval(kCheckIntervalMs);
    connect(&m_signalCheck, &QTimer::timeout, this, &RecordFront::checkSignals);
    connect(&m_profiler, &Profiler::loadProgress, this, m_progress.shown());
    connect(&m_profiler, &Profiler::runStarted, this, [this](const session::RunStarted& started) {
        m_progress.clear();
        if (const auto lack = lackOfEnergy(m_options.request.power, started.info.power);
            !lack.empty())
            printError(lack);
    });
    connect(&m_profiler, &Profiler::finished, this, &RecordFront::heardEnd);
    connect(&m_profiler, &Profiler::failed, this, &RecordFront::heardFailure);
}

int RecordFront::exec()
{
    m_signalCheck.start();
    m_profiler.start(m_options.request);
    QCoreApplication::exec();
    return m_status;
}

void RecordFront::checkSignals()
{
    const int stops = m_relay.stops();
    const bool running = m_options.request.record->control->running();
    if (stops > 0 && !running)
        requestStop(); // the command has received its signal, so this program ends
    if (stops == m_stops)
        return;
    const std::int64_t now = monotonicNow() / 1'000'000;
    m_lately.insert(m_lately.end(), static_cast<std::size_t>(stops - m_stops), now);
    m_stops = stops;
    std::erase_if(m_lately, [&](std::int64_t at) { return now - at > kInsistingMs; });
    // Until the command runs, nothing is lost; then the command decides what a signal means.
    if (!running || m_lately.size() >= kInsisting)
        m_profiler.cancel();
}

void RecordFront::heardEnd(const session::RunFinished& finished)
{
    m_progress.clear();
    const ep::Run& run = *finished.run;
    m_status = m_options.request.record->control->status();
    if (m_options.json != "-") {
        std::string text = "\n" + openingText(run, session::answerOf(run)) + figuresText(run)
            + factLines({run.info, run.metrics}, energy::kOfCommand);
        if (finished.saved)
            text += savedLine(run, m_options.request.database);
        if (m_options.details)
            text += '\n' + summaryText(run);
        printBeside(text);
    }
    if (!finished.save_problem.empty()) {
        printError("The run was not stored: " + finished.save_problem.english());
        m_status = m_status == kExitDone ? kExitFailed : m_status;
    }
    if (!m_options.json.empty()) {
        const Status written = writeStream(m_options.json, [&](std::ostream& sink) {
            return writeRunJson(run, m_options.request.store_texts, m_options.full, sink);
        });
        if (!written)
            m_status = m_status == kExitDone ? fail(written.error()) : m_status;
    }
    QCoreApplication::quit();
}

void RecordFront::heardFailure(const Error& error)
{
    m_progress.clear();
    const int status = m_options.request.record->control->status();
    m_status = fail(error);
    if (status > 0) // as a shell reports that it cannot start a command
        m_status = status;
    QCoreApplication::quit();
}

struct RecordOptions : RecordingOptions {
    std::vector<std::string> words{}; // words of the command, without the `--` before them
    bool python = false;
    bool automatic = false;
    bool twin = false;
    std::string spans_file{};
};

Status addPython(const RecordOptions& options, session::RecordTarget& target)
{
    target.spans_file = options.spans_file;
    if (!options.python && !options.automatic)
        return {};
    target.python = resourceFolder() / "python";
    std::error_code ignored;
    if (!std::filesystem::exists(target.python / "energy_profiler_spans.py", ignored))
        return Error{ErrorCode::NotFound,
                     "The Python file energy_profiler_spans.py of this program is not there: "
                     "install the program again."};
    target.automatic = options.automatic;
    target.depth = options.request.depth;
    target.twin = options.twin;
    return {};
}

int recordCommand(const RecordOptions& options, Invocation& invocation)
{
    std::vector<std::string> command = options.words;
    const std::vector<std::string>& after = wordsAfterDashes();
    command.insert(command.end(), after.begin(), after.end());
    if (command.empty()) {
        printError("There is no command to record: give one after --, as in 'energy-profiler "
                   "record -- python3 app.py'.");
        return kExitUsage;
    }
    int status = 0;
    if (const Status found = session::findProgram(command.front(), status); !found) {
        static_cast<void>(fail(found.error()));
        return status;
    }
    if (!options.json.empty()) {
        if (const Status writable = checkWritable(options.json); !writable)
            return fail(writable.error());
    }
    session::RunRequest request = options.request;
    request.depth = Depth::None;
    session::RecordTarget& target = request.record.emplace();
    target.arguments = std::move(command);
    target.own_group = false; // the terminal's keys go to the command
    target.umask = umaskAtStart();
    if (const Status added = addPython(options, target); !added)
        return fail(added.error());
    const QCoreApplication application(invocation.argc, invocation.argv);
    RecordFront front({.request = std::move(request),
                       .json = options.json,
                       .full = options.full,
                       .details = options.details});
    return front.exec();
}

} // namespace

void addRecordCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<RecordOptions>();
    CLI::App* command = app.add_subcommand(
        "record", "Run a command and measure it: its energy, power, processor time and memory");
    command
        ->add_option("command", options->words,
                     "The command and its arguments, after -- if any of them begins with a dash")
        ->type_name("COMMAND");
    options->power.addTo(*command, options->request);
    addSettings(*command, options->request, kWithCommands);
    command->add_flag("--python", options->python,
                      "Let the command import energy_profiler_spans, which sends spans");
    auto* const automatic =
        command->add_flag("--auto", options->automatic,
                          "The same, and record transformers, mlx-lm and llama-cpp-python when "
                          "they are imported, without a change to the script");
    auto* const depth =
        addSetting(*command, options->request, "profiling_depth")
            ->description("What --auto and attach() send: none (tokens), module (default), deep");
    command
        ->add_flag("--twin", options->twin,
                   "With --auto: generate once without hooks first, which shows what they cost")
        ->needs(automatic);
    addOutput(*command, "--spans-file", options->spans_file,
              "File that the command writes its spans to, instead of a socket");
    options->addKeeping(*command, "Print the run as JSON after the output of the command");
    command->callback([options, depth, &invocation] {
        if (depth->count() > 0 && !options->python && !options->automatic)
            throw CLI::ValidationError("--depth is for --auto or --python: give one of them.");
        options->finish();
        invocation.action = [options, &invocation] { return recordCommand(*options, invocation); };
    });
}

} // namespace ep::app
