// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/process_table.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

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

std::optional<ProcessFacts> factsOf(int pid)
{
    static const double kTick = secondsPerTick();
    proc_bsdinfo info{};
    if (::proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info)
        != static_cast<int>(sizeof info))
        return std::nullopt;
    constexpr std::uint64_t kMicros = 1'000'000;
    ProcessFacts facts;
    facts.parent = static_cast<int>(info.pbi_ppid);
    facts.name = info.pbi_name[0] != '\0' ? info.pbi_name : info.pbi_comm;
    facts.started = info.pbi_start_tvsec * kMicros + info.pbi_start_tvusec;
    rusage_info_v2 usage{};
    if (::proc_pid_rusage(pid, RUSAGE_INFO_V2, reinterpret_cast<rusage_info_t*>(&usage)) == 0) {
        facts.seconds = kTick * static_cast<double>(usage.ri_user_time + usage.ri_system_time);
        facts.resident_bytes = static_cast<std::int64_t>(usage.ri_resident_size);
    }
    return facts;
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

#else

int numberIn(std::string_view text)
{
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? value : 0;
}

// "1234 (name) S parent ...": the name may hold anything.
std::optional<ProcessFacts> factsIn(const std::string& stat)
{
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    std::istringstream rest(stat.substr(close + 1));
    std::string skipped;
    ProcessFacts facts;
    rest >> skipped >> facts.parent;
    constexpr int kBetween = 9; // number of fields from the parent to the times
    for (int i = 0; i < kBetween; ++i)
        rest >> skipped;
    double ticks = 0.0;
    for (int i = 0; i < 4; ++i) { // user and system time, its own and its children's
        double value = 0.0;
        if (!(rest >> value))
            return std::nullopt;
        ticks += value;
    }
    facts.name = stat.substr(open + 1, close - open - 1);
    facts.seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::int64_t pages = 0;
    // priority, nice, threads, itrealvalue, start, size of the address space, resident pages
    if (rest >> skipped >> skipped >> skipped >> skipped >> facts.started >> skipped >> pages)
        facts.resident_bytes = pages * ::sysconf(_SC_PAGESIZE);
    return facts;
}

// Calls visit for entries of a folder that are numbers.
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

std::optional<ProcessFacts> factsOf(int pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    return factsIn(line);
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
            // The kernel lists listening sockets first (Documentation/networking/proc_net_tcp), and
            // a busy proxy leaves thousands of others.
            if (state != "0A")
                break;
            const std::size_t colon = local.rfind(':');
            constexpr int kHex = 16;
            if (colon != std::string::npos
                && std::strtoul(local.c_str() + colon + 1, nullptr, kHex) == port)
                inodes.insert("socket:[" + inode + ']');
        }
    }
    return inodes;
}

#endif

} // namespace

#ifdef __APPLE__

Processes readProcesses()
{
    Processes processes;
    for (const int pid : allProcesses()) {
        if (auto facts = factsOf(pid))
            processes.emplace(pid, *std::move(facts));
    }
    return processes;
}

std::optional<std::vector<int>> childrenOf(int pid)
{
    constexpr int kRoom = 1024;
    std::vector<int> children(kRoom);
    const int count = ::proc_listchildpids(pid, children.data(), kRoom * int{sizeof(int)});
    if (count < 0)
        return std::nullopt;
    children.resize(static_cast<std::size_t>(std::min(count, kRoom)));
    return children;
}

int listenerAt(std::uint16_t port)
{
    for (const int pid : allProcesses()) {
        if (listensAt(pid, port))
            return pid;
    }
    return 0;
}

#else

Processes readProcesses()
{
    Processes processes;
    eachNumbered("/proc", [&](int pid, const std::filesystem::path&) {
        if (auto facts = factsOf(pid))
            processes.emplace(pid, *std::move(facts));
    });
    return processes;
}

std::optional<std::vector<int>> childrenOf(int pid)
{
    std::vector<int> children;
    bool listed = false; // kernels without CONFIG_PROC_CHILDREN have no such file
    eachNumbered("/proc/" + std::to_string(pid) + "/task",
                 [&](int, const std::filesystem::path& thread) {
                     std::ifstream file(thread / "children");
                     listed = listed || file.is_open();
                     for (int child = 0; file >> child;)
                         children.push_back(child);
                 });
    return listed ? std::optional(std::move(children)) : std::nullopt;
}

int listenerAt(std::uint16_t port)
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

std::optional<ProcessFacts> readProcess(int pid)
{
    return factsOf(pid);
}

} // namespace ep::session
