// SPDX-License-Identifier: GPL-3.0-or-later
// Once started, decoding allocates no heap memory, with or without an observer.
#include "engine_library_impl.h"
#include "record/recorder.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> g_counting{false};
std::atomic<long> g_allocations{0};

void* allocate(std::size_t size)
{
    if (g_counting.load(std::memory_order_relaxed))
        g_allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}

} // namespace

void* operator new(std::size_t size)
{
    return allocate(size);
}
void* operator new[](std::size_t size)
{
    return allocate(size);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace {

using namespace ep;

class AllocationTest : public testing::TestWithParam<Depth> { };

TEST_P(AllocationTest, DecodingTakesNone)
{
    constexpr int kWarmUp = 8;
    constexpr int kCounted = 40;
    const test::TempFolder folder;
    test::writeTinyModel(folder.path());
    const auto library = model::makeEngineLibrary();
    const auto engine =
        library->load({.folder = folder.path(), .device = "cpu", .threads = 2}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    session::PublishedOperation published{0};
    session::Recorder recorder({.depth = GetParam(),
                                .expected_spans = 100'000,
                                .expected_tokens = kWarmUp + kCounted,
                                .calibrate = false},
                               published, {});
    const auto generation =
        (*engine)->begin({.prompts = {{256, 5, 6}}, .max_new_tokens = 100}, &recorder, {});
    ASSERT_TRUE(generation);
    recorder.enter(Phase::Prefill, 0);
    bool healthy = (*generation)->prefill().has_value();
    for (std::int32_t token = 1; token < kWarmUp + kCounted; ++token) {
        if (token == kWarmUp)
            g_counting.store(true);
        recorder.enter(Phase::Decode, token);
        healthy = healthy && (*generation)->decode().has_value();
    }
    g_counting.store(false);
    EXPECT_TRUE(healthy);
    EXPECT_EQ(g_allocations.exchange(0), 0) << "in " << kCounted << " tokens";
}

INSTANTIATE_TEST_SUITE_P(Depths, AllocationTest, testing::Values(Depth::None, Depth::Module),
                         [](const auto& tested) { return std::string(name(tested.param)); });

// Growing does not copy: what was written keeps its address.
TEST(SpanBufferTest, GrowsForAHundredThousandTokensWithoutMoving)
{
    struct Record {
        std::int64_t values[3];
    };
    session::ChunkedBuffer<Record> buffer;
    constexpr std::int64_t kTokens = 100'000;
    constexpr std::int64_t kSpans = 30; // per token
    buffer.append({{0, 0, 0}});
    const Record* const first = &buffer[0];
    for (std::int64_t i = 1; i < kTokens * kSpans; ++i)
        buffer.append({{i, i, i}});
    EXPECT_EQ(&buffer[0], first);
    EXPECT_EQ(buffer.size(), static_cast<std::size_t>(kTokens * kSpans));
    for (std::int64_t i = 0; i < kTokens * kSpans; i += 9973)
        ASSERT_EQ(buffer[static_cast<std::size_t>(i)].values[1], i);
}

} // namespace
