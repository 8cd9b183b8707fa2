// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/charts/chart_table.h"
#include "ep/ui/charts/item_view.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/update_throttle.h"
#include "ep/ui/theme.h"
#include "ep/viz/token_flow.h"

#include <QAbstractScrollArea>
#include <QPointer>
#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::ui {

// The text as it is produced, one chip per token, coloured by energy, or by time as long as no
// token has energy. Arrow keys move the cursor, Enter or a click activates. Follows the end until
// the user scrolls up. GUI thread only.
class TokenStreamView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenStreamView(QWidget* parent = nullptr);

    void clear();
    // section: the section of the answer, as far as it is known during the run.
    void append(const TokenSpan& token, std::string_view section = {});
    void setRun(RunPtr run); // all tokens of a finished run; null clears
    void setPowerSource(const std::string& source); // for energyLabel(); setRun() sets it itself
    void setEmptyText(const QString& text);
    // With a controller, the cursor is the selected token, selected tokens are framed, Shift with
    // a click or an arrow selects a range, and tokens that do not match the search are dimmed.
    void setController(SelectionController* controller);
    // Both views colour by the range of all their tokens. Neither may outlive the other; they have
    // the same parent.
    void shareScale(TokenStreamView& other);
    ChartTable table() const;

    int count() const { return static_cast<int>(m_tokens.size()); }
    // Index of the token under the cursor; -1 if there is none.
    int current() const { return m_at.current ? static_cast<int>(*m_at.current) : -1; }
    void setCurrent(int index); // scrolls to the token; ignored if out of range
    bool colouredByEnergy() const { return m_withEnergy > 0; }
    QString describe(int index) const; // the tool tip of a token as plain text

    QRect chipRect(int index) const; // in viewport coordinates
    QSize sizeHint() const override { return {480, 200}; }
    QSize minimumSizeHint() const override { return {200, 96}; }

Q_SIGNALS:
    void tokenActivated(int index);
    void currentChanged(int index);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    static constexpr double kSpacing = 2.0; // distance between chips
    static constexpr double kMargin = 8.0; // margin around all chips
    static constexpr double kPadding = 3.0; // padding of a chip's text
    struct Chip {
        TokenSpan token;
        QString text; // displayed text: control characters are made visible
        std::string_view section{}; // section of the answer (core/answer_sections.h)
    };
    struct Scale { // Range of the colour scale.
        double low = 0.0;
        double high = 0.0;
        bool exceeded = false; // an outlier exceeds the scale
    };
    void addChip(const TokenSpan& token, std::string_view section);
    void relayout();
    void updateScrollBar();
    void updateDescription();
    double fraction(const TokenSpan& token) const;
    std::optional<double> colourValue(const TokenSpan& token) const;
    void paintLegend(QPainter& painter, const QRect& area) const;
    void paintChip(QPainter& painter, std::size_t index, bool exporting) const;
    bool matches(const Chip& chip) const;
    bool isAfterAnswer(const TokenSpan& token) const; // tokens after the answer are struck out
    void choose(std::size_t index, bool extend);
    void activate(std::size_t index, bool extend);
    void followSelection();
    ChartDetails detailsOf(std::size_t index) const;
    const Scale& scale() const;
    void forgetScale();
    std::optional<std::size_t> hitAt(const QPoint& position) const;

    Theme m_theme;
    QPointer<SelectionController> m_controller;
    std::vector<Chip> m_tokens;
    viz::TokenFlow m_flow;
    QString m_emptyText;
    ItemCursor m_at;
    std::vector<double> m_scaled; // values of the decode tokens: prefill would dwarf them
    mutable std::optional<Scale> m_scale; // scale of m_scaled; computed on demand
    TokenStreamView* m_other = nullptr; // shares the scale
    int m_withEnergy = 0; // tokens with known energy
    int m_sequencesAtOnce = 1; // most tokens of a step: of a batch, or with a draft
    bool m_drafts = false;
    Provenance m_worst = Provenance::Measured; // worst provenance among tokens with energy
    std::string m_source;
    bool m_follow = true;
    UpdateThrottle m_repaint;
};

} // namespace ep::ui
