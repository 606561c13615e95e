// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_tab.h"

#include "core/plan/words.h"
#include "core/text_file.h"
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_cards.h"
#include "ui/measure/measure_job.h"
#include "ui/words/sentences.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace kvplan {

namespace {

constexpr int gutter = 12;
constexpr int controlsHeight = 92;

/// Whether a measurement's request is for the same cache, whatever slice of it was run.
bool sameCache(const MeasureRequest& a, const MeasureRequest& b)
{
    const auto sameShape = [](const LayerShape& x, const LayerShape& y) {
        return x.layers == y.layers && x.queryHeads == y.queryHeads && x.kvHeads == y.kvHeads && x.keyDim == y.keyDim
            && x.valueDim == y.valueDim && x.windowTokens == y.windowTokens && x.latent == y.latent;
    };
    return a.device == b.device && a.format == b.format && a.blockTokens == b.blockTokens && a.context == b.context
        && a.sequences == b.sequences && std::ranges::equal(a.shapes, b.shapes, sameShape);
}

QString shapeText(const MeasureRequest& request)
{
    return MeasureTab::tr("%1 × %2 tokens, %3, blocks of %4")
        .arg(QString::fromStdString(grouped(request.sequences)),
            QString::fromStdString(grouped(request.context.count() + 1)), // the step's own token is the last
            QString::fromUtf8(name(request.format).data(), static_cast<qsizetype>(name(request.format).size())),
            QString::fromStdString(grouped(request.blockTokens.count())));
}

} // namespace

MeasureTab::MeasureTab(ScenarioEditor& editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_job(new MeasureJob(this))
{
    buildControls();
    buildCards();
    connect(&editor, &ScenarioEditor::changed, this, &MeasureTab::scenarioChanged);
    connect(m_job, &MeasureJob::started, this, &MeasureTab::showState);
    connect(m_job, &MeasureJob::finished, this, [this] { finish(m_job->result()); });
    connect(m_job, &MeasureJob::progressed, this, [this](double share, const QString& phase) {
        if (m_job->isRunning()) {
            m_progress->setValue(static_cast<int>(share * 1000));
            m_text->setText(tr("%1 … %2 %").arg(phase).arg(static_cast<int>(share * 100)));
        }
    });
}

MeasureTab::~MeasureTab() = default;

void MeasureTab::buildControls()
{
    m_controls = new QWidget(this);
    m_devices = new QComboBox(m_controls);
    m_devices->setAccessibleName(tr("Device"));
    m_devices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_text = new QLabel(m_controls);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress = new QProgressBar(m_controls);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(10);
    m_progress->setAccessibleName(tr("Progress of the measurement"));
    m_slice = new QPushButton(m_controls);
    m_open = new QPushButton(tr("Open…"), m_controls);
    m_save = new QPushButton(tr("Save…"), m_controls);
    m_open->setToolTip(tr("Open a measurement saved on this or another machine"));
    m_save->setToolTip(tr("Save this measurement as JSON"));
    m_measure = new QPushButton(tr("Measure"), m_controls);
    m_measure->setProperty("primary", true);
    m_measure->setMinimumWidth(110);
    m_measure->setObjectName(QStringLiteral("measure"));
    m_slice->setObjectName(QStringLiteral("slice"));

    auto* grid = new QGridLayout(m_controls);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->addWidget(m_devices, 0, 0);
    grid->addWidget(m_slice, 0, 1);
    grid->addWidget(m_open, 0, 2);
    grid->addWidget(m_save, 0, 3);
    grid->addWidget(m_measure, 0, 4);
    grid->addWidget(m_text, 1, 0, 1, 5);
    grid->addWidget(m_progress, 2, 0, 1, 5);
    grid->setColumnStretch(0, 1);

    connect(m_measure, &QPushButton::clicked, this, [this] { isRunning() ? cancel() : start(); });
    connect(m_slice, &QPushButton::clicked, this, [this] {
        if (m_smaller) {
            start(*m_smaller);
        }
    });
    connect(m_open, &QPushButton::clicked, this, &MeasureTab::openRequested);
    connect(m_save, &QPushButton::clicked, this, &MeasureTab::saveRequested);
    connect(m_devices, &QComboBox::activated, this, [this](int index) {
        m_device = m_devices->itemData(index).toString();
        scenarioChanged();
    });
}

void MeasureTab::buildCards()
{
    m_memory = new FactTableBody(this);
    m_time = new StepTimesBody(this);
    m_bandwidth = new ShareBarsBody(this);
    m_check = new FactTableBody(this);
    m_memoryCard = new Card(tr("Is the memory what was predicted?"), m_memory, this);
    m_timeCard = new Card(tr("Does a step take as long as predicted?"), m_time, this);
    m_bandwidthCard = new Card(tr("How close to the machine?"), m_bandwidth, this);
    m_checkCard = new Card(tr("Are the numbers right?"), m_check, this);
    m_memory->setPlaceholder(tr("What will be allocated stands here once the scenario can be measured."));
    m_time->setPlaceholder(tr("Press Measure: each timed step beside its two predictions."));
    m_bandwidth->setPlaceholder(tr("Press Measure: what a step achieves of this machine's read bandwidth."));
    m_check->setPlaceholder(tr("Press Measure: the outputs against a double-precision reference."));
}

void MeasureTab::setTheme(const Theme& theme)
{
    m_theme = theme;
    for (Card* card : {m_memoryCard, m_timeCard, m_bandwidthCard, m_checkCard}) {
        card->setTheme(theme);
    }
    update();
}

void MeasureTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_previewed) {
        findDevices();
        preview();
    }
}

