// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/folders.h"

#include <fstream>
#include <sstream>
#include <string>

namespace ep::test {

// An answer in the shape of a real server's (tests/data/attach).
inline std::string recordedAnswer(const std::string& name)
{
    std::ifstream file(dataPath("attach/" + name), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace ep::test
