// SPDX-License-Identifier: GPL-3.0-or-later
#include "weight_files.h"

namespace ep::model {

WeightFiles::WeightFiles(const Checkpoint& checkpoint)
    : m_files(checkpoint.files().begin(), checkpoint.files().end())
{
}

Status WeightFiles::whole() const
{
    for (const auto& weak : m_files) {
        if (const auto file = weak.lock(); file && file->hasGaps())
            return file->unchanged();
    }
    return {};
}

Status WeightFiles::unchanged() const
{
    for (const auto& weak : m_files) {
        const auto file = weak.lock();
        if (!file)
            continue;
        if (const Status status = file->unchanged(); !status)
            return status;
    }
    return {};
}

} // namespace ep::model
