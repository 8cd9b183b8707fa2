// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/store_writer.h"

#include "ep/core/result.h"
#include "ep/session/events.h"
#include "ep/store/store.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <utility>

// Steps that are common to runs of our engine, of a server and of a command.
namespace ep::session {

// The result of every stage of a cancelled run.
inline Error cancelledRun()
{
    return {ErrorCode::Cancelled, "The run was cancelled."};
}

// An exception of a library must neither end the thread nor lose the recorded data.
template <typename Stage>
Status guarded(Stage stage)
{
    try {
        return stage();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::NoMemory,
                     "There is not enough memory for this run: close other programs, or raise the "
                     "limit (ulimit), then try again."};
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Internal,
                     {"The run failed with an unexpected error: %1", exception.what()}};
    }
}

// Reports before a run starts that it could not be stored.
inline Status checkDatabase(const std::filesystem::path& database)
{
    if (database.empty())
        return {};
    const auto store = store::Store::open(database);
    return store ? Status() : store.error();
}

// Waits until the run is stored; store: null if it is not to be.
inline RunFinished finishedRun(Run run, StoreWriter* store)
{
    RunFinished finished;
    finished.profiler_ns = run.info.profiling.cost_ns;
    finished.run = std::make_shared<const Run>(std::move(run));
    if (store) {
        const Status saved = store->finish(*finished.run);
        finished.saved = saved.has_value();
        if (!saved)
            finished.save_problem = saved.error().message;
    }
    return finished;
}

} // namespace ep::session
