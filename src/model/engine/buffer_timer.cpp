// SPDX-License-Identifier: GPL-3.0-or-later
#include "buffer_timer.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace ep::model {

// A handler that runs after its read() writes into a batch that nobody reads any more, never into
// the marks of a later one.
struct BufferTimer::Batch {
    std::mutex mutex; // guards all members
    std::condition_variable arrived;
    std::vector<std::optional<BufferTimes>> marks;
    std::size_t pending = 0;

    void finish(std::size_t index, const BufferTimes& times)
    {
        const std::lock_guard lock(mutex);
        if (marks[index])
            return;
        marks[index] = times;
        --pending;
        arrived.notify_all();
    }
};

BufferTimer::BufferTimer(std::unique_ptr<CommandBuffers> buffers, Nanoseconds patience)
    : m_buffers(std::move(buffers))
    , m_patience(patience)
    , m_batch(std::make_shared<Batch>())
    , m_last(monotonicNow())
{
}

BufferTimer::~BufferTimer() = default;

std::uint32_t BufferTimer::mark()
{
    std::size_t index = 0;
    {
        const std::lock_guard lock(m_batch->mutex);
        index = m_batch->marks.size();
        m_batch->marks.emplace_back();
        ++m_batch->pending;
    }
    if (!m_buffers->commit(
            [batch = m_batch, index](const BufferTimes& times) { batch->finish(index, times); }))
        m_batch->finish(index, {.failed = true});
    return static_cast<std::uint32_t>(index);
}

Status BufferTimer::read(std::vector<Nanoseconds>& times)
{
    times.clear();
    const std::shared_ptr<Batch> batch = std::exchange(m_batch, std::make_shared<Batch>());
    std::unique_lock lock(batch->mutex);
    if (batch->marks.empty())
        return {};
    lock.unlock();
    m_buffers->wait();
    // Both clocks are read together once per token, so that drift does not add up, and a sleep of
    // the machine, which only the host's clock counts, shifts at most one token.
    const double offset = static_cast<double>(monotonicNow()) - m_buffers->now() * 1e9;
    lock.lock();
    batch->arrived.wait_for(lock, std::chrono::nanoseconds(m_patience),
                            [&] { return batch->pending == 0; });
    for (const std::optional<BufferTimes>& mark : batch->marks) {
        if (!mark || mark->failed)
            ++m_lost;
        else if (mark->end_s > 0.0)
            m_last = std::max(m_last, static_cast<Nanoseconds>(mark->end_s * 1e9 + offset));
        times.push_back(m_last);
    }
    return {};
}

} // namespace ep::model
