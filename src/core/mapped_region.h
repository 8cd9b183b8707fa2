// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ep {

struct MappedRegion;

// Reading a page of a mapping that its file no longer has raises SIGBUS, which would end the
// process. In a watched range of memory such pages read as zeros instead, and the region records
// it. Signals for other addresses go to the previous handler. Any thread.
MappedRegion* watchRegion(const std::byte* begin, std::size_t size);
void unwatchRegion(MappedRegion* region); // call it before unmapping the range
bool hasGaps(const MappedRegion& region);

} // namespace ep
