// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/format_row.h"

#include "ui/editor/scenario_editor.h"
#include "ui/panel/field_slider.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QScopedValueRollback>

#include <algorithm>

namespace kvplan {

namespace {

QString bytesText(CacheFormat format)
{
    return QStringLiteral("%1 B").arg(QLocale::c().toString(info(format).bytesPerElement(), 'g', 4));
}

} // namespace

FormatRow::FormatRow(const QString& label, std::vector<Field> fields, ScenarioEditor& editor, QWidget* parent)
    : FieldRow(std::move(fields), editor, parent)
    , m_note(new QLabel(this))
    , m_box(new QComboBox(this))
    , m_slider(new FieldSlider(this))
{
    for (const CacheFormatInfo& format : cacheFormats()) {
        m_names.emplace_back(format.name);
    }
    std::ranges::reverse(m_names);
    for (const std::string& name : m_names) {
        m_box->addItem(QString::fromStdString(name));
        m_box->setItemData(m_box->count() - 1, bytesText(*cacheFormatFromName(name)), Qt::ToolTipRole);
    }
    m_slider->setStopCount(static_cast<int>(m_names.size()));

    m_box->setFixedSize(rowBoxWidth, rowBoxHeight);
    m_box->view()->setMinimumWidth(190);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->installEventFilter(this);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(6);
    layout->setVerticalSpacing(0);
    layout->addWidget(makeLabel(label, m_box), 0, 0);
    layout->addWidget(m_note, 0, 1);
    layout->addWidget(m_box, 0, 2);
    layout->addWidget(m_slider, 1, 0, 1, 3);
    layout->setColumnStretch(1, 1);
    m_slider->setAccessibleName(tr("%1 slider").arg(label));

    connect(m_slider, &FieldSlider::gestureStarted, this, [this] { m_gesture = this->editor().newGesture(); });
    connect(m_slider, &FieldSlider::resetRequested, this, [this] { resetFields(); });
    connect(m_slider, &QSlider::valueChanged, this, [this](int index) { choose(index); });
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        m_gesture = 0;
        choose(index);
    });
    refresh();
}

void FormatRow::choose(int index)
{
    if (m_showing || index < 0) {
        return;
    }
    std::vector<FieldText> texts;
    for (const Field field : fields()) {
        texts.push_back({field, m_names[static_cast<std::size_t>(index)]});
    }
    static_cast<void>(editor().setTexts(texts, m_gesture));
    refresh();
}

void FormatRow::refresh()
{
    const QScopedValueRollback<bool> lock(m_showing, true);
    const Scenario& scenario = editor().scenario();
    const std::string name = text(scenario, field());
    const bool alike = std::ranges::all_of(fields(), [&](Field other) { return text(scenario, other) == name; });
    const auto index = static_cast<int>(std::ranges::find(m_names, name) - m_names.begin());
    m_slider->setValue(index);
    m_slider->setAccessibleDescription(QString::fromStdString(name));
    m_box->setCurrentIndex(alike ? index : -1);
    m_box->setPlaceholderText(alike ? QString() : tr("mixed"));
    m_note->setText(alike ? bytesText(*cacheFormatFromName(name)) : tr("keys %1").arg(QString::fromStdString(name)));
}

} // namespace kvplan
