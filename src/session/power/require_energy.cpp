// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/require_energy.h"

namespace ep::session {

Status requireEnergy(const Backend& backend, power::SourceChoice choice, int intervalMs,
                     const std::string& device)
{
    if (choice.kind != "auto")
        return {};
    choice.argument = device;
    const auto feed = backend.makePowerFeed();
    const Status started =
        feed->start(choice, intervalMs,
                    {.sample = [](const PowerSample&) {}, .problem = [](const Message&) {}});
    if (!started)
        return started;
    const bool delivers = feed->kind() != "none";
    const Message reason = feed->reason();
    feed->stop();
    return delivers ? Status() : Error{ErrorCode::InvalidInput, reason};
}

Status refuseNone(const power::SourceChoice& choice)
{
    if (choice.kind != "none")
        return {};
    return Error{ErrorCode::InvalidInput,
                 "Without energies there is no answer: choose another power source than none."};
}

} // namespace ep::session
