// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded/child_process.h"

#include "ep/core/clock.h"
#include "ep/core/command_record.h"
#include "ep/core/mapped_file.h"
#include "ep/core/start_thread.h"
#include "ep/session/find_program.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#endif

namespace ep::session {

namespace {

constexpr int kSignalBase = 128; // added to the signal in exit statuses

char** currentEnvironment()
{
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    return environ;
#endif
}

void useEnvironment(char** variables)
{
#ifdef __APPLE__
    *_NSGetEnviron() = variables;
#else
    environ = variables;
#endif
}

// Everything that the child needs, prepared before the fork: between fork and exec the child may
// only make system calls, since other threads of ours may hold any lock.
class Prepared {
public:
    explicit Prepared(const ChildSpec& spec)
        : m_words(spec.arguments)
    {
        for (char** variable = currentEnvironment(); *variable != nullptr; ++variable) {
            const std::string_view text(*variable);
            bool replaced = false;
            for (const auto& one : spec.environment)
                replaced = replaced || text.starts_with(one.first + '=');
            if (!replaced)
                m_variables.emplace_back(text);
        }
        for (const auto& one : spec.environment)
            m_variables.push_back(one.first + '=' + one.second);
        m_argv = pointersTo(m_words);
        m_environ = pointersTo(m_variables);
    }

    char** argv() { return m_argv.data(); }
    char** environment() { return m_environ.data(); }

private:
    static std::vector<char*> pointersTo(std::vector<std::string>& texts)
    {
        std::vector<char*> pointers;
        for (std::string& text : texts)
            pointers.push_back(text.data());
        pointers.push_back(nullptr);
        return pointers;
    }

    std::vector<std::string> m_words;
    std::vector<std::string> m_variables;
    std::vector<char*> m_argv;
    std::vector<char*> m_environ;
};

// Runs in the child; never returns.
[[noreturn]] void becomeCommand(Prepared& prepared, const ChildSpec& spec, const sigset_t& mask,
                                int report)
{
    if (spec.own_group)
        ::setpgid(0, 0);
    if (spec.umask)
        ::umask(static_cast<mode_t>(*spec.umask));
    if (const int nowhere = spec.prints ? -1 : ::open("/dev/null", O_WRONLY); nowhere >= 0)
        ::dup2(nowhere, STDOUT_FILENO);
    // We ignore these signals, and a command would inherit that; exec resets those that we handle.
    for (const int number : {SIGPIPE, SIGXFSZ})
        std::signal(number, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    useEnvironment(prepared.environment());
    ::execvp(prepared.argv()[0], prepared.argv());
    const int problem = errno;
    static_cast<void>(!::write(report, &problem, sizeof problem));
    ::_exit(kNoSuchProgram);
}

Error cannotExecute(const std::string& program, int problem, int& status)
{
    status = problem == ENOENT || problem == ENOTDIR ? kNoSuchProgram : kCannotExecute;
    return {ErrorCode::NotFound,
            {"The command cannot be started: %1: %2.", program, std::strerror(problem)}};
}

Nanoseconds nanosecondsOf(const timeval& time)
{
    return Nanoseconds{time.tv_sec} * 1'000'000'000 + Nanoseconds{time.tv_usec} * 1'000;
}

} // namespace

Status findProgram(const std::string& program, int& status)
{
    status = 0;
    if (program.find('/') != std::string::npos) {
        if (::access(program.c_str(), X_OK) == 0 && isFile(program))
            return {};
        return cannotExecute(program, ::access(program.c_str(), F_OK) != 0 ? errno : EACCES,
                             status);
    }
    const char* path = std::getenv("PATH");
    const std::string folders = path != nullptr ? path : "/bin:/usr/bin";
    bool forbidden = false;
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string folder = folders.substr(begin, end - begin);
        const std::string file = (folder.empty() ? "." : folder) + '/' + program;
        if (isFile(file) && !program.empty()) {
            if (::access(file.c_str(), X_OK) == 0)
                return {};
            forbidden = true;
        }
        begin = end + 1;
    }
    return cannotExecute(program, forbidden ? EACCES : ENOENT, status);
}

int ChildEnd::status() const
{
    return signal ? kSignalBase + *signal : exit_status.value_or(1);
}

ChildProcess::~ChildProcess()
{
    if (m_waiter.joinable())
        m_waiter.join();
    if (m_pid > 0 && !m_reaped)
        reap();
}

Status ChildProcess::start(const ChildSpec& spec, int& status)
{
    Prepared prepared(spec);
    int report[2];
    if (::pipe(report) != 0)
        return cannotExecute(spec.arguments.front(), errno, status);
    for (const int end : report)
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    // No handler of ours may run in the child before exec: it would write to our pipe.
    sigset_t all;
    sigset_t before;
    sigfillset(&all); // macros on a Mac, so no "::"
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    sigset_t none;
    sigemptyset(&none);
    const pid_t pid = ::fork();
    const int forkProblem = errno;
    if (pid == 0)
        becomeCommand(prepared, spec, none, report[1]);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(report[1]);
    int problem = pid < 0 ? forkProblem : 0;
    if (pid > 0) {
        ssize_t got = 0;
        do {
            got = ::read(report[0], &problem, sizeof problem);
        } while (got < 0 && errno == EINTR);
        if (got != static_cast<ssize_t>(sizeof problem))
            problem = 0;
    }
    ::close(report[0]);
    if (problem != 0) {
        if (pid > 0)
            ::waitpid(pid, nullptr, 0);
        return cannotExecute(spec.arguments.front(), problem, status);
    }
    m_pid = pid;
    m_ownGroup = spec.own_group;
    const Status waiting = startThread(m_waiter, [this] {
        siginfo_t info{};
        while (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT) != 0
               && errno == EINTR) { }
        const std::lock_guard lock(m_mutex);
        m_endedAt = monotonicNow();
        m_changed.notify_all();
    });
    if (!waiting) { // nobody would notice that the command ended
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        m_pid = 0;
    }
    return waiting;
}

