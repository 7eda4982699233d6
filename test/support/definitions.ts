/** A site on a fresh control store, with a tracker, for tests of what its owner defines. */
import { randomBytes } from 'node:crypto'
import { expect, inject } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { openSecretBox, type SecretBox } from '#secrets/secret-box.ts'
import type { Site } from '#sites/site.ts'
import { addSite } from '#sites/sites.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { openTestControl, type TestControl } from './control.ts'

export interface TestDefinitions {
  ctx: { control: ControlStore; clock: FakeClock; secrets: SecretBox }
  opened: TestControl
  site: Site
  /** The store as another process has it; SQLite serves one process, so there it is the same one. */
  another(): Promise<{ control: ControlStore; clock: Clock }>
  /** JSON in, as a command hands it over. */
  conversion(definition: unknown, effective_from?: number): ReturnType<typeof addConversion>
  funnel(definition: unknown, effective_from?: number): ReturnType<typeof addFunnel>
}

export async function openDefinitions(now = '2026-03-10T12:00:00Z'): Promise<TestDefinitions> {
  const opened = await openTestControl()
  const secrets = openSecretBox(opened.folder, { secret_key: randomBytes(32).toString('hex') })
  const ctx = { control: opened.control, clock: fakeClock(now), secrets }
  const installation = await ensureInstallation(ctx.control, ctx.clock)
  const site = await addSite(ctx, { ...installation, domain: 'example.com' })
  const from = (effective_from?: number) => (effective_from === undefined ? {} : { effective_from })
  return {
    ctx,
    opened,
    site,
    another: async () => (inject('control_store') === 'postgres' ? { ...ctx, control: await opened.open() } : ctx),
    conversion: async (definition, at) =>
      addConversion(ctx, { site, definition: readConversionInput(definition), ...from(at) }),
    funnel: async (definition, at) => addFunnel(ctx, { site, definition: readFunnelInput(definition), ...from(at) }),
  }
}

/** What `rejects.toMatchObject` takes for a Refusal. */
export const refusal = (kind: string, message: RegExp) => ({ kind, message: expect.stringMatching(message) })

/** A refusal that names a step. */
export const refusalWith = (kind: string, step: string) => ({ kind, next: { step } })
