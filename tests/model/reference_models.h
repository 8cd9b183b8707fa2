// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

// The model folders in EP_REFERENCE_DIR that have a golden.json.
namespace ep::model {

inline std::vector<std::string> referenceModels()
{
    std::vector<std::string> names;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(test::referencePath())) {
        if (std::filesystem::exists(entry.path() / "golden.json")
            && std::filesystem::exists(entry.path() / "config.json"))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

inline std::string testName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

} // namespace ep::model
