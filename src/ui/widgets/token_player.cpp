// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/token_player.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/elided_label.h"

#include "ep/ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::array kSpeeds{1, 2, 5, 10, 20, 50}; // tokens per second
constexpr int kUsual = 2; // index of the default

const std::vector<TokenSpan>* tokensOf(const SelectionController& controller)
{
    return controller.run() ? &controller.run()->trace.tokens : nullptr;
}

} // namespace

TokenPlayer::TokenPlayer(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_slider(named(new QSlider(Qt::Horizontal, this), u"tokenSlider"_s, tr("Token")))
    , m_speed(named(new QComboBox(this), u"tokenSpeed"_s, tr("Playback speed")))
    , m_words(named(new ElidedLabel(this), u"tokenWords"_s))
{
    auto* row = flush(new QHBoxLayout(this));
    m_back = iconButton(u"tokenBack"_s, "previous"_L1, tr("Previous token"), this);
    m_play = iconButton(u"tokenPlay"_s, "play"_L1, tr("Play the tokens"), this);
    m_next = iconButton(u"tokenNext"_s, "next"_L1, tr("Next token"), this);
    for (QToolButton* button : {m_back, m_play, m_next})
        row->addWidget(button);
    m_play->setCheckable(true);
    m_slider->setMinimumWidth(8 * kGrid);
    for (const int speed : kSpeeds)
        m_speed->addItem(tr("%1/s").arg(speed), speed);
    m_speed->setCurrentIndex(kUsual);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_speed->setToolTip(tr("Playback speed"));
    addAll(*row, {{m_slider, 1}, {m_words, 1}, m_speed});
    setInterval();

    connect(m_play, &QToolButton::clicked, this, &TokenPlayer::setPlaying);
    connect(m_back, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_slider, &QSlider::valueChanged, this, &TokenPlayer::choose);
    connect(m_speed, &QComboBox::currentIndexChanged, this, &TokenPlayer::setInterval);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (token() < m_slider->maximum())
            choose(token() + 1);
        if (token() >= m_slider->maximum())
            setPlaying(false);
    });
    connect(&m_controller, &SelectionController::runChanged, this, &TokenPlayer::runChanged);
    connect(&m_controller, &SelectionController::selectionChanged, this, &TokenPlayer::follow);
    runChanged();
}

void TokenPlayer::setInterval()
{
    m_timer.setInterval(1000 / m_speed->currentData().toInt());
}

void TokenPlayer::setPlaying(bool playing)
{
    const auto* tokens = tokensOf(m_controller);
    playing = playing && tokens && tokens->size() > 1;
    m_play->setChecked(playing);
    m_play->setIcon(lineIcon(playing ? "pause"_L1 : "play"_L1));
    m_play->setToolTip(playing ? tr("Pause") : tr("Play the tokens"));
    m_play->setAccessibleName(m_play->toolTip());
    if (!playing) {
        m_timer.stop();
        return;
    }
    if (token() < 0 || token() >= m_slider->maximum())
        choose(0);
    m_timer.start();
}

int TokenPlayer::token() const
{
    const auto* tokens = tokensOf(m_controller);
    const auto chosen = m_controller.token();
    if (!tokens || !chosen)
        return -1;
    const auto found = std::find_if(tokens->begin(), tokens->end(),
                                    [&](const TokenSpan& token) { return token.index == *chosen; });
    return found == tokens->end() ? -1 : static_cast<int>(found - tokens->begin());
}

void TokenPlayer::step(int by)
{
    setPlaying(false);
    const int from = token() < 0 ? m_slider->value() - by : token();
    choose(std::clamp(from + by, 0, m_slider->maximum()));
}

void TokenPlayer::choose(int place)
{
    const auto* tokens = tokensOf(m_controller);
    if (!tokens || place < 0 || place >= static_cast<int>(tokens->size()))
        return;
    const std::int32_t index = (*tokens)[static_cast<std::size_t>(place)].index;
    m_controller.selectTokens(viz::TokenRange{index, index + 1},
                              SelectionController::Change::Brush);
}

void TokenPlayer::runChanged()
{
    setPlaying(false);
    const auto* tokens = tokensOf(m_controller);
    const int count = tokens ? static_cast<int>(tokens->size()) : 0;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, std::max(0, count - 1));
    m_slider->setValue(0);
    setEnabled(count > 0);
    follow();
}

void TokenPlayer::follow()
{
    const auto* tokens = tokensOf(m_controller);
    const int place = token();
    m_words->setToolTip({});
    if (!tokens || tokens->empty()) {
        m_words->setText(tr("No tokens"));
        return;
    }
    if (place < 0) {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(0);
        // In a batch, each step produces a token for every sequence.
        const std::size_t sequences = m_controller.run()->info.batch.size();
        m_words->setText(
            sequences > 1 ? tr("All of %1 steps of %2 sequences").arg(tokens->size()).arg(sequences)
                          : tr("All of %1 tokens").arg(tokens->size()));
        return;
    }
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(place);
    const TokenSpan& token = (*tokens)[static_cast<std::size_t>(place)];
    const Provenance how = token.energy.total_mj ? token.energy.provenance : Provenance::Missing;
    // Tokens count from 0 everywhere.
    m_words->setText(tr("Token %1 of 0–%2 “%3” %4, %5 (%6)")
                         .arg(token.index)
                         .arg(tokens->back().index)
                         .arg(toQString(token.text).simplified().left(12),
                              durationText(token.time.duration_ns()),
                              energyText(token.energy.total_mj),
                              energyLabel(m_controller.run()->info.power.source, how)));
}

} // namespace ep::ui
