// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/server_process.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#ifdef __APPLE__
#include <arpa/inet.h>
#include <libproc.h>
#include <mach/mach_time.h>
#include <sys/proc_info.h>
#else
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#endif

namespace ep::session {

namespace {

struct ProcessFacts {
    int parent = 0;
    double seconds = 0.0; // its own, and that of children it has waited for
    std::string name{};
};
using Processes = std::map<int, ProcessFacts>;

#ifdef __APPLE__

std::vector<int> allProcesses()
{
    std::vector<int> pids(static_cast<std::size_t>(std::max(0, ::proc_listallpids(nullptr, 0)))
                          + 64);
    const int count = ::proc_listallpids(pids.data(), static_cast<int>(pids.size() * sizeof(int)));
    pids.resize(static_cast<std::size_t>(std::max(0, count)));
    return pids;
}

double secondsPerTick()
{
    mach_timebase_info_data_t base{};
    ::mach_timebase_info(&base);
    return base.denom == 0 ? 1e-9 : 1e-9 * base.numer / base.denom;
}

Processes readProcesses()
{
    const double tick = secondsPerTick();
    Processes processes;
    for (const int pid : allProcesses()) {
        proc_bsdinfo info{};
        if (::proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info)
            != static_cast<int>(sizeof info))
            continue;
        ProcessFacts& facts = processes[pid];
        facts.parent = static_cast<int>(info.pbi_ppid);
        facts.name = info.pbi_name[0] != '\0' ? info.pbi_name : info.pbi_comm;
        rusage_info_v2 usage{};
        if (::proc_pid_rusage(pid, RUSAGE_INFO_V2, reinterpret_cast<rusage_info_t*>(&usage)) == 0)
            facts.seconds = tick * static_cast<double>(usage.ri_user_time + usage.ri_system_time);
    }
    return processes;
}

bool listensAt(int pid, std::uint16_t port)
{
    const int size = ::proc_pidinfo(pid, PROC_PIDLISTFDS, 0, nullptr, 0);
    if (size <= 0)
        return false;
    std::vector<proc_fdinfo> files(static_cast<std::size_t>(size) / sizeof(proc_fdinfo) + 16);
    const int got = ::proc_pidinfo(pid, PROC_PIDLISTFDS, 0, files.data(),
                                   static_cast<int>(files.size() * sizeof(proc_fdinfo)));
    files.resize(static_cast<std::size_t>(std::max(0, got)) / sizeof(proc_fdinfo));
    for (const proc_fdinfo& file : files) {
        socket_fdinfo socket{};
        if (file.proc_fdtype != PROX_FDTYPE_SOCKET
            || ::proc_pidfdinfo(pid, file.proc_fd, PROC_PIDFDSOCKETINFO, &socket, sizeof socket)
                != static_cast<int>(sizeof socket)
            || socket.psi.soi_kind != SOCKINFO_TCP)
            continue;
        const tcp_sockinfo& tcp = socket.psi.soi_proto.pri_tcp;
        if (tcp.tcpsi_state == TSI_S_LISTEN
            && ntohs(static_cast<std::uint16_t>(tcp.tcpsi_ini.insi_lport)) == port)
            return true;
    }
    return false;
}

int listener(std::uint16_t port)
{
    for (const int pid : allProcesses()) {
        if (listensAt(pid, port))
            return pid;
    }
    return 0;
}

#else

int numberIn(std::string_view text)
{
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? value : 0;
}

// "1234 (name) S parent ...": the name may hold anything.
std::optional<ProcessFacts> factsOf(const std::string& stat)
{
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    std::istringstream rest(stat.substr(close + 1));
    std::string skipped;
    ProcessFacts facts;
    rest >> skipped >> facts.parent;
    constexpr int kBetween = 9; // fields from the parent to the times
    for (int i = 0; i < kBetween; ++i)
        rest >> skipped;
    double ticks = 0.0;
    for (int i = 0; i < 4; ++i) { // user, system, and those of children
        double value = 0.0;
        if (!(rest >> value))
            return std::nullopt;
        ticks += value;
    }
    facts.name = stat.substr(open + 1, close - open - 1);
    facts.seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return facts;
}

// The numbers among the entries of a folder.
template <typename Visit>
void eachNumbered(const std::filesystem::path& folder, const Visit& visit)
{
    std::error_code ignored;
    for (std::filesystem::directory_iterator it(folder, ignored), end; it != end;
         it.increment(ignored)) {
        if (ignored)
            return;
        if (const int number = numberIn(it->path().filename().string()); number > 0)
            visit(number, it->path());
    }
}

Processes readProcesses()
{
    Processes processes;
    eachNumbered("/proc", [&](int pid, const std::filesystem::path& folder) {
        std::ifstream file(folder / "stat");
        std::string line;
        std::getline(file, line);
        if (auto facts = factsOf(line))
            processes.emplace(pid, *std::move(facts));
    });
    return processes;
}

// Inodes of the sockets that listen at the port. Lines: "0: 0100007F:1F90 00000000:0000 0A ...".
std::set<std::string> listeningSockets(std::uint16_t port)
{
    std::set<std::string> inodes;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream file(table);
        std::string line;
        std::getline(file, line); // headings
        while (std::getline(file, line)) {
            std::istringstream fields(line);
            std::string number, local, remote, state, queues, timer, retransmits, uid, timeout,
                inode;
            fields >> number >> local >> remote >> state >> queues >> timer >> retransmits >> uid
                >> timeout >> inode;
            const std::size_t colon = local.rfind(':');
            constexpr int kHex = 16;
            if (state == "0A" && colon != std::string::npos
                && std::strtoul(local.c_str() + colon + 1, nullptr, kHex) == port)
                inodes.insert("socket:[" + inode + ']');
        }
    }
    return inodes;
}

int listener(std::uint16_t port)
{
    const std::set<std::string> sockets = listeningSockets(port);
    int found = 0;
    if (sockets.empty())
        return 0;
    eachNumbered("/proc", [&](int pid, const std::filesystem::path& folder) {
        if (found != 0)
            return;
        eachNumbered(folder / "fd", [&](int, const std::filesystem::path& file) {
            std::error_code ignored;
            if (sockets.contains(std::filesystem::read_symlink(file, ignored).string()))
                found = pid;
        });
    });
    return found;
}

#endif

// A server that another user runs, as Ollama's service does.
int processOf(std::string_view engine)
{
    const char* name = engine.starts_with("Ollama") ? "ollama"
        : engine.starts_with("llama.cpp")           ? "llama-server"
                                                    : nullptr;
    if (name == nullptr)
        return 0;
    for (const auto& [pid, facts] : readProcesses()) { // the oldest is the root of the tree
        if (facts.name == name)
            return pid;
    }
    return 0;
}

} // namespace

ServerProcess::ServerProcess(std::uint16_t port, std::string_view engine)
    : m_pid(listener(port))
{
    if (m_pid == 0)
        m_pid = processOf(engine);
}

std::optional<double> ServerProcess::cpuSeconds() const
{
    const Processes processes = readProcesses();
    if (m_pid == 0 || !processes.contains(m_pid))
        return std::nullopt;
    double seconds = 0.0;
    for (const auto& [pid, facts] : processes) {
        // Up to the root of the tree; bounded, as ids may be reused while they are read.
        int above = pid;
        for (int depth = 0; above != m_pid && above > 1 && depth < 64; ++depth) {
            const auto parent = processes.find(above);
            above = parent == processes.end() ? 0 : parent->second.parent;
        }
        if (above == m_pid)
            seconds += facts.seconds;
    }
    return seconds;
}

} // namespace ep::session
