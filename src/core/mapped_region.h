// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ep {

struct MappedRegion;

// Reading a page of a mapping that its file no longer has raises SIGBUS, which would end the
// process. While a range of memory is watched, such pages read as zeros instead, and the region
// says so. Signals for other addresses go to the handler that was installed before. Any thread.
MappedRegion* watchRegion(const std::byte* begin, std::size_t size);
void unwatchRegion(MappedRegion* region); // before the range is unmapped
bool hasGaps(const MappedRegion& region);

} // namespace ep
