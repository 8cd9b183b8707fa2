// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded/span_listener.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ep::session {

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kMaxConnections = 256;
// Records arrive moments after their timestamps; a larger difference means another clock.
constexpr Nanoseconds kOtherClock = 1'000'000'000;

Error cannotListen(const char* what)
{
    return {ErrorCode::Io,
            {"The socket for the spans of the command cannot be made: %1: %2.", what,
             std::strerror(errno)}};
}

void setUp(int socket)
{
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
}

} // namespace

SpanListener::~SpanListener()
{
    end();
    std::error_code ignored;
    if (!m_folder.empty())
        std::filesystem::remove_all(m_folder, ignored);
}

Status SpanListener::makeFolder()
{
    if (!m_folder.empty())
        return {};
    std::string folder = (std::filesystem::temp_directory_path() / "ep-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) // 0700
        return cannotListen(folder.c_str());
    m_folder = folder;
    return {};
}

Status SpanListener::addFile(const std::string& name, const std::string& text)
{
    if (const Status made = makeFolder(); !made)
        return made;
    const std::filesystem::path file = m_folder / name;
    std::ofstream sink(file, std::ios::binary);
    sink << text;
    sink.close();
    return sink ? Status() : cannotListen(file.c_str());
}

Status SpanListener::listen()
{
    if (const Status made = makeFolder(); !made)
        return made;
    const std::string path = (m_folder / "spans").string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return cannotListen(path.c_str());
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    m_socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    constexpr int kWaiting = 64;
    if (m_socket < 0
        || ::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(m_socket, kWaiting) != 0)
        return cannotListen(path.c_str());
    setUp(m_socket);
    return {};
}

std::string SpanListener::address() const
{
    return m_file.empty() ? "unix:" + (m_folder / "spans").string() : "file:" + m_file.string();
}

Status SpanListener::begin(Nanoseconds at)
{
    m_assembler.emplace(at);
    if (m_socket < 0)
        return {};
    if (::pipe(m_wake) != 0)
        return cannotListen("pipe");
    for (const int end : m_wake)
        setUp(end);
    return startThread(m_thread, [this] { work(); });
}

std::vector<spans::Step> SpanListener::takeNew()
{
    const std::lock_guard lock(m_mutex);
    return m_assembler ? m_assembler->takeNew() : std::vector<spans::Step>();
}

SpanListener::Connection& SpanListener::addConnection(int socket)
{
    Connection& connection = m_connections.emplace_back();
    connection.socket = socket;
    connection.reader = std::make_unique<spans::Reader>(
        [this, &connection](const spans::Record& record) { heard(connection, record); });
    ++m_assembler->counts().senders;
    return connection;
}

void SpanListener::accept()
{
    for (int socket = -1; (socket = ::accept(m_socket, nullptr, nullptr)) >= 0;) {
        if (m_connections.size() >= kMaxConnections) {
            ::close(socket);
            continue;
        }
        setUp(socket);
        const std::lock_guard lock(m_mutex);
        addConnection(socket);
    }
}

void SpanListener::heard(Connection& connection, const spans::Record& record)
{
    // The first statement of a clock decides: senders send one when they connect.
    if (record.clock_ns && !connection.stated_clock) {
        connection.stated_clock = true;
        const Nanoseconds difference = wrappingDifference(monotonicNow(), *record.clock_ns);
        if (difference > kOtherClock || difference < -kOtherClock) {
            connection.sender.shift_ns = difference;
            m_assembler->counts().clock_shift_ns = difference;
        }
    }
    m_assembler->add(record, connection.sender);
}

void SpanListener::take(Connection& connection, std::string_view bytes)
{
    m_heard = true;
    const std::lock_guard lock(m_mutex);
    connection.reader->feed(bytes);
}

bool SpanListener::read(Connection& connection)
{
    static thread_local std::array<char, kReadBytes> buffer;
    constexpr int kMaxReads = 16; // then other connections get their turn
    for (int i = 0; i < kMaxReads; ++i) {
        const ssize_t got = ::read(connection.socket, buffer.data(), buffer.size());
        if (got > 0)
            take(connection, {buffer.data(), static_cast<std::size_t>(got)});
        else if (got < 0 && errno == EINTR)
            continue;
        else
            return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
    return true;
}

void SpanListener::close(Connection& connection)
{
    ::close(connection.socket);
    connection.socket = -1;
    const std::lock_guard lock(m_mutex);
    connection.reader->finish();
    m_assembler->counts().malformed += connection.reader->malformed();
}

void SpanListener::work()
{
    bool ending = false;
    while (!ending) {
        std::vector<pollfd> waited{{m_wake[0], POLLIN, 0}, {m_socket, POLLIN, 0}};
        for (const Connection& connection : m_connections)
            waited.push_back({connection.socket, POLLIN, 0});
        if (::poll(waited.data(), static_cast<nfds_t>(waited.size()), -1) < 0 && errno != EINTR)
            return;
        ending = waited[0].revents != 0;
        std::size_t index = 2;
        for (auto it = m_connections.begin(); it != m_connections.end(); ++index) {
            const bool ready = ending || (index < waited.size() && waited[index].revents != 0);
            if (ready && !read(*it)) {
                close(*it);
                it = m_connections.erase(it);
            } else {
                ++it;
            }
        }
        accept();
    }
    // Reads what was sent before the command ended.
    for (Connection& connection : m_connections) {
        read(connection);
        close(connection);
    }
    m_connections.clear();
}

void SpanListener::readFile()
{
    std::ifstream file(m_file, std::ios::binary);
    if (!file)
        return;
    Connection& connection = addConnection(-1);
    // A file was written earlier, so arrival times say nothing about its clock.
    connection.stated_clock = true;
    std::vector<char> buffer(kReadBytes);
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
        take(connection, {buffer.data(), static_cast<std::size_t>(file.gcount())});
    connection.reader->finish();
    m_assembler->counts().malformed += connection.reader->malformed();
    m_connections.clear();
}

void SpanListener::end()
{
    if (m_thread.joinable()) {
        static_cast<void>(!::write(m_wake[1], "e", 1));
        m_thread.join();
        if (!m_file.empty())
            readFile();
    } else if (m_assembler && !m_file.empty()) {
        readFile();
        m_file.clear();
    }
    for (int* descriptor : {&m_socket, &m_wake[0], &m_wake[1]}) {
        if (*descriptor >= 0)
            ::close(*descriptor);
        *descriptor = -1;
    }
}

} // namespace ep::session
