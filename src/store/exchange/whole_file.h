// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace ep::store {

Error cannotWrite(const std::string& file, const std::string& why);

// A temporary file next to the target; deleted unless it has replaced it.
class Draft {
public:
    explicit Draft(const std::string& file);
    ~Draft();
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    const std::filesystem::path& path() const { return m_draft; }
    Status take();

private:
    std::string m_file;
    std::filesystem::path m_draft;
};

using WriteText = std::function<Status(std::ostream&)>;

// Writes a file completely or not at all. Anything other than a file (a pipe, /dev/stdout) is
// written directly.
Status writeWhole(const std::string& file, const WriteText& write);

// Appends text to a file, completely or not at all; processes that append to the same file wait
// for each other. check(stream) examines the existing content, if any, and write() is told whether
// the file is new.
Status appendWhole(const std::string& file, const std::function<Status(std::istream&)>& check,
                   const std::function<Status(std::ostream&, bool isNew)>& write);

} // namespace ep::store