void MeasureTab::findDevices()
{
    m_devices->clear();
    for (const DeviceInfo& device : devices()) {
        m_devices->addItem(deviceText(device), QString::fromStdString(device.id));
    }
    m_devices->setCurrentIndex(std::max(0, m_devices->findData(m_device)));
}

void MeasureTab::scenarioChanged()
{
    m_previewed = false;
    if (m_measurement) {
        const auto request = measureRequest(m_editor.scenario());
        m_stale = !request || !sameCache(*request, m_measurement->request);
    }
    m_failure.reset();
    if (isVisible()) {
        preview();
    }
}

void MeasureTab::preview()
{
    m_previewed = true;
    m_request = measureRequest(m_editor.scenario());
    m_smaller.reset();
    if (m_request) {
        m_request->device = m_device.toStdString();
        m_preview = previewAllocation(*m_request);
        if (!m_preview) {
            m_smaller = smallerSlice();
        }
    } else {
        m_preview = tl::unexpected<Error>(m_request.error());
    }
    showState();
}

/// The scenario with as many sequences, and then tokens, as fit when halved often enough.
std::optional<MeasureRequest> MeasureTab::smallerSlice() const
{
    MeasureRequest smaller = *m_request;
    while (smaller.sequences > 1 || smaller.context.count() > 2) {
        if (smaller.sequences > 1) {
            smaller.sequences /= 2;
        } else {
            smaller.context = Tokens((smaller.context.count() + 1) / 2 - 1);
        }
        if (previewAllocation(smaller)) {
            return smaller;
        }
    }
    return std::nullopt;
}

void MeasureTab::start()
{
    if (!m_previewed) {
        preview();
    }
    if (m_request && m_preview) {
        start(*m_request);
    }
}

void MeasureTab::start(const MeasureRequest& request)
{
    m_failure.reset();
    m_progress->setValue(0);
    m_job->start(request);
}

void MeasureTab::cancel()
{
    m_job->cancel();
    m_text->setText(tr("Stopping, and giving the memory back …"));
}

bool MeasureTab::isRunning() const
{
    return m_job->isRunning();
}

void MeasureTab::display(const Measurement& measurement)
{
    m_measurement = measurement;
    m_stale = false;
    m_failure.reset();
    m_previewed = false;
    if (isVisible()) {
        preview();
    } else {
        showState();
    }
}

void MeasureTab::finish(const Result<Measurement>& result)
{
    if (result) {
        display(*result);
        const auto current = measureRequest(m_editor.scenario());
        m_stale = !current || !(sameCache(*current, result->request) || m_smaller);
    } else if (result.error().code != ErrorCode::Cancelled) {
        m_failure = result.error();
    }
    preview();
}

