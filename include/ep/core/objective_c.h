// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep {

// The C interface of Objective-C, as far as it is needed here; prototypes of our own, so that this
// compiles everywhere and can be tested with a fake.
struct ObjectiveC {
    void* (*get_class)(const char* name) = nullptr; // objc_getClass
    void* (*selector)(const char* name) = nullptr; // sel_registerName
    void (*send)() = nullptr; // objc_msgSend, cast to what a message takes
    void* (*push_pool)() = nullptr; // objc_autoreleasePoolPush
    void (*pop_pool)(void* pool) = nullptr; // objc_autoreleasePoolPop
};

// That of this process; absent where it has none, that is anywhere but on a Mac.
std::optional<ObjectiveC> findObjectiveC();

// A message to an object or a class. The arguments must have exactly the types of the method's. A
// null receiver answers null.
template <typename... Arguments>
void* send(const ObjectiveC& runtime, void* receiver, const char* message, Arguments... arguments)
{
    using Send = void* (*)(void*, void*, Arguments...);
    return reinterpret_cast<Send>(runtime.send)(receiver, runtime.selector(message), arguments...);
}

// Objects that methods hand out are released when it goes. Needed on threads that neither Qt nor
// Cocoa made.
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
