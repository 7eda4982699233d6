/** A typed client of management operations over any transport: a socket, an HTTP API, or a function in process. */
import type { InputOf, OutputOf } from '../operation.ts'
import { type ManagementOperation, type ManagementOperationId, managementOperations } from './index.ts'

/** Carries an operation's input to the service and its output back; throws what the service refuses. */
export type Transport = (id: ManagementOperationId, input: object) => Promise<unknown>

/** What an operation cannot do without must be passed; an operation that needs nothing is called with nothing. */
type Call<O extends ManagementOperation> =
  Record<never, never> extends InputOf<O> ? [input?: InputOf<O>] : [input: InputOf<O>]

export type ManagementClient = {
  readonly [O in ManagementOperation as O['id']]: (...call: Call<O>) => Promise<OutputOf<O>>
}

/** One method for each operation, by its id. */
export function createManagementClient(transport: Transport): ManagementClient {
  const methods = managementOperations.map(({ id }) => [id, (input: object = {}) => transport(id, input)])
  return Object.fromEntries(methods) as ManagementClient
}
