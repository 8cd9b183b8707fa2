// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace ep::test {

// File permissions do not apply to root: this acts as an ordinary user, who owns the folder, until
// it is destroyed.
class OrdinaryUser {
public:
    explicit OrdinaryUser(const std::filesystem::path& folder)
    {
        if (::geteuid() != 0)
            return;
        constexpr uid_t kNobody = 65534;
        bool done = ::chown(folder.c_str(), kNobody, kNobody) == 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            done = done && ::chown(entry.path().c_str(), kNobody, kNobody) == 0;
        m_switched = done && ::seteuid(kNobody) == 0;
    }
    ~OrdinaryUser()
    {
        if (m_switched && ::seteuid(0) != 0)
            std::abort(); // otherwise the other tests would fail for no visible reason
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;

private:
    bool m_switched = false;
};

// While it exists, no file grows beyond the limit; to a program this looks like a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const struct rlimit low = {bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &low);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    struct rlimit m_before = {};
    void (*m_handler)(int) = SIG_DFL;
};

inline std::string readFile(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeFile(const std::filesystem::path& file, const std::string& content)
{
    std::ofstream(file, std::ios::binary) << content;
}

} // namespace ep::test
