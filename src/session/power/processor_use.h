// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep::session {

// Other processes whose work counts as the run's own.
class ProcessorUse {
public:
    virtual ~ProcessorUse() = default;
    // Processor time of these processes so far; absent if it is unknown or if they are gone.
    virtual std::optional<double> cpuSeconds() const = 0;
};

} // namespace ep::session
