// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded/span_listener.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"
#include "ep/core/user_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <span>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace ep::session {
namespace {

struct SocketFolder {
    std::filesystem::path path;
    int lock = -1; // a descriptor; close it after removing the folder
};

namespace fs = std::filesystem;

constexpr const char* kPattern = "ep-XXXXXX";
constexpr const char* kLock = "lock";

bool isAbandoned(const fs::path& folder)
{
    struct stat facts = {};
    if (::lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)
        || facts.st_uid != ::geteuid() || (facts.st_mode & 0777U) != 0700U)
        return false;
    const int lock = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) // made by another program, or just being made
        return false;
    const bool free = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
    ::close(lock);
    return free;
}

void removeAbandoned(const fs::path& parent)
{
    std::error_code failed;
    for (fs::directory_iterator at(parent, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::string name = at->path().filename().string();
        std::error_code ignored;
        if (name.starts_with("ep-") && name.size() == std::strlen(kPattern)
            && isAbandoned(at->path()))
            fs::remove_all(at->path(), ignored);
    }
}

// Makes a folder for temporary files that only this user may enter (0700), and removes the folders
// of killed recorders of the same user: nobody holds their lock.
Result<SocketFolder> makeSocketFolder()
{
    std::error_code failed;
    const fs::path parent = fs::temp_directory_path(failed);
    const auto cannot = [](const std::string& what, int problem) {
        return Error{ErrorCode::Io,
                     {"The socket for the spans of the command cannot be made: %1: %2.", what,
                      std::strerror(problem)}};
    };
    if (failed)
        return cannot("TMPDIR", failed.value());
    removeAbandoned(parent);
    std::string name = (parent / kPattern).string();
    if (::mkdtemp(name.data()) == nullptr) // 0700
        return cannot(name, errno);
    SocketFolder folder{.path = name};
    // The lock gets its name once it is held, so that nobody finds it unlocked.
    const fs::path draft = folder.path / "new";
    folder.lock = ::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (folder.lock < 0 || ::flock(folder.lock, LOCK_EX) != 0
        || ::rename(draft.c_str(), (folder.path / kLock).c_str()) != 0) {
        const int problem = errno;
        fs::remove_all(folder.path, failed);
        if (folder.lock >= 0)
            ::close(folder.lock);
        return cannot(name, problem);
    }
    return folder;
}

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
    if (m_folderLock >= 0)
        ::close(m_folderLock);
}

Status SpanListener::makeFolder()
{
    if (!m_folder.empty())
        return {};
    auto made = makeSocketFolder();
    if (!made)
        return made.error();
    m_folder = made->path;
    m_folderLock = made->lock;
    return {};
}

Status SpanListener::useFile(std::filesystem::path file, CancelToken cancel)
{
    if (const Status ordinary = checkOrdinary(file); !ordinary)
        return ordinary;
    m_file = std::move(file);
    m_cancel = std::move(cancel);
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
    return std::exchange(m_new, {});
}

Message SpanListener::trouble() const
{
    return m_noMemory ? Message("There was not enough memory for all spans of the command: the "
                                "later ones are missing.")
                      : m_trouble;
}

SpanListener::Connection& SpanListener::addConnection(int socket)
{
    Connection& connection = m_connections.emplace_back();
    connection.socket = socket;
    connection.sender.id = m_assembler->counts().senders;
    connection.reader = std::make_unique<spans::Reader>(
        [this, &connection](const spans::Record& record) { heard(connection, record); },
        m_assembler->budget());
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
    if (record.sender && connection.socket < 0)
        connection.sender.id = *record.sender;
    m_assembler->add(record, connection.sender);
}

void SpanListener::take(Connection& connection, std::string_view bytes)
{
    m_heard = true;
    connection.reader->feed(bytes);
    constexpr std::size_t kMostWaiting = 256; // for display; further records follow later
    const std::lock_guard lock(m_mutex);
    if (m_new.size() >= kMostWaiting)
        return;
    for (spans::Step& step : m_assembler->takeNew(kMostWaiting - m_new.size()))
        m_new.push_back(std::move(step));
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
    finish(connection);
}

void SpanListener::finish(const Connection& connection)
{
    connection.reader->finish();
    SpanCounts& counts = m_assembler->counts();
    counts.malformed += connection.reader->malformed();
    counts.received += connection.reader->nameless();
    counts.too_many += connection.reader->nameless();
}

// Nothing that is sent may end the program: the run then has what was received before.
void SpanListener::work()
{
    try {
        serve();
    } catch (const std::exception&) {
        for (const Connection& connection : m_connections) {
            if (connection.socket >= 0)
                ::close(connection.socket);
        }
        m_connections.clear();
        ::close(m_socket); // later senders are refused instead of waiting
        m_socket = -1;
        m_noMemory = true;
    }
}

void SpanListener::serve()
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
    auto file = UserFile::open(m_file);
    if (!file) {
        m_trouble = Message("The command wrote no spans: %1", file.error().message);
        return;
    }
    Connection& connection = addConnection(-1);
    // A file was written earlier, so arrival times say nothing about its clock.
    connection.stated_clock = true;
    std::vector<char> buffer(kReadBytes);
    // Ignores data that others write meanwhile, which might never end.
    for (std::int64_t left = file->size(); left > 0 && !m_cancel.cancelled();) {
        const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, kReadBytes));
        const auto got = file->read(std::span(buffer).first(size));
        if (!got)
            m_trouble = got.error().message;
        if (!got || *got == 0)
            break;
        left -= static_cast<std::int64_t>(*got);
        take(connection, {buffer.data(), *got});
    }
    if (m_cancel.cancelled())
        m_trouble = Message("Reading the spans was stopped: the run has those read before.");
    finish(connection);
    m_connections.clear();
}

void SpanListener::end()
{
    if (m_thread.joinable()) {
        static_cast<void>(!::write(m_wake[1], "e", 1));
        m_thread.join();
    }
    if (m_assembler && !m_file.empty()) {
        try {
            readFile();
        } catch (const std::exception&) {
            m_connections.clear();
            m_noMemory = true;
        }
        m_file.clear();
    }
    for (int* descriptor : {&m_socket, &m_wake[0], &m_wake[1]}) {
        if (*descriptor >= 0)
            ::close(*descriptor);
        *descriptor = -1;
    }
}

} // namespace ep::session
