/** A site keeps an owner and an installation an operator: the last of them stays (decisions 2, rules 7). */
import type { ControlTransaction } from '#control/store.ts'
import { Refusal } from '#refusal.ts'

/**
 * Call it in the transaction that takes an owner from a site, before it does.
 * @throws Refusal conflict when the person is the only owner; a person who owns nothing there passes.
 */
export async function refuseLastOwner(trx: ControlTransaction, site_id: string, user_id: string): Promise<void> {
  // TRICKY: two owners leaving at once would each see the other; writing the site's row makes them queue ("two owners
  // leave at once").
  const site = await trx
    .updateTable('sites')
    .set(({ ref }) => ({ root_domain: ref('root_domain') }))
    .where('id', '=', site_id)
    .returning('root_domain')
    .executeTakeFirst()
  if (site === undefined) throw new Refusal('site_not_found', 'The site is no longer there.')
  const owners = await trx
    .selectFrom('members')
    .select('user_id')
    .where((is) => is.and({ site_id, role: 'owner' }))
    .execute()
  if (owners.length !== 1 || owners[0]?.user_id !== user_id) return
  throw new Refusal(
    'conflict',
    `This person is the only owner of ${site.root_domain}, and a site keeps one: make someone else an owner first, or remove the site.`,
  )
}

/**
 * Call it in the transaction that takes an operator from the installation, before it does.
 * @throws Refusal conflict when the person is the only operator.
 */
export async function refuseLastOperator(trx: ControlTransaction, user_id: string): Promise<void> {
  // The same queue as above, on the one row that every installation has.
  await trx
    .updateTable('settings')
    .set(({ ref }) => ({ value: ref('value') }))
    .where('name', '=', 'installation_id')
    .execute()
  const operators = await trx.selectFrom('users').select('id').where('is_operator', '=', 1).execute()
  if (operators.length !== 1 || operators[0]?.id !== user_id) return
  throw new Refusal(
    'conflict',
    'This person is the only operator, and an installation keeps one: add another first, with: {next}',
    { next: { step: 'add_operator' } },
  )
}
