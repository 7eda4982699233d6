import { queryOptions } from '@tanstack/react-query'
import { change } from './client.ts'
import type { ChangeId, Changes } from './operations.ts'

/** A setting that one operation reads and changes. It is a POST; without a value it only reads. */
export const settingQuery = <Id extends ChangeId>(id: Id, input: Changes[Id]['input']) =>
  queryOptions<Changes[Id]['output'], Error>({ queryKey: [id, input], queryFn: () => change(id, input) })
