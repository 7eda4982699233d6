/** Everything that people and operators manage, as operations. */
import type { InputOf, OutputOf } from '../operation.ts'
import { accountOperations } from './account.ts'
import { alertOperations } from './alerts.ts'
import { answerOperations } from './answers.ts'
import { authorityOperations } from './authority.ts'
import { brandOperations } from './brands.ts'
import { definitionOperations } from './definitions.ts'
import { engineOperations } from './engines.ts'
import { fixOperations } from './fixes.ts'
import { inspectionOperations } from './inspections.ts'
import { diagnose } from './installation.ts'
import { issueOperations } from './issues.ts'
import { keyOperations } from './keys.ts'
import { memberOperations } from './members.ts'
import { nodeOperations } from './nodes.ts'
import { questionOperations } from './questions.ts'
import { registryOperations } from './registry.ts'
import { reportOperations } from './report.ts'
import { scanOperations } from './scans.ts'
import { searchDataOperations } from './search-data.ts'
import { siteOperations } from './sites.ts'
import { sourceOperations } from './sources.ts'
import { tokenOperations } from './tokens.ts'
import { trackerOperations } from './tracker.ts'
import { userOperations } from './users.ts'

export const managementOperations = [
  ...siteOperations,
  ...keyOperations,
  ...accountOperations,
  ...tokenOperations,
  ...brandOperations,
  ...questionOperations,
  ...fixOperations,
  ...answerOperations,
  ...engineOperations,
  ...scanOperations,
  ...searchDataOperations,
  ...userOperations,
  ...memberOperations,
  ...authorityOperations,
  ...sourceOperations,
  ...trackerOperations,
  ...definitionOperations,
  ...issueOperations,
  ...alertOperations,
  ...registryOperations,
  ...inspectionOperations,
  ...reportOperations,
  ...nodeOperations,
  diagnose,
] as const

export type ManagementOperation = (typeof managementOperations)[number]
export type ManagementOperationId = ManagementOperation['id']
/** The operations of these ids, or of ids of this form. */
export type ManagementOperationOf<Id extends string> = Extract<ManagementOperation, { id: Id }>
export type ManagementInput<Id extends ManagementOperationId> = InputOf<ManagementOperationOf<Id>>
export type ManagementOutput<Id extends ManagementOperationId> = OutputOf<ManagementOperationOf<Id>>
