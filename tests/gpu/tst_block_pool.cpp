// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/block_pool.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

using namespace kvplan;

namespace {

/// The pool told one block at a time: which logical blocks each sequence must hold.
class NaivePool {
public:
    NaivePool(std::int64_t total, std::int64_t blockTokens)
        : m_total(total)
        , m_blockTokens(blockTokens)
    {
    }

    bool extend(std::size_t sequence, std::int64_t length, std::int64_t firstKept)
    {
        Owner after = m_owners[sequence];
        after.length = std::max(after.length, length);
        after.kept = std::max(after.kept, firstKept);
        const std::int64_t before = held(m_owners[sequence]);
        if (used() - before + held(after) > m_total) {
            return false;
        }
        m_owners[sequence] = after;
        return true;
    }

    void truncate(std::size_t sequence, std::int64_t length)
    {
        Owner& owner = m_owners[sequence];
        if (length < owner.length) {
            owner.length = length;
            const std::int64_t blocks = (length + m_blockTokens - 1) / m_blockTokens;
            owner.kept = std::min(owner.kept, blocks * m_blockTokens);
        }
    }

    bool holds(std::size_t sequence, std::int64_t block) const
    {
        const Owner& owner = m_owners.at(sequence);
        return block * m_blockTokens < owner.length && (block + 1) * m_blockTokens > owner.kept;
    }
    std::int64_t length(std::size_t sequence) const { return m_owners.at(sequence).length; }
    void add(std::size_t sequence) { m_owners[sequence] = {}; }

    std::int64_t used() const
    {
        std::int64_t sum = 0;
        for (const auto& [sequence, owner] : m_owners) {
            sum += held(owner);
        }
        return sum;
    }

private:
    struct Owner {
        std::int64_t length = 0;
        std::int64_t kept = 0;
    };

    std::int64_t held(const Owner& owner) const
    {
        std::int64_t count = 0;
        for (std::int64_t block = 0; block * m_blockTokens < owner.length; ++block) {
            count += (block + 1) * m_blockTokens > owner.kept ? 1 : 0;
        }
        return count;
    }

    std::int64_t m_total;
    std::int64_t m_blockTokens;
    std::map<std::size_t, Owner> m_owners;
};

} // namespace

class TestBlockPool : public QObject {
    Q_OBJECT

private slots:
    void agreesWithCountingOneByOne()
    {
        std::mt19937_64 random(5);
        for (int round = 0; round < 60; ++round) {
            const auto total = static_cast<std::int64_t>(1 + random() % 60);
            const auto blockTokens = static_cast<std::int64_t>(1 + random() % 20);
            const std::int64_t window = random() % 2 == 0 ? 0 : static_cast<std::int64_t>(1 + random() % 70);
            BlockPool pool{Blocks(total), Tokens(blockTokens), random()};
            NaivePool naive(total, blockTokens);
            for (int action = 0; action < 300; ++action) {
                if (pool.sequences() < 4) {
                    naive.add(pool.add());
                }
                const std::size_t sequence = random() % pool.sequences();
                if (random() % 3 != 0) {
                    const std::int64_t length = naive.length(sequence) + static_cast<std::int64_t>(random() % 40);
                    const std::int64_t kept = window == 0 ? 0 : std::max<std::int64_t>(0, length - window);
                    QCOMPARE(pool.extend(sequence, Tokens(length), Tokens(kept)), naive.extend(sequence, length, kept));
                } else {
                    const auto length = static_cast<std::int64_t>(random() % 100);
                    pool.truncate(sequence, Tokens(length));
                    naive.truncate(sequence, length);
                }
                QCOMPARE(pool.length(sequence).count(), naive.length(sequence));
                QCOMPARE(pool.used().count(), naive.used());
                QCOMPARE(pool.brokenInvariant(), std::string());
                for (std::size_t block = 0; block < pool.table(sequence).size(); ++block) {
                    QCOMPARE(pool.table(sequence)[block] != BlockPool::noBlock,
                        naive.holds(sequence, static_cast<std::int64_t>(block)));
                }
            }
        }
    }

    void refusalChangesNothing()
    {
        BlockPool pool(Blocks(4), Tokens(16), 1);
        const auto first = pool.add();
        const auto second = pool.add();
        QVERIFY(pool.extend(first, Tokens(33)));
        const std::vector<std::int32_t> before(pool.table(first).begin(), pool.table(first).end());
        QVERIFY(!pool.extend(second, Tokens(17)));
        QCOMPARE(pool.length(second).count(), 0);
        QCOMPARE(pool.free().count(), 1);
        QVERIFY(pool.extend(second, Tokens(16)));
        QVERIFY(!pool.extend(first, Tokens(49)));
        QVERIFY(std::ranges::equal(before, pool.table(first)));
    }

    void everythingComesBack()
    {
        BlockPool pool(Blocks(100), Tokens(16), 2);
        for (int i = 0; i < 10; ++i) {
            QVERIFY(pool.extend(pool.add(), Tokens(160)));
        }
        QCOMPARE(pool.free().count(), 0);
        for (std::size_t i = 0; i < pool.sequences(); ++i) {
            pool.release(i);
        }
        QCOMPARE(pool.free().count(), 100);
        QCOMPARE(pool.brokenInvariant(), std::string());
    }

    void orderIsRandomAndFixedByTheSeed()
    {
        const auto order = [](std::uint64_t seed) {
            BlockPool pool(Blocks(1000), Tokens(16), seed);
            pool.extend(pool.add(), Tokens(16000));
            return std::vector<std::int32_t>(pool.table(0).begin(), pool.table(0).end());
        };
        const std::vector<std::int32_t> one = order(1);
        QVERIFY(one == order(1));
        QVERIFY(one != order(2));
        QCOMPARE(std::set<std::int32_t>(one.begin(), one.end()).size(), std::size_t{1000});
        int neighbours = 0;
        for (std::size_t i = 1; i < one.size(); ++i) {
            neighbours += std::abs(one[i] - one[i - 1]) == 1 ? 1 : 0;
        }
        QVERIFY(neighbours < 20); // two are expected
    }

    void windowHoldsItsBlocksAlone()
    {
        BlockPool pool(Blocks(3), Tokens(16), 3);
        const auto sequence = pool.add();
        for (std::int64_t length = 1; length < 500; ++length) {
            QVERIFY(pool.extend(sequence, Tokens(length), Tokens(std::max<std::int64_t>(0, length - 32))));
            QVERIFY(pool.used().count() <= 3);
        }
    }
};

QTEST_APPLESS_MAIN(TestBlockPool)
#include "tst_block_pool.moc"
