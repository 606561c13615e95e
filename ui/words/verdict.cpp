// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/verdict.h"

#include "core/plan/words.h"
#include "ui/words/sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace kvplan {

namespace {

constexpr double closeInTime = 0.1; ///< a step this near its prediction counts as predicted

QString tr(const char* text)
{
    return QCoreApplication::translate("kvplan::Verdict", text);
}

QString number(std::int64_t value)
{
    return QString::fromStdString(grouped(value));
}

QStringList sentences(const std::vector<std::string>& clauses)
{
    QStringList list;
    for (const std::string& clause : clauses) {
        list << sentence(Error{ErrorCode::InvalidValue, clause, {}, {}});
    }
    return list;
}

QString limitText(const Plan& plan)
{
    switch (plan.bindingLimit) {
    case Limit::Kv:
        return tr("the cache pool, at %1").arg(number(plan.concurrency.fullSequences));
    case Limit::Weights:
        return tr("the weights");
    case Limit::Sequences:
        return tr("the sequence cap, at %1").arg(number(plan.maxSequences));
    case Limit::State:
        return tr("the recurrent state, at %1").arg(number(plan.concurrency.fullSequences));
    }
    return {};
}

/// "0.006 %", or "7 %" where that says enough.
QString percent(double fraction)
{
    const double value = std::abs(fraction) * 100;
    if (value == 0) {
        return QStringLiteral("0 %");
    }
    return QStringLiteral("%1 %").arg(
        value >= 10 ? QLocale::c().toString(value, 'f', 0) : QLocale::c().toString(value, 'g', 2));
}

/// Keeps figures and their units on one line.
QString unbroken(QString text)
{
    return text.replace(QStringLiteral(" GiB"), QStringLiteral("\u00a0GiB"))
        .replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
}

} // namespace

Verdict planVerdict(const Plan& plan, const std::optional<Error>& problem)
{
    Verdict verdict;
    const QString whole = QString::fromStdString(plan.verdict);
    const qsizetype colon = whole.indexOf(QStringLiteral(": "));
    verdict.state = plan.fits ? VerdictState::Good : VerdictState::Bad;
    verdict.word = whole.left(colon) + QLatin1Char('.');
    verdict.text = unbroken(whole.mid(colon + 2));
    if (!verdict.text.isEmpty()) {
        verdict.text[0] = verdict.text[0].toUpper();
    }
    verdict.detail = tr("First limit: %1.").arg(limitText(plan));
    if (!plan.advice.empty()) {
        const Advice& best = plan.advice.front();
        verdict.detail += QLatin1Char(' ')
            + tr("Next best step: %1, %2 → %3 full sequences.")
                  .arg(QString::fromStdString(best.change), number(plan.concurrency.fullSequences),
                      number(best.fullSequences));
    }
    verdict.warnings = sentences(plan.warnings);
    verdict.assumptions = sentences(plan.assumptions);
    if (problem) {
        verdict.state = VerdictState::Open;
        verdict.stale = true;
        verdict.detail = sentence(*problem);
    }
    return verdict;
}

Verdict measureVerdict(const Measurement& m)
{
    Verdict verdict;
    const bool checked = !m.checkReference.empty();
    const bool numbers = !checked || m.checkPassed;
    const bool memory = std::abs(static_cast<double>((m.deviceUsedBytes - m.predictedBytes).count()))
        <= std::max(0.01 * static_cast<double>(m.predictedBytes.count()), 2.5 * 1024 * 1024);
    const double time = m.predictedStepSeconds > 0 ? m.stepSeconds.median / m.predictedStepSeconds - 1 : 0;
    verdict.state = numbers && memory ? VerdictState::Good : VerdictState::Bad;
    if (!numbers) {
        verdict.word = tr("The numbers are wrong.");
    } else if (!memory) {
        verdict.word = tr("Memory differs.");
    } else {
        verdict.word = std::abs(time) <= closeInTime ? tr("Real matches predicted.") : tr("Memory as predicted.");
    }
    verdict.text = tr("Memory within %1, step time %2 %3 the prediction%4.")
                       .arg(percent(m.memoryRelativeError), percent(time), time >= 0 ? tr("above") : tr("below"),
                           !checked            ? tr("; numbers not checked")
                               : m.checkPassed ? tr(", numbers right")
                                               : tr(", numbers beyond the tolerance"));
    verdict.detail
        = tr("%1 of the measured read bandwidth on %2 threads; %3 of %4 layers resident.")
              .arg(percent(m.fractionOfRead), number(m.threads), number(m.layersResident), number(m.layersTotal));
    return verdict;
}

Verdict unmeasuredVerdict(const Result<AllocationPreview>& preview)
{
    Verdict verdict;
    if (!preview) {
        verdict.word = tr("Not measured.");
        verdict.text = sentence(preview.error());
        verdict.detail = tr("Nothing has been allocated.");
        return verdict;
    }
    const Bytes total = preview->pool + preview->tables + preview->workspace;
    verdict.word = tr("Not measured yet.");
    verdict.text
        = tr("Measure allocates %1 on this machine and gives it back.").arg(QString::fromStdString(gibText(total)));
    verdict.detail = preview->layersResident == preview->layersTotal
        ? tr("All %1 layers fit in the %2 that are free.")
              .arg(number(preview->layersTotal), QString::fromStdString(gibText(preview->available)))
        : tr("%1 of %2 layers fit in the %3 that are free; the cache is linear in layers, so the rest is scaled.")
              .arg(number(preview->layersResident), number(preview->layersTotal),
                  QString::fromStdString(gibText(preview->available)));
    return verdict;
}

} // namespace kvplan
