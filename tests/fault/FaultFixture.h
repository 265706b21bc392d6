// SPDX-License-Identifier: MIT
/// @file
/// A store on a disk with faults, and the comparison with what was told about it.
#pragma once

#include "FaultVfs.h"
#include "Ledger.h"
#include "Workload.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <backends/sqlite/SqliteFixture.h>

namespace octostore::test
{

class FaultFixture : public SqliteFixture
{
protected:
    FaultFixture();
    ~FaultFixture() override;

    /// A database with a few batches in it and a ledger of them, for every run to begin with.
    void prepare();
    /// A new copy of it; everything forgotten that happened before.
    void begin();
    /// Where the database of this run is.
    std::string database() const { return folder.file(_name); }

    /// With the disk between; small limits, so that the log is copied often.
    sqlite::Options faulty();
    /// Opens, loads and starts; false when the store could not be opened. What it has must fit the
    /// ledger, which is settled with it.
    bool open(sqlite::Options options);
    /// What the store says must fit the ledger, its pages must be in order, and it must go on.
    void expectSound(const std::string& file);
    /// The same for what a power failure would leave of it.
    void expectSoundAfterPowerFailure(bool torn);
    /// What would be left is not as the ledger says.
    std::vector<std::string> violationsAfterPowerFailure(bool torn);

    FaultPlan plan;
    FaultDisk disk{plan};
    FaultVfs vfs{"faulty", disk, false};
    Ledger ledger;
    std::unique_ptr<Workload> work; // of the last open()
    std::uint64_t seed = 0;
    /// Of so many places a fault can strike at, one is tried; OCTOSTORE_TEST_EVERY says how many.
    std::uint32_t every = 6;
    /// The first place, by lot.
    std::uint32_t firstPlace() const { return 1 + static_cast<std::uint32_t>(seed % every); }

private:
    std::string writeImage(bool torn);

    Ledger _prepared;
    std::string _name;
    unsigned _runs = 0;
};

} // namespace octostore::test
