// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/footprint.h"
#include "core/plan/words.h"
#include "core/scenario/fields.h"
#include "ui/charts/numbers.h"
#include "ui/charts/presenters.h"

namespace kvplan {

namespace {

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A factor that leads to its control.
QString factor(Field field, const QString& value)
{
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(fromView(spec(field).key), value.toHtmlEscaped());
}

QString whole(std::int64_t value)
{
    return QString::fromStdString(grouped(value));
}

QString gibHtml(Bytes bytes)
{
    return QString::fromStdString(gibText(bytes));
}

QString elementBytes(CacheFormat format)
{
    return QString::number(info(format).bytesPerElement(), 'g', 6);
}

/// (d_k · b_k + d_v · b_v), or (d_k + d_v) · b where both formats are one.
QString headTerm(const Scenario& s, std::int64_t key, std::int64_t value)
{
    const QString keyBytes = factor(Field::KeyFormat, elementBytes(s.keyFormat));
    if (s.keyFormat == s.valueFormat) {
        const QString width = key == value
            ? QStringLiteral("2 · ") + factor(Field::HeadDim, whole(key))
            : QStringLiteral("(%1 + %2)")
                  .arg(factor(Field::HeadDim, whole(key)), factor(Field::ValueHeadDim, whole(value)));
        return QStringLiteral("%1 · %2 B").arg(width, keyBytes);
    }
    return QStringLiteral("(%1 · %2 + %3 · %4) B")
        .arg(factor(Field::HeadDim, whole(key)), keyBytes, factor(Field::ValueHeadDim, whole(value)),
            factor(Field::ValueFormat, elementBytes(s.valueFormat)));
}

QString groupTerm(const Scenario& s, const AttentionGroup& group)
{
    const QString layers = factor(Field::Layers, whole(group.layers));
    return std::visit(
        [&](const auto& kind) -> QString {
            if constexpr (requires { kind.kvHeads; }) {
                QString term = QStringLiteral("%1 · %2 · %3")
                                   .arg(layers, factor(Field::KvHeads, whole(kind.kvHeads)),
                                       headTerm(s, kind.keyDim, kind.valueDim));
                if constexpr (requires { kind.window; }) {
                    term += QStringLiteral(" up to %1 tokens").arg(factor(Field::Window, whole(kind.window.count())));
                } else if constexpr (requires { kind.chunk; }) {
                    term += QStringLiteral(" up to %1 tokens").arg(whole(kind.chunk.count()));
                } else if constexpr (requires { kind.encoderTokens; }) {
                    term += QStringLiteral(" × %1 encoder tokens").arg(whole(kind.encoderTokens.count()));
                }
                return term;
            } else if constexpr (requires { kind.rank; }) {
                return QStringLiteral("%1 · (%2 + %3) · %4 B%5")
                    .arg(layers, factor(Field::MlaRank, whole(kind.rank)),
                        factor(Field::MlaRopeDim, whole(kind.ropeDim)),
                        factor(Field::KeyFormat, elementBytes(s.keyFormat)),
                        kind.indexerDim > 0 ? QStringLiteral(" + indexer") : QString());
            } else if constexpr (requires { kind.entryDim; }) {
                return QStringLiteral("%1 · %2 · %3 B, one entry in %4 beside %5 tokens")
                    .arg(layers, whole(kind.entryDim), factor(Field::KeyFormat, elementBytes(s.keyFormat)),
                        whole(kind.ratio), whole(kind.window.count()));
            } else if constexpr (requires { kind.stateElements; }) {
                return QStringLiteral("%1 · (%2 · %3 + %4 · %5) B of state")
                    .arg(layers, whole(kind.stateElements), whole(kind.stateElementBytes), whole(kind.convElements),
                        whole(kind.convElementBytes));
            } else {
                return QStringLiteral("%1 · 0 (shared)").arg(layers);
            }
        },
        group.kind);
}

class Page {
public:
    explicit Page(const Theme& theme)
        : m_quiet(theme.color(Role::QuietText).name())
    {
    }

    void add(const QString& heading, const QString& symbols, const QString& values)
    {
        m_html
            += QStringLiteral("<p style=\"margin:0 0 9px 0\"><span style=\"color:%1\">%2</span>").arg(m_quiet, heading);
        if (!symbols.isEmpty()) {
            m_html += QStringLiteral("<br>%1").arg(symbols);
        }
        m_html += QStringLiteral("<br>%1</p>").arg(values);
    }