Status ChildProcess::send(int signal) const
{
    const int target = m_ownGroup ? -m_pid : m_pid;
    if (::kill(target, signal) == 0 || errno == ESRCH)
        return {};
    return Error{
        ErrorCode::Io,
        {"The command does not take signals from this program (does it run as another user?): %1.",
         std::strerror(errno)}};
}

bool ChildProcess::waitFor(Nanoseconds time)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::nanoseconds(time),
                              [this] { return m_endedAt.has_value(); });
}

ChildEnd ChildProcess::reap()
{
    ChildEnd end;
    {
        const std::lock_guard lock(m_mutex);
        end.at_ns = m_endedAt.value_or(monotonicNow());
    }
    int state = 0;
    rusage usage{};
    while (::wait4(m_pid, &state, 0, &usage) < 0 && errno == EINTR) { }
    m_reaped = true;
    if (WIFEXITED(state))
        end.exit_status = WEXITSTATUS(state);
    else if (WIFSIGNALED(state))
        end.signal = WTERMSIG(state);
    end.processor_ns = nanosecondsOf(usage.ru_utime) + nanosecondsOf(usage.ru_stime);
#ifdef __APPLE__
    end.largest_bytes = usage.ru_maxrss;
#else
    constexpr std::int64_t kKilobyte = 1024;
    end.largest_bytes = usage.ru_maxrss * kKilobyte;
#endif
    return end;
}

Result<std::vector<std::string>> startableWords(std::string_view line)
{
    auto words = commandWords(line);
    if (!words)
        return words;
    int unused = 0;
    if (const Status found = findProgram(words->empty() ? "" : words->front(), unused); !found)
        return found.error();
    return words;
}

} // namespace ep::session
