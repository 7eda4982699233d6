import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { Refusal } from '#refusal.ts'

/**
 * Makes something with its secret in a new file (mode 0600), never over an existing one: that may hold another secret.
 * No file, nothing made. `what` is made, a key or a link.
 */
export async function keptIn<Made>(
  what: string,
  file: string,
  make: () => Promise<Made>,
  secretOf: (made: Made) => string,
): Promise<Made> {
  const descriptor = openNew(what, file)
  try {
    const made = await make()
    writeSync(descriptor, `${secretOf(made)}\n`)
    return made
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function openNew(what: string, file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'invalid_input',
      `the secret file cannot be made (${cause}), so no ${what} was created: name a new file`,
    )
  }
}
