/** The double of a ClickHouse server (clickhouse-double.child.ts) as a process of its own. */

import { once } from 'node:events'
import { startChild } from './child.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** On which store `openTestEvidence` and `openTestService` keep evidence. */
    evidence_store: 'chdb' | 'clickhouse'
  }
}

export interface ClickHouseDouble {
  /** With user and password. */
  url: string
  /** Ends it; its folder stays. */
  close(): Promise<void>
}

/** Starts one over an evidence folder, which may be empty. */
export async function startClickHouseDouble(folder: string): Promise<ClickHouseDouble> {
  const child = startChild(new URL('./clickhouse-double.child.ts', import.meta.url), folder)
  const url = await child.line()
  return {
    url,
    async close() {
      const ended = once(child.process, 'exit')
      child.process.stdin?.end()
      await ended
    },
  }
}
