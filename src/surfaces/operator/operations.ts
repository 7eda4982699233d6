/** What the person at the machine may do: the management operations, called as the operator (rules 7). */
import type { OperatorCaller } from '#accounts/caller.ts'
import {
  type ManagementInput,
  type ManagementOperation,
  type ManagementOperationId,
  type ManagementOutput,
  managementOperations,
} from '#contract/management-api/index.ts'
import type { ManagementServices } from '#management-services.ts'
import { Refusal } from '#refusal.ts'
import { admitCaller } from '#sources/admit-caller.ts'
import { managementImplementations } from '../management.ts'
import { carryOut, type OperationTable, validatorOf } from '../register-operations.ts'

/** Services of an opened installation, and the account that its operator is of. */
export interface OperatorContext extends ManagementServices {
  account_id: string
}

/** The caller at the operator’s socket. */
export const operatorCaller = ({ account_id }: OperatorContext): OperatorCaller => ({ kind: 'operator', account_id })

/** The management operations as the operator’s socket serves them. */
export const operatorTable = (ctx: OperatorContext): OperationTable<ManagementOperation, ManagementServices> => ({
  implementations: managementImplementations,
  services: ctx,
  admit: (operation, caller, named) => admitCaller(ctx, operation, caller, named),
  unbuilt: ({ id }) => new Refusal('not_built', `${id} is not built yet.`),
})

/** Throws Refusal(invalid_input) unless the input is of the operation's form. */
export function checkInput(operation: ManagementOperation, input: unknown): Readonly<Record<string, unknown>> {
  const validator = validatorOf(operation.input)
  if (validator.Check(input)) return input as Readonly<Record<string, unknown>>
  const places = validator.Errors(input).slice(0, 5)
  const faults = places.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  throw new Refusal('invalid_input', `the input of ${operation.id} is malformed: ${faults.join('; ')}`)
}

/** Carries out one operation in this process, as the socket of a running server would. */
export async function runOperation<Id extends ManagementOperationId>(
  ctx: OperatorContext,
  id: Id,
  input: ManagementInput<Id>,
): Promise<ManagementOutput<Id>> {
  const operation = managementOperations.find((known) => known.id === id)
  if (operation === undefined) throw new Error(`there is no operation ${id}`)
  const output = await carryOut(operatorTable(ctx), operation, operatorCaller(ctx), checkInput(operation, input))
  return output as ManagementOutput<Id>
}
