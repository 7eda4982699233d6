/** Every scenario, in the order in which they run. */
import type { Scenario } from '../scenario.ts'
import { backupScenarios } from './backups.ts'
import { clickHouseScenarios } from './clickhouse.ts'
import { clockScenarios } from './clocks.ts'
import { connectionScenarios } from './connections.ts'
import { diskScenarios } from './disks.ts'
import { killScenarios } from './kills.ts'
import { postgresScenarios } from './postgres.ts'
import { requestScenarios } from './requests.ts'
import { slowClientScenarios } from './slow-clients.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...requestScenarios,
  ...slowClientScenarios,
  ...connectionScenarios,
  ...diskScenarios,
  ...clockScenarios,
  ...postgresScenarios,
  ...clickHouseScenarios,
  ...killScenarios,
  ...backupScenarios,
]
