// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"

namespace ep::test {
namespace {

std::string below(std::string_view folder, std::string_view file)
{
    std::string path(folder);
    if (!file.empty()) {
        path.append("/").append(file);
    }
    return path;
}

} // namespace

std::string dataPath(std::string_view file)
{
    return below(EP_SOURCE_DIR "/tests/data", file);
}

std::string sourcePath(std::string_view file)
{
    return below(EP_SOURCE_DIR, file);
}

std::string referencePath(std::string_view file)
{
    return below(EP_REFERENCE_DIR, file);
}

} // namespace ep::test
