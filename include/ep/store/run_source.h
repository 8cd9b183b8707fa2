// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <functional>

namespace ep::store {

// Where an export takes a run from. A stored run is read piece by piece, so that an export's
// memory does not grow with the run.
class RunSource {
public:
    enum class Parts {
        All,
        Overview, // without layers, components and operations
    };
    // Receives pieces of a run; if it returns an error, reading ends with that error.
    using Take = std::function<Status(const RunTrace& piece)>;

    virtual ~RunSource() = default;
    // The run; sections, tokens, layers, components and operations may be missing from its trace.
    virtual const Run& head() const = 0;
    // Reads these parts in the order of the trace, a few steps at a time. May be called again.
    virtual Status read(Parts parts, const Take& take) const = 0;
};

class RunInMemory final : public RunSource {
public:
    explicit RunInMemory(const Run& run) // run must outlive this object
        : m_run(run)
    {
    }
    const Run& head() const override { return m_run; }
    Status read(Parts, const Take& take) const override { return take(m_run.trace); }

private:
    const Run& m_run;
};

} // namespace ep::store
