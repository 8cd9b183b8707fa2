// SPDX-License-Identifier: GPL-3.0-or-later
// The only part of the memory check that depends on the system.
#include "ep/model/memory.h"

#ifdef __APPLE__
#include <algorithm>
#include <mach/mach.h>
#else
#include <fstream>
#include <iterator>
#endif

namespace ep::model {

#ifdef __APPLE__
// Pages that are free or can be had at once: what macOS calls purgeable, and the larger of inactive
// (which it can drop or compress) and external (of files, whether in use of late or not). Some
// pages are both; how many, it does not tell.
std::optional<std::int64_t> availableMemory()
{
    vm_statistics64_data_t statistics = {};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    vm_size_t page = 0;
    const mach_port_t host = mach_host_self();
    if (host_page_size(host, &page) != KERN_SUCCESS
        || host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&statistics),
                             &count)
            != KERN_SUCCESS)
        return std::nullopt;
    const std::int64_t pages = static_cast<std::int64_t>(statistics.free_count)
        + statistics.purgeable_count
        + std::max(statistics.inactive_count, statistics.external_page_count);
    return pages * static_cast<std::int64_t>(page);
}
#else
std::optional<std::int64_t> availableMemory()
{
    std::ifstream file("/proc/meminfo");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return availableFromMeminfo(text);
}
#endif

} // namespace ep::model