void MeasureTab::showState()
{
    const bool running = isRunning();
    m_progress->setVisible(running);
    m_measure->setText(running ? tr("Cancel") : tr("Measure"));
    m_measure->setEnabled(running || (m_request && m_preview));
    m_measure->setProperty("primary", !running);
    m_measure->update();
    m_slice->setVisible(!running && m_smaller.has_value());
    m_save->setEnabled(m_measurement.has_value());
    m_devices->setEnabled(!running);
    if (m_smaller) {
        m_slice->setText(tr("Measure a smaller slice: %1 × %2 tokens")
                             .arg(QString::fromStdString(grouped(m_smaller->sequences)),
                                 QString::fromStdString(grouped(m_smaller->context.count() + 1))));
    }

    if (running) {
        m_text->setText(tr("Starting …"));
    } else if (m_failure) {
        m_text->setText(sentence(*m_failure));
    } else if (!m_preview) {
        m_text->setText(sentence(m_preview.error()));
    } else {
        const Bytes total = m_preview->pool + m_preview->tables + m_preview->workspace;
        m_text->setText(tr("%1: allocates %2 of %3 free, %4 of %5 layers resident; everything is given back.")
                            .arg(shapeText(*m_request), QString::fromStdString(gibText(total)),
                                QString::fromStdString(gibText(m_preview->available)))
                            .arg(m_preview->layersResident)
                            .arg(m_preview->layersTotal));
    }
    m_text->setForegroundRole(!running && (m_failure || !m_preview) ? QPalette::WindowText : QPalette::PlaceholderText);

    const bool dimmed = m_stale || (running && m_measurement);
    for (CardBody* body : std::initializer_list<CardBody*>{m_memory, m_time, m_bandwidth, m_check}) {
        body->setDimmed(dimmed);
    }
    if (m_measurement) {
        const QString slice = shapeText(m_measurement->request);
        m_memoryCard->setTitle(tr("Is the memory what was predicted?"));
        m_memoryCard->setSubtitle(tr("MiB on %1 · %2").arg(QString::fromStdString(m_measurement->device.name), slice));
        m_memory->display(memoryTable(*m_measurement));
        m_timeCard->setSubtitle(tr("ms for %1 of %2 layers · dots: timed steps, band: p10 to p90 · %3")
                                    .arg(m_measurement->layersResident)
                                    .arg(m_measurement->layersTotal)
                                    .arg(slice));
        m_time->display(stepTimes(*m_measurement));
        m_bandwidthCard->setSubtitle(tr("share of this machine's read bandwidth, measured between the steps"));
        m_bandwidth->display(bandwidthBars(*m_measurement));
        m_checkCard->setSubtitle(m_measurement->checkReference.empty()
                ? tr("not verified")
                : tr("reference: %1").arg(QString::fromStdString(m_measurement->checkReference)));
        m_check->display(checkTable(*m_measurement));
    } else {
        m_memoryCard->setTitle(tr("What will be allocated?"));
        m_memoryCard->setSubtitle(m_request ? shapeText(*m_request) : QString());
        m_memory->display(m_preview ? allocationTable(*m_preview) : FactTable{});
        m_timeCard->setSubtitle(tr("predicted beside measured"));
        m_bandwidthCard->setSubtitle(tr("share of this machine's read bandwidth"));
        m_checkCard->setSubtitle(tr("against a double-precision reference"));
    }
    emit answered();
}

Verdict MeasureTab::verdict() const
{
    if (!m_measurement) {
        return unmeasuredVerdict(m_preview);
    }
    Verdict verdict = measureVerdict(*m_measurement);
    verdict.stale = m_stale || isRunning();
    if (isRunning()) {
        verdict.detail = tr("A new measurement runs; this is the former one.");
    } else if (m_stale) {
        verdict.detail = tr("Measured for another scenario: %1.").arg(shapeText(m_measurement->request));
    }
    return verdict;
}

QString MeasureTab::status() const
{
    if (!m_measurement) {
        return tr("Nothing measured");
    }
    return tr("Measured · %1 · %2 · %3 · seed %4")
        .arg(QString::fromStdString(m_measurement->device.id).toUpper(),
            QString::fromStdString(m_measurement->device.name),
            QString::fromStdString(m_measurement->date).replace(QLatin1Char('T'), QLatin1Char(' ')))
        .arg(m_measurement->request.seed);
}

Result<void> MeasureTab::open(const std::filesystem::path& path)
{
    const auto text = readTextFile(path, maximumTextFile, "a measurement");
    if (!text) {
        return tl::unexpected<Error>(text.error());
    }
    const auto measurement = readMeasurement(*text, path.filename().string());
    if (!measurement) {
        return tl::unexpected<Error>(measurement.error());
    }
    display(*measurement);
    return {};
}

Result<void> MeasureTab::save(const std::filesystem::path& path) const
{
    if (!m_measurement) {
        return failure(ErrorCode::NotFound, "there is no measurement", "Measure", "press Measure first");
    }
    return writeFile(path, writeMeasurement(*m_measurement));
}

void MeasureTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

/// Memory and time above, bandwidth and numbers below; the wider column is the time's.
void MeasureTab::layOut()
{
    m_controls->setGeometry(0, 0, width(), controlsHeight);
    const int top = controlsHeight + gutter;
    const int room = std::max(2 * 180 + gutter, height() - top);
    const int upper = (room - gutter) * 58 / 100;
    const int lower = room - gutter - upper;
    const int left = std::clamp(width() * 42 / 100, 380, 620);
    const int right = width() - left - gutter;
    m_memoryCard->setGeometry(0, top, left, upper);
    m_timeCard->setGeometry(left + gutter, top, right, upper);
    m_checkCard->setGeometry(0, top + upper + gutter, left, lower);
    m_bandwidthCard->setGeometry(left + gutter, top + upper + gutter, right, lower);
}

void MeasureTab::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Role::Edge), 1));
    painter.setBrush(m_theme.color(Role::Card));
    painter.drawRoundedRect(QRectF(m_controls->geometry()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace kvplan
