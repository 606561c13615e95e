// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/paging.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace kvplan;

namespace {

/// Blocks counted one token at a time: the reference for the closed forms.
qint64 blocksTokenByToken(qint64 context, qint64 block)
{
    std::set<qint64> touched;
    for (qint64 token = 0; token < context; ++token) {
        touched.insert(token / block);
    }
    return static_cast<qint64>(touched.size());
}

} // namespace

class TestPaging : public QObject {
    Q_OBJECT

private slots:
    void blocksAndTailAgreeWithCounting()
    {
        for (const qint64 block : {1, 7, 16, 32}) {
            for (qint64 context = 0; context < 130; ++context) {
                const qint64 blocks = blocksTokenByToken(context, block);
                QCOMPARE(blocksFor(Tokens(context), Tokens(block)).count(), blocks);
                QCOMPARE(tailTokens(Tokens(context), Tokens(block)).count(), blocks * block - context);
                QVERIFY(tailTokens(Tokens(context), Tokens(block)).count() < block);
            }
        }
    }

    void totalWasteStaysBelowABlockASequence()
    {
        std::mt19937_64 random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<Tokens> contexts(1 + random() % 40);
            Tokens longest;
            for (Tokens& context : contexts) {
                context = Tokens(static_cast<qint64>(1 + random() % 5000));
                longest = std::max(longest, context);
            }
            const Tokens block(static_cast<qint64>(1 + random() % 64));
            qint64 paged = 0;
            qint64 contiguous = 0;
            for (const Tokens context : contexts) {
                paged += blocksTokenByToken(context.count(), block.count()) * block.count() - context.count();
                contiguous += longest.count() - context.count();
            }
            QCOMPARE(pagedWaste(contexts, block).count(), paged);
            QVERIFY(paged < block.count() * static_cast<qint64>(contexts.size()));
            QCOMPARE(contiguousWaste(contexts, longest).count(), contiguous);
        }
    }

    void aReservationOf4096UsedFor150Wastes3946()
    {
        const std::vector<Tokens> contexts{Tokens(150)};
        QCOMPARE(contiguousWaste(contexts, Tokens(4096)).count(), qint64{3946});
        QCOMPARE(pagedWaste(contexts, Tokens(16)).count(), qint64{10});
    }

    void onlyWholeBlocksAreShared_data()
    {
        QTest::addColumn<qint64>("prefix");
        QTest::addColumn<qint64>("block");
        QTest::addColumn<qint64>("shared");
        QTest::newRow("240 tokens in blocks of 16") << qint64{240} << qint64{16} << qint64{240};
        QTest::newRow("240 tokens in blocks of 784") << qint64{240} << qint64{784} << qint64{0};
        QTest::newRow("a token short of a block") << qint64{31} << qint64{16} << qint64{16};
    }
    void onlyWholeBlocksAreShared()
    {
        QFETCH(qint64, prefix);
        QFETCH(qint64, block);
        QFETCH(qint64, shared);
        QCOMPARE(sharableTokens(Tokens(prefix), Tokens(block)).count(), shared);
    }

    void hundredUsersOfOneSystemPrompt()
    {
        QCOMPARE(blocksWithSharing(100, Tokens(2560), Tokens(2048), 1, Tokens(16)).count(), qint64{3328});
        QCOMPARE(blocksWithSharing(100, Tokens(2560), Tokens(0), 1, Tokens(16)).count(), qint64{16000});
    }

    void tenantsShareNothingWithEachOther()
    {
        std::mt19937_64 random(11);
        for (int round = 0; round < 300; ++round) {
            const qint64 block = 1 + static_cast<qint64>(random() % 20);
            const qint64 context = 1 + static_cast<qint64>(random() % 200);
            const qint64 prefix = static_cast<qint64>(random() % 220);
            const qint64 groups = 1 + static_cast<qint64>(random() % 6);
            const qint64 sequences = 1 + static_cast<qint64>(random() % 20);
            // One entry for each distinct block: shared ones by tenant and index, own ones by sequence and index.
            std::set<std::pair<qint64, qint64>> blocks;
            const qint64 whole = std::min(prefix, context) / block;
            for (qint64 sequence = 0; sequence < sequences; ++sequence) {
                for (qint64 index = 0; index < blocksTokenByToken(context, block); ++index) {
                    blocks.emplace(index < whole ? sequence % groups : 1000 + sequence, index);
                }
            }
            QCOMPARE(blocksWithSharing(sequences, Tokens(context), Tokens(prefix), groups, Tokens(block)).count(),
                static_cast<qint64>(blocks.size()));
        }
    }
};

QTEST_APPLESS_MAIN(TestPaging)
#include "tst_paging.moc"
