// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/machine_load.h"
#include "power/run_power.h"
#include "record/current_operation.h"
#include "record/outbox.h"
#include "record/store_writer.h"
#include "run/cover_watch.h"
#include "run/model_cache.h"

#include "ep/core/cancel.h"
#include "ep/session/events.h"

namespace ep::session {

// State that a run shares with the Profiler that started it.
struct RunContext {
    const Backend& backend;
    ModelCache& models;
    Outbox& outbox;
    PublishedOperation& current;
    CancelToken cancel;
    const CoverWatch& cover;
};

// State shared by all stages of a run. Belongs to the inference thread.
struct RunScope {
    const RunRequest& request; // with cleaned prompts
    const RunContext& context;
    RunPower& power;
    StoreWriter* store; // null: the run is not stored
    MachineLoad& load;

    void progress(const Message& what, double fraction = 1.0) const
    {
        context.outbox.put(LoadProgress{fraction, what});
    }
    ProgressFn progressOf() const // for work that reports its own fractions; must not outlive this
    {
        return [this](double fraction, const Message& what) { progress(what, fraction); };
    }
};

} // namespace ep::session
