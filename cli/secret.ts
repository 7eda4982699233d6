/** A secret is shown once. When nobody can have seen it, what it opens must not stay. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { Refusal } from '#refusal.ts'
import { printed } from './output.ts'

export interface Secret<Made> {
  /** What is made, a key or a link. */
  what: string
  make: () => Promise<Made>
  secretOf: (made: Made) => string
  /** Ends what was made, or leaves it; returns what the person is to do now. */
  takeBack: (made: Made) => Promise<string>
}

/** Makes something with its secret in a new file (mode 0600), never over an existing one: that may hold another secret. No file, nothing made. */
export async function keptIn<Made>(file: string, { what, make, secretOf, takeBack }: Secret<Made>): Promise<Made> {
  const descriptor = openNew(what, file)
  try {
    const made = await make()
    await seen(made, takeBack, async () => {
      writeSync(descriptor, `${secretOf(made)}\n`)
      fsyncSync(descriptor)
    })
    return made
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Makes something and prints `text` of it, which holds its secret. */
export async function shown<Made>({ make, takeBack }: Secret<Made>, text: (made: Made) => string): Promise<Made> {
  const made = await make()
  await seen(made, takeBack, () => printed(text(made)))
  return made
}

async function seen<Made>(made: Made, takeBack: Secret<Made>['takeBack'], write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'not_readable',
      `the secret could not be written (${cause}), so nobody saw it: ${await takeBack(made)}`,
    )
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
