/** What is checked of a call before its brand is looked up, in the order of account API 1; REST and MCP share it. */
import type { AccountTokenCaller } from '#accounts/caller.ts'
import type { AccountApiContext } from '#brands/context.ts'
import type { FieldFault } from '#brands/invalid-request.ts'
import type { DeprecatedOperation } from '#contract/account-api/deprecated.ts'
import type { AccountOperation } from '#contract/account-api/index.ts'
import { Refusal } from '#refusal.ts'
import { refuseByKind } from '#sources/admit-caller.ts'
import type { OperationTable } from '../register-operations.ts'
import { invalidRequest } from './failures.ts'
import { meterRequest } from './meter.ts'
import { isUuid } from './parameters.ts'

type ServedOperation = AccountOperation | DeprecatedOperation
type Ids = Readonly<Record<string, string>>

/**
 * Scope and role, quota, form of the ids (checks 3 to 5).
 * @param ids what names the brand and what lies below it.
 * @param onCounted receives the headers of the quota, which every later answer carries.
 */
export async function checkCall(
  api: Pick<OperationTable<ServedOperation, AccountApiContext>, 'admit' | 'services'>,
  operation: ServedOperation,
  caller: AccountTokenCaller,
  ids: Ids,
  onCounted: (headers: Readonly<Record<string, string>>) => void,
): Promise<void> {
  refuseByKind(operation, caller)
  await refuseByRole(api, operation, caller, ids)
  onCounted(await meterRequest(api.services, caller.account_id))
  const faults = Object.keys(operation.params.properties)
    .filter((name) => !isUuid(String(ids[name])))
    .map((name) => faultOf(name, ids[name]))
  if (faults.length > 0) throw invalidRequest(faults)
}

/** A path has all of its ids; the arguments of a tool may lack one. */
const faultOf = (name: string, id: string | undefined): FieldFault =>
  id === undefined
    ? { path: [name], code: 'required', message: `${name} is missing.` }
    : { path: [name], code: 'invalid_uuid', message: `${name} must be a UUID.` }

/**
 * What a caller may read and not change is 403, which comes before the quota and is not counted; what is missing is
 * answered after it.
 */
async function refuseByRole(
  api: Pick<OperationTable<ServedOperation, AccountApiContext>, 'admit'>,
  operation: ServedOperation,
  caller: AccountTokenCaller,
  { brandId = '' }: Ids,
): Promise<void> {
  if (operation.effect === 'read' || !isUuid(brandId)) return
  await api.admit(operation, caller, brandId).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'not_found') throw error
  })
}
