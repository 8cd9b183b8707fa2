// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/no_layers.h"

namespace ep {

std::string whyNoLayers(const RunInfo& run)
{
    if (run.profiling.server)
        return "Layers and components are not visible from outside.";
    if (run.profiling.command)
        return "The command sent no layers.";
    if (run.power.source == kImportedSource)
        return "A recording of power has no layers. It shows the energy of each rail and, where a "
               "file of requests was imported with it, of each request.";
    return run.depth == Depth::None ? "This run recorded no layers: its depth was none."
                                    : "This run ended before a token was complete.";
}

} // namespace ep
