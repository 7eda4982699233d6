/** Identifies a visitor of one UTC day by a hash. Its salt is deleted an hour after the day (rules 6). */
import { hash, randomBytes } from 'node:crypto'
import { type Clock, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { Refusal } from '#refusal.ts'
import type { CollectorContext } from './context.ts'

export interface Visitors {
  /** The salt of the day if it is loaded; undefined: call `load`. */
  peek(day: string): string | undefined
  load(day: string): Promise<string>
  /** Forgets the salt of a day that ended an hour ago or more. */
  forgetOld(): void
}

const SALT_BYTES = 32
/** Sealed texts contain no space. */
const SEPARATOR = ' '
const contextOf = (day: string) => `visitor_salt:${day}`

/** UInt64, decimal; never 0, which means that an event has no visitor. */
export function visitorOf(salt: string, site_id: string, address: string, user_agent: string): string {
  const visitor = BigInt(`0x${hash('sha256', `${salt}\n${site_id}\n${address}\n${user_agent}`, 'hex').slice(0, 16)}`)
  return visitor === 0n ? '1' : visitor.toString()
}

type SaltContext = Pick<CollectorContext, 'clock' | 'control' | 'secrets'>

export function openVisitors(ctx: SaltContext): Visitors {
  let held: { day: string; salt: string } | null = null
  let running: { day: string; loading: Promise<string> } | null = null
  return {
    peek: (day) => (held?.day === day ? held.salt : undefined),
    async load(day) {
      if (running?.day === day) return running.loading
      const loading = loadSalt(ctx, day)
        .then((salt) => {
          held = { day, salt }
          return salt
        })
        .finally(() => {
          if (running?.loading === loading) running = null
        })
      running = { day, loading }
      return loading
    },
    forgetOld() {
      if (held !== null && held.day < oldestKept(ctx.clock)) held = null
    },
  }
}

/**
 * The stored salt, or a new one if the secret key in use opens none. Earlier salts are kept, because the right secret
 * key may come back after a start with a wrong one.
 */
async function loadSalt({ control, secrets }: SaltContext, day: string): Promise<string> {
  const drawn = randomBytes(SALT_BYTES).toString('hex')
  const sealed = secrets.seal(drawn, contextOf(day))
  return control.transaction(async (tx) => {
    const stored = await tx.selectFrom('visitor_salts').selectAll().where('day', '=', day).executeTakeFirst()
    const earlier = stored === undefined ? [] : stored.sealed_salt.split(SEPARATOR)
    const known = earlier.map((one) => openSalt(secrets, one, day)).find((salt) => salt !== null)
    if (known !== undefined) return known
    const sealed_salt = [sealed, ...earlier].join(SEPARATOR)
    await tx
      .insertInto('visitor_salts')
      .values({ day, sealed_salt })
      .onConflict((conflict) => conflict.column('day').doUpdateSet({ sealed_salt }))
      .execute()
    return drawn
  })
}

function openSalt(secrets: CollectorContext['secrets'], sealed: string, day: string): string | null {
  try {
    return secrets.open(sealed, contextOf(day))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The oldest day whose salt is still kept (rules 6). */
const oldestKept = (clock: Clock) => utcDay(clock.now() - HOUR_MS)

/** Deletes salts of days that ended an hour ago, and hashes of refused visitors. Returns the number of salts. */
export async function deleteOldSalts({ control, clock }: ControlContext): Promise<number> {
  const oldest = oldestKept(clock)
  const { numDeletedRows } = await control.db.deleteFrom('visitor_salts').where('day', '<', oldest).executeTakeFirst()
  const { numUpdatedRows } = await control.db
    .updateTable('refused_evidence')
    .set({ visitor_hashes: '' })
    .where('day', '<', oldest)
    .where('visitor_hashes', '!=', '')
    .executeTakeFirst()
  if (numDeletedRows > 0n || numUpdatedRows > 0n) await control.scrub()
  return Number(numDeletedRows)
}
