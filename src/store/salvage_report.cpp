// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/store_files.h"

namespace ep::store {

std::string SalvageReport::sentence() const
{
    const auto all = saved + static_cast<std::int64_t>(partly.size());
    std::string text = std::to_string(all) + (all == 1 ? " run" : " runs");
    if (!partly.empty())
        text += ", " + std::to_string(partly.size()) + " of them only in part";
    if (lost > 0)
        text += "; " + std::to_string(lost) + " could not be saved";
    return text;
}

std::filesystem::path recoveredFile(const std::filesystem::path& database)
{
    return database.parent_path()
        / (database.stem().string() + ".recovered" + database.extension().string());
}

} // namespace ep::store
