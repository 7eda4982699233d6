/**
 * Derives days from facts, in the same way for every kind: inserts a new build, moves the pointer in the control store,
 * and calls the listeners. A crash in between leaves a build that answers do not read.
 */
import { MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { DerivedKind } from '#control/tables.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { MAX_UNRENEWED_MS, nextBuild, recallBuild, retire, switchBuild } from './builds.ts'
import type { Derivation, ReadyDay } from './derivation.ts'
import { causeOf } from './derived-day-signal.ts'
import type { DerivedDays } from './derived-days.ts'
import { clearMarks } from './dirty-days.ts'

export interface DeriveContext extends ControlContext {
  derived: DerivedDays
}

/**
 * Derives every day of a kind that is ready, and returns the number of days. `stop` is called between two builds.
 * @throws AggregateError: some days could not be derived. They stay dirty and are read from facts.
 */
export function derive<D extends ReadyDay>(
  ctx: DeriveContext,
  derivation: Derivation<D>,
  stop: () => boolean = () => false,
): Promise<number> {
  return ctx.derived.run(derivation.kind, async () => {
    const failures: unknown[] = []
    let done = 0
    const deriveAll = async (batches: readonly D[][], isUrgent: boolean) => {
      for (const batch of batches) {
        if (stop()) return
        if (!isUrgent) await deriveAll(await findUrgent(), true)
        try {
          await deriveInPieces(ctx, derivation, batch)
          done += batch.length
        } catch (error) {
          // Its days stay dirty and are read from facts; the other days are still derived.
          failures.push(error)
        }
      }
    }
    const findUrgent = async () => (await derivation.findUrgent?.()) ?? []
    await deriveAll(await findUrgent(), true)
    await deriveAll(await derivation.findBatches(), false)
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} builds of ${derivation.kind} could not be derived`)
    return done
  })
}

/** Derives days with one build. If the engine has too little memory for that, with one build for each half of them. */
async function deriveInPieces<D extends ReadyDay>(
  ctx: DeriveContext,
  derivation: Derivation<D>,
  batch: readonly D[],
): Promise<void> {
  try {
    await deriveBatch(ctx, derivation, batch)
  } catch (error) {
    if (batch.length < 2 || !(error instanceof EvidenceError) || error.kind !== 'memory') throw error
    const half = Math.ceil(batch.length / 2)
    await deriveInPieces(ctx, derivation, batch.slice(0, half))
    await deriveInPieces(ctx, derivation, batch.slice(half))
  }
}

async function deriveBatch<D extends ReadyDay>(
  ctx: DeriveContext,
  derivation: Derivation<D>,
  batch: readonly D[],
): Promise<void> {
  const { kind } = derivation
  const { build, insert } = await ctx.control.transaction(async (tx) => {
    const retired_at = ctx.clock.shared()
    const build = await nextBuild(tx, retired_at)
    // A new build is retired at once: if this process dies before the pointer moves, its rows are deleted like those of
    // any retired build.
    const rows = batch.flatMap((day) => derivation.parts(day).map((part) => ({ ...keyOf(day), kind, part, build })))
    await retire(
      tx,
      rows.map((row) => ({ ...row, delivery_id: '', retired_at })),
    )
    return { build, insert: await derivation.begin(tx, batch, build) }
  })
  ctx.derived.building.add(build)
  // Other processes delete retired rows: this shows them that the build is still being inserted.
  const renewing = setInterval(() => renewBuild(ctx, derivation.kind, build), RENEW_EVERY_MS)
  try {
    await insert()
    const { switched, late } = await switchDays(ctx, derivation, batch, build)
    for (const day of switched) await ctx.derived.signal({ kind, ...keyOf(day), cause: causeOf(day.marks) })
    if (late.length > 0) throw new Error(describeLate(kind, build, late))
  } finally {
    clearInterval(renewing)
    ctx.derived.building.delete(build)
  }
}

/** Much shorter than the time after which retired rows are deleted. */
const RENEW_EVERY_MS = 2 * MINUTE_MS

function renewBuild({ control, clock }: DeriveContext, kind: DerivedKind, build: number): void {
  const retired_at = clock.shared()
  const renewed = control.db
    .updateTable('retired_builds')
    .set({ retired_at })
    .where((is) => is.and({ kind, build }))
    .where('retired_at', '>=', retired_at - MAX_UNRENEWED_MS)
  // It is renewed again in two minutes. After five minutes without renewal, the build is not used.
  renewed.execute().catch(() => {})
}

function describeLate(kind: DerivedKind, build: number, days: readonly ReadyDay[]): string {
  const late = `Build ${build} of ${kind} was not renewed for ${MAX_UNRENEWED_MS / MINUTE_MS} minutes`
  return `${late}, so its rows may have been deleted. Days that are derived again: ${days.length}.`
}

/** The days of the batch whose build is now used, and those for which it was too late. */
function switchDays<D extends ReadyDay>(
  ctx: DeriveContext,
  derivation: Derivation<D>,
  batch: readonly D[],
  build: number,
): Promise<{ switched: D[]; late: D[] }> {
  const { kind } = derivation
  return ctx.control.transaction(async (tx) => {
    const switched: D[] = []
    const late: D[] = []
    for (const day of batch) {
      if (!(await derivation.isCurrent(tx, day))) continue
      const now = ctx.clock.shared()
      const [row, parts] = [{ kind, ...keyOf(day), build }, derivation.parts(day)]
      if (!(await recallBuild(tx, row, parts, now))) {
        late.push(day)
        continue
      }
      await derivation.replace?.(tx, day, now)
      await switchBuild(tx, row, parts, now)
      await clearMarks(tx, kind, day, day.marks)
      switched.push(day)
    }
    return { switched, late }
  })
}

const keyOf = ({ site_id, day }: ReadyDay) => ({ site_id, day })
