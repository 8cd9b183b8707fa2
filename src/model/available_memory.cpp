// SPDX-License-Identifier: GPL-3.0-or-later
// The system-dependent part of checking memory.
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
// Pages that are free or immediately available: macOS' purgeable pages, and the larger of inactive
// (which can be dropped or compressed) and external (of files, recently used or not). Some pages
// are both; the system does not report how many.
std::optional<std::int64_t> availableMemory()
{
    vm_statistics64_data_t statistics = {};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    vm_size_t page = 0;
    const mach_port_t host = mach_host_self(); // adds a right to the port, released below
    const bool known = host_page_size(host, &page) == KERN_SUCCESS
        && host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&statistics),
                             &count)
            == KERN_SUCCESS;
    mach_port_deallocate(mach_task_self(), host);
    if (!known)
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
