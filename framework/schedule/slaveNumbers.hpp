#pragma once

namespace ferry::detail {

/// Slaves are numbered from 0, their ranks from 1.
constexpr int rankOfSlave(int slave) noexcept { return slave + 1; }
constexpr int slaveOfRank(int rank) noexcept { return rank - 1; }

}    // namespace ferry::detail
