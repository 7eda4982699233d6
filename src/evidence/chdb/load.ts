/** Loads the embedded engine, which is not installed everywhere: nodes on ClickHouse servers do not need it. */
import { EvidenceError } from '../errors.ts'

/**
 * The module that opens embedded stores. It is loaded when it is first needed, because that takes longer than most
 * commands. @throws EvidenceError unavailable: the engine is not installed, or not for this machine.
 */
export async function loadChdb(): Promise<typeof import('./store.ts')> {
  try {
    return await import('./store.ts')
  } catch (error) {
    if (!isMissingEngine(error)) throw error
    throw new EvidenceError(
      'unavailable',
      `The embedded engine (npm packages chdb and koffi) cannot be loaded on ${process.platform}-${process.arch}: ` +
        `${firstLine(error)}. Install Spoor without --omit=optional, or use the image with the engine; with ClickHouse ` +
        'servers (SPOOR_CLICKHOUSE_URL) it is not needed.',
      error,
    )
  }
}

function isMissingEngine(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return (
    error.code.startsWith('CHDB_') || (error.code === 'ERR_MODULE_NOT_FOUND' && /'(chdb|koffi)/.test(error.message))
  )
}

const firstLine = ({ message }: Error) => (message.split('\n')[0] as string).replace(/\.$/, '')
