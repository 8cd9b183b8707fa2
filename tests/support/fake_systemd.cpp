// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of libsystemd's sd-bus that the program uses. The environment variable EP_FAKE_LOGIND
// names a scenario:
//   session   grants everything;  remote  grants the inhibition of idling only
//   refuses   grants nothing;     none    no system bus
// EP_FAKE_LOGIND_PIPE: number of a file descriptor of which each lock is a duplicate, so that a
// test sees when the last one is closed.
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

std::string scenario()
{
    const char* name = std::getenv("EP_FAKE_LOGIND");
    return name != nullptr ? name : "session";
}

struct Reply {
    int fd = -1;
};

int bus = 0; // only its address is used

} // namespace

extern "C" {

int sd_bus_open_system(void** result)
{
    if (scenario() == "none")
        return -2;
    *result = &bus;
    return 0;
}

int sd_bus_set_method_call_timeout(void*, std::uint64_t)
{
    return 0;
}

int sd_bus_call_method(void* on, const char* destination, const char* path, const char* interface,
                       const char* member, void* error, void** reply, const char* types, ...)
{
    if (on != &bus || error != nullptr || std::string(destination) != "org.freedesktop.login1"
        || std::string(path) != "/org/freedesktop/login1"
        || std::string(interface) != "org.freedesktop.login1.Manager"
        || std::string(member) != "Inhibit" || std::string(types) != "ssss")
        return -22;
    std::va_list arguments;
    va_start(arguments, types);
    const std::string what = va_arg(arguments, const char*);
    const std::string who = va_arg(arguments, const char*);
    const std::string why = va_arg(arguments, const char*);
    const std::string mode = va_arg(arguments, const char*);
    va_end(arguments);
    if (who.empty() || why.empty() || mode != "block")
        return -22;
    if (scenario() == "refuses" || (scenario() == "remote" && what != "idle"))
        return -13;
    const char* held = std::getenv("EP_FAKE_LOGIND_PIPE");
    *reply = new Reply{held != nullptr ? ::dup(std::atoi(held)) : -1};
    return 1;
}

int sd_bus_message_read_basic(void* message, char type, void* value)
{
    if (type != 'h')
        return -22;
    std::memcpy(value, &static_cast<Reply*>(message)->fd, sizeof(int));
    return 1;
}

void* sd_bus_message_unref(void* message)
{
    ::close(static_cast<Reply*>(message)->fd); // descriptors are owned by their message
    delete static_cast<Reply*>(message);
    return nullptr;
}

void* sd_bus_flush_close_unref(void*)
{
    return nullptr;
}

} // extern "C"
