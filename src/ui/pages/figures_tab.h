// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figure_cards.h"

#include "ep/ui/run_repository.h"

#include <QWidget>

#include <memory>
#include <vector>

class QBoxLayout;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QFrame;
class QLabel;

namespace ep::ui {

// Efficiency, cost and carbon with the tariff in the settings, which can be edited here; KV cache;
// experts; quality of the model.
class FiguresTab : public QWidget {
    Q_OBJECT

public:
    explicit FiguresTab(QWidget* parent = nullptr);

    void setRun(const RunPtr& run, const std::shared_ptr<const viz::CostTree>& tree);
    void setTariff(const energy::Tariff& tariff);
    void setQualities(const QualityList& measured); // of the run's model; null: not known

Q_SIGNALS:
    // Emitted when the user edits it, to be stored in the settings; takes effect in setTariff().
    void tariffEdited(const ep::energy::Tariff& tariff);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // one column if two do not fit

private:
    struct Card {
        QFrame* frame = nullptr;
        QLabel* title = nullptr;
        QLabel* note = nullptr;
        QFormLayout* rows = nullptr;
    };
    Card addCard(const QString& id);
    void fill(Card& card, const FigureCard& figures);
    QWidget* buildTariff();
    void showCost();
    void showTariff();
    void applyColours();

    RunPtr m_run;
    QComboBox* m_region;
    QDoubleSpinBox* m_price;
    QDoubleSpinBox* m_carbon;
    energy::Tariff m_tariff;
    QBoxLayout* m_columns = nullptr;
    std::vector<Card> m_cards; // all of the following
    Card m_server; // for a run made by another server
    Card m_command; // for a recorded command
    Card m_efficiency;
    Card m_further; // folded, within the one above
    Card m_ledger; // for a run with a prompt cache or a draft
    Card m_cost;
    Card m_kvCache;
    Card m_experts;
    Card m_quality;
};

} // namespace ep::ui
