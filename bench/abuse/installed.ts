/** Installations with the demo's history: each kind is prepared once, and every round gets a copy. */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './processes.ts'

/** Only the honest client writes to it. */
export const HONEST_SITE = 'honest.example.net'

export interface Secrets {
  site_key: string
  account_token: string
  /** Of the dashboard's cookie. */
  session: string
  intake_token: string
  /** Of the same source, for senders that never end their batches: the honest client needs a place of its own token. */
  hanging_token: string
  public_key: string
  server_key: string
  honest_id: string
  demo_id: string
  brand_id: string
}

export interface Installed {
  secrets: Secrets
  data: string
  /** The variables that name its stores, for the service's environment. */
  env: Record<string, string>
}

/** Replays the history into an empty folder, and into the stores that `env` names. */
export async function prepare(data: string, env: Record<string, string> = {}): Promise<Installed> {
  mkdirSync(data, { recursive: true })
  const printed = await runNode([new URL('./prepare.ts', import.meta.url).pathname, data], { env })
  return { secrets: JSON.parse(printed) as Secrets, data, env }
}

/** Copies of one installation on embedded stores. */
export function embeddedTemplate(folder: string): (to: string) => Promise<Installed> {
  let prepared: Promise<Installed> | undefined
  return async (to) => {
    prepared ??= prepare(join(folder, 'template'))
    const { data, ...rest } = await prepared
    cpSync(data, to, { recursive: true })
    return { ...rest, data: to }
  }
}