    const QString& html() const { return m_html; }

private:
    QString m_quiet;
    QString m_html;
};

QString tokenValues(const Scenario& s, const Plan& plan)
{
    QStringList terms;
    for (const AttentionGroup& group : plan.architecture.groups) {
        terms << groupTerm(s, group);
    }
    return QStringLiteral("%1 = <b>%2 B</b>")
        .arg(terms.join(QStringLiteral(" + ")), significant(plan.kv.bytesPerToken));
}

QString poolValues(const Scenario& s, const Plan& plan)
{
    QString values;
    for (const BudgetLine& line : plan.budget.lines) {
        const QString size = gibHtml(line.bytes);
        const QString shown = values.isEmpty() ? factor(Field::CapacityGib, size)
            : line.name == "headroom"          ? QStringLiteral(" − ") + factor(Field::HeadroomPercent, size)
            : line.name == "weights"           ? QStringLiteral(" − ") + factor(Field::WeightsGib, size)
                                               : QStringLiteral(" − ") + size;
        values += shown;
    }
    static_cast<void>(s);
    return QStringLiteral("%1 = <b>%2</b>").arg(values, gibHtml(plan.budget.usable));
}

} // namespace

QString derivation(const Scenario& s, const Plan& plan, const Theme& theme)
{
    Page page(theme);
    const bool uniform = plan.architecture.groups.size() == 1
        && std::holds_alternative<FullAttention>(plan.architecture.groups.front().kind);
    page.add(QStringLiteral("bytes per token"), uniform ? QStringLiteral("2 · L · h<sub>kv</sub> · d · b") : QString(),
        tokenValues(s, plan));
    const QString context = factor(Field::Context, whole(s.contextTokens));
    page.add(QStringLiteral("one sequence"), {},
        QStringLiteral("%1 tokens · %2 B%3 = <b>%4</b>")
            .arg(context, significant(plan.kv.bytesPerToken),
                plan.kv.stateBytesPerSequence.count() > 0 ? QStringLiteral(" + state") : QString(),
                gibHtml(plan.kv.bytesPerSequence)));
    page.add(QStringLiteral("the asked sequences"), {},
        QStringLiteral("%1 · %2 = <b>%3</b>, with %4 % overhead <b>%5</b>")
            .arg(factor(Field::Concurrency, whole(s.concurrency)), gibHtml(plan.kv.bytesPerSequence),
                gibHtml(plan.kv.rawBytes), factor(Field::OverheadPercent, significant(s.overheadPercent)),
                gibHtml(plan.kv.withOverheadBytes)));
    page.add(plan.accelerators > 1 ? QStringLiteral("pool of one accelerator") : QStringLiteral("pool"), {},
        poolValues(s, plan));
    const bool split = s.tensorParallel > 1 || s.pipelineParallel > 1;
    page.add(QStringLiteral("full sequences"), {},
        QStringLiteral("%1⌊%2 / (%3 · %4)⌋ = <b>%5</b>")
            .arg(s.replicas > 1 ? factor(Field::Replicas, whole(s.replicas)) + QStringLiteral(" · ") : QString(),
                gibHtml(plan.budget.usable),
                split ? factor(Field::TensorParallel, gibHtml(plan.kv.bytesPerSequencePerGpu))
                      : gibHtml(plan.kv.bytesPerSequencePerGpu),
                factor(Field::OverheadPercent, QString::number(1 + s.overheadPercent / 100, 'g', 6)),
                whole(plan.concurrency.fullSequences)));
    return page.html();
}

QString factsLine(const Scenario& s, const Plan& plan)
{
    QStringList facts;
    facts << QStringLiteral("%1: %2, %3 layers")
                 .arg(QString::fromStdString(plan.architecture.name),
                     QString::fromStdString(attentionName(plan.architecture)), whole(plan.architecture.layers));
    facts << (s.keyFormat == s.valueFormat
            ? QStringLiteral("%1 cache").arg(fromView(name(s.keyFormat)))
            : QStringLiteral("%1/%2 cache").arg(fromView(name(s.keyFormat)), fromView(name(s.valueFormat))));
    facts << QStringLiteral("%1 sequences of %2 tokens").arg(whole(s.concurrency), whole(s.contextTokens));
    facts << QStringLiteral("%1%2").arg(
        plan.accelerators > 1 ? QStringLiteral("%1 × ").arg(plan.accelerators) : QString(),
        s.accelerator && !s.capacityGib ? QString::fromStdString(s.accelerator->name) : gibHtml(plan.budget.capacity));
    if (plan.accelerators > 1) {
        facts << QStringLiteral("TP %1 PP %2 × %3").arg(s.tensorParallel).arg(s.pipelineParallel).arg(s.replicas);
    }
    facts << QStringLiteral("block %1").arg(plan.paging.blockTokens.count());
    facts << QStringLiteral("%1 rules, estimate").arg(QString::fromStdString(plan.engineName));
    return facts.join(QStringLiteral(" · "));
}

} // namespace kvplan
