/** Deletions that a person confirms by typing the name of the deleted subject (decisions 7.6). */
import { DashboardFailure } from './failures.ts'

const DELETIONS = ['site.remove', 'brand.remove', 'question.remove']

/** The function of the operation compares the name. @throws DashboardFailure invalid_input: none is typed. */
export function demandTypedName(operation_id: string, { typed_name }: Readonly<Record<string, unknown>>): void {
  if (!DELETIONS.includes(operation_id) || typed_name !== undefined) return
  const message = 'It is missing: type the name of what is deleted.'
  throw new DashboardFailure('invalid_input', `typed_name: ${message}`, [{ path: ['typed_name'], message }])
}
