// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <sys/inotify.h>
#include <unistd.h>

namespace ep::test {

// Counts how often any program opens a file, or a database's files (Linux).
class OpenWatch {
public:
    explicit OpenWatch(const std::filesystem::path& file)
        : m_events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        // Equal events in succession are reported as one, so closing is watched, too.
        for (const char* suffix : {"", "-wal", "-shm"})
            ::inotify_add_watch(m_events, (file.string() + suffix).c_str(), IN_OPEN | IN_CLOSE);
    }
    ~OpenWatch() { ::close(m_events); }
    OpenWatch(const OpenWatch&) = delete;
    OpenWatch& operator=(const OpenWatch&) = delete;

    int opened()
    {
        struct inotify_event event = {};
        while (::read(m_events, &event, sizeof event) == static_cast<ssize_t>(sizeof event))
            m_count += (event.mask & IN_OPEN) != 0 ? 1 : 0;
        return m_count;
    }

private:
    int m_events;
    int m_count = 0;
};

} // namespace ep::test
