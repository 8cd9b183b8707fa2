// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep {

// The part of Objective-C's C interface that is needed here, with prototypes of our own, so that
// it compiles everywhere and can be tested with a fake.
struct ObjectiveC {
    void* (*get_class)(const char* name) = nullptr; // objc_getClass
    void* (*selector)(const char* name) = nullptr; // sel_registerName
    void (*send)() = nullptr; // objc_msgSend, to be cast to the type of the method
    void* (*push_pool)() = nullptr; // objc_autoreleasePoolPush
    void (*pop_pool)(void* pool) = nullptr; // objc_autoreleasePoolPop
};

// The runtime of this process; absent if it has none, that is, on all systems except macOS.
std::optional<ObjectiveC> findObjectiveC();

// Sends a message to an object or a class. The argument types must match those of the method
// exactly. A null receiver returns null.
template <typename... Arguments>
void* send(const ObjectiveC& runtime, void* receiver, const char* message, Arguments... arguments)
{
    using Send = void* (*)(void*, void*, Arguments...);
    return reinterpret_cast<Send>(runtime.send)(receiver, runtime.selector(message), arguments...);
}

// Releases objects returned by methods when it is destroyed. Required on threads that neither Qt
// nor Cocoa created.
class AutoreleasePool {
public:
    explicit AutoreleasePool(const ObjectiveC& runtime)
        : m_runtime(runtime)
        , m_pool(runtime.push_pool())
    {
    }
    ~AutoreleasePool() { m_runtime.pop_pool(m_pool); }
    AutoreleasePool(const AutoreleasePool&) = delete;
    AutoreleasePool& operator=(const AutoreleasePool&) = delete;

private:
    const ObjectiveC& m_runtime;
    void* m_pool;
};

} // namespace ep
