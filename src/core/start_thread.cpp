// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/start_thread.h"

namespace ep {

Error cannotStartThread()
{
    return {ErrorCode::Io,
            "The system cannot start another thread: close other programs, or raise the limit of "
            "processes or memory (ulimit), then try again."};
}

} // namespace ep
