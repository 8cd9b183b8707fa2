// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace ep::test {

// A new folder that goes away with this object.
class TempFolder {
public:
    TempFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "ep-store-XXXXXX").string();
        if (::mkdtemp(name.data()))
            m_path = name;
    }
    ~TempFolder()
    {
        std::error_code ignored;
        std::filesystem::permissions(m_path, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(m_path, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

private:
    std::filesystem::path m_path;
};

// Rights of files mean nothing to root: acts as an ordinary user, who owns the folder, until the
// end of its life.
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
            std::abort(); // the other tests would fail for a reason that nobody finds
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;

private:
    bool m_switched = false;
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
