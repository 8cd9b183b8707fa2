// SPDX-License-Identifier: GPL-3.0-or-later
//
// A fake of `sudo -n PROGRAM ARGUMENTS...`: runs the program as its child, passes signals on and
// ends with its status. It grants no rights; the child is only told to act as root (EP_FAKE_ROOT).
// EP_FAKE_SUDO selects a fault:
//   password | sudo-rs | no-tty | not-allowed | not-in-sudoers   the message, status 1
//   no-relay   keeps signals for itself
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {
volatile sig_atomic_t g_child = 0;
}

int main(int argc, char** argv)
{
    const std::map<std::string, std::string> refusals = {
        {"password", "sudo: a password is required"},
        {"sudo-rs", "sudo: interactive authentication is required"},
        {"no-tty", "sudo: no tty present and no askpass program specified"},
        {"not-allowed",
         "Sorry, user sam is not allowed to execute '/usr/bin/powermetrics' as root on mac."},
        {"not-in-sudoers", "sam is not in the sudoers file.  This incident will be reported."},
    };
    const char* text = std::getenv("EP_FAKE_SUDO");
    const std::string scenario = text == nullptr ? "" : text;
    if (const auto refusal = refusals.find(scenario); refusal != refusals.end()) {
        std::fprintf(stderr, "%s\n", refusal->second.c_str());
        return 1;
    }
    if (argc < 3 || std::strcmp(argv[1], "-n") != 0) {
        std::fputs("usage: sudo -n command\n", stderr);
        return 1;
    }

    setenv("EP_FAKE_ROOT", "1", 1);
    // Signals are blocked until the child is known.
    sigset_t relayed;
    sigset_t before;
    sigemptyset(&relayed);
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&relayed, number);
    sigprocmask(SIG_BLOCK, &relayed, &before);
    const pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, nullptr);
        execv(argv[2], argv + 2);
        std::fprintf(stderr, "sudo: %s: command not found\n", argv[2]);
        _exit(1);
    }
    g_child = child;
    struct sigaction action { };
    action.sa_handler =
        scenario == "no-relay" ? SIG_IGN : [](int number) { kill(g_child, number); };
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        sigaction(number, &action, nullptr);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
