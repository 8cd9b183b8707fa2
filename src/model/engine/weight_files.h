// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"

#include <memory>
#include <vector>

namespace ep::model {

// The mapped files that an engine's weights are read from. Weights that were copied no longer
// depend on their file, so files that nothing refers to are not checked any more.
class WeightFiles {
public:
    WeightFiles() = default;
    explicit WeightFiles(const Checkpoint& checkpoint);

    // Call after every step. Returns an error if weights have been read that no longer exist. Costs
    // nothing.
    Status whole() const;
    // Like whole(), but also returns an error if a file was written to since it was opened.
    Status unchanged() const;

private:
    std::vector<std::weak_ptr<const MappedFile>> m_files;
};

} // namespace ep::model
