// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep {

// Records that the user wants this process to end (Ctrl-C, SIGTERM). Waits inside a library that no
// CancelToken reaches, such as the wait for the lock of a database, then give up. Any thread.
void requestStop() noexcept;
// Whether a stop was requested half a second ago or earlier: then nothing may be waited for.
bool stopIsDue() noexcept;

} // namespace ep
