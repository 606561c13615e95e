// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/mapping.h"
#include "gpu/host/system_memory.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <cstring>

using namespace kvplan;

namespace {

/// A made-up root of a file system with 8 GiB of memory, 6 of them available.
class FakeRoot {
public:
    FakeRoot() { write("proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 6291456 kB\n"); }

    void write(const QString& name, const QByteArray& text)
    {
        const QString path = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    double availableGib() const { return gib(systemMemory(m_folder.path().toStdString()).available); }
    double totalGib() const { return gib(systemMemory(m_folder.path().toStdString()).total); }

private:
    QTemporaryDir m_folder;
};

constexpr const char* gib3 = "3221225472\n";
constexpr const char* gib2 = "2147483648\n";
constexpr const char* gib1 = "1073741824\n";

} // namespace

class TestSystemMemory : public QObject {
    Q_OBJECT

private slots:
    void withoutALimitTheSystemDecides()
    {
        FakeRoot root;
        QCOMPARE(root.availableGib(), 6.0);
        QCOMPARE(root.totalGib(), 8.0);
    }

    void containerLimitOfVersion2()
    {
        FakeRoot root;
        root.write("proc/self/cgroup", "0::/box/inner\n");
        root.write("sys/fs/cgroup/box/memory.max", gib3);
        root.write("sys/fs/cgroup/box/memory.current", gib2);
        root.write("sys/fs/cgroup/box/memory.stat", "anon 5\ninactive_file 1073741824\n");
        root.write("sys/fs/cgroup/box/inner/memory.max", "max\n");
        root.write("sys/fs/cgroup/box/inner/memory.current", gib2);
        QCOMPARE(root.availableGib(), 2.0); // 3 − 2 + the cache that can be dropped
        QCOMPARE(root.totalGib(), 3.0);
    }

    void limitAtTheMountOfAContainer()
    {
        FakeRoot root;
        root.write("proc/self/cgroup", "0::/\n");
        root.write("sys/fs/cgroup/memory.max", gib1);
        root.write("sys/fs/cgroup/memory.current", "0\n");
        QCOMPARE(root.availableGib(), 1.0);
    }

    void containerLimitOfVersion1()
    {
        FakeRoot root;
        root.write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n");
        root.write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", gib2);
        root.write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", gib1);
        QCOMPARE(root.availableGib(), 1.0);
    }

    void usedUpLimitLeavesNothing()
    {
        FakeRoot root;
        root.write("proc/self/cgroup", "0::/\n");
        root.write("sys/fs/cgroup/memory.max", gib1);
        root.write("sys/fs/cgroup/memory.current", gib2);
        QCOMPARE(root.availableGib(), 0.0);
    }

    void thisMachineIsPlausible()
    {
        const SystemMemory memory = systemMemory();
        QVERIFY(memory.available.count() > 0 && memory.available <= memory.total);
        const ProcessorInfo processor = processorInfo();
        QVERIFY(processor.threads >= 1 && !processor.name.empty());
        QVERIFY(processor.level2.count() > 0 && processor.level2 <= processor.lastLevel);
    }

    void mappingCountsTouchedPagesAlone()
    {
        const Bytes size((std::int64_t{5} << 20) + 100);
        auto mapping = Mapping::create(size, false);
        QVERIFY(mapping.has_value());
        QCOMPARE(mapping->mapped().count() % 4096, 0);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(mapping->data()) % (std::uintptr_t{2} << 20), std::uintptr_t{0});
        const auto untouched = mapping->resident();
        if (!untouched) {
            QSKIP("this system has no /proc/self/smaps");
        }
        QCOMPARE(untouched->total.count(), 0);
        std::memset(mapping->data(), 1, static_cast<std::size_t>(size.count()));
        QCOMPARE(mapping->resident()->total, mapping->mapped());
        const Mapping moved = std::move(*mapping);
        QCOMPARE(moved.resident()->total, moved.mapped());
    }

    void refusedMappingIsAnError()
    {
        const auto tooMuch = Mapping::create(Bytes(std::int64_t{1} << 55), true);
        QVERIFY(!tooMuch.has_value());
        QCOMPARE(tooMuch.error().code, ErrorCode::OutOfMemory);
    }
};

QTEST_APPLESS_MAIN(TestSystemMemory)
#include "tst_system_memory.moc"
