// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/step_cache.h"

#include <algorithm>

namespace ep::ui {

void StepCache::reset(const QString& runId)
{
    m_runId = runId;
    m_steps.clear();
    m_waiting.clear();
    m_asked.reset();
}

void StepCache::want(const QList<int>& tokens)
{
    if (m_runId.isEmpty())
        return;
    for (auto token = tokens.crbegin(); token != tokens.crend(); ++token) {
        m_waiting.removeAll(*token);
        if (!m_steps.contains(*token) && m_asked != *token)
            m_waiting.append(*token);
    }
    if (m_waiting.size() > kMaxWaiting)
        m_waiting.remove(0, m_waiting.size() - kMaxWaiting);
    askNext();
}

const RunTrace* StepCache::step(int token) const
{
    const auto found = m_steps.find(token);
    return found == m_steps.end() ? nullptr : found->second.get();
}

void StepCache::askNext()
{
    if (m_asked || m_waiting.isEmpty())
        return;
    m_asked = m_waiting.takeLast();
    Q_EMIT asked(m_runId, *m_asked);
}

void StepCache::answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step)
{
    if (runId != m_runId || m_asked != token || !step)
        return;
    m_asked.reset();
    m_steps[token] = step;
    Q_EMIT arrived(token);
    askNext();
}

void StepCache::giveUp()
{
    m_asked.reset();
    m_waiting.clear();
}

} // namespace ep::ui
