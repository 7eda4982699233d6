/** Operations that make a secret. It is shown once. If it could not be shown, it is revoked. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import type { ManagementInput, ManagementOperationId, ManagementOutput } from '#contract/management-api/index.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { type Entry, entry } from './command.ts'
import { messageOf } from './errors.ts'
import type { RunOperation } from './folder/client.ts'
import { commandHost } from './host/command-host.ts'
import { both, inputOf, optional, type ParametersOf } from './input/parameters.ts'
import { jsonText, note, printed, printJson, printLine } from './output.ts'

interface SecretOperation<Input, Made> {
  parameters: ParametersOf<Input>
  /** What is made, and the name of its secret in messages if that is something else. */
  what: string
  secret_name?: string
  /** Null: this one has no secret, and is printed as text. */
  secretOf(made: Made): string | null
  /** Left out: all inputs make a secret. */
  isSecret?(input: Input): boolean
  /** What a person reads beside the secret itself. */
  notes(made: Made): readonly string[]
  /** What a person reads when the secret is in a file. */
  text(made: Made, file: string | undefined): string
  /** Revokes what was made, where that is possible; returns what the person should do next. */
  takeBack(made: Made, input: Input, run: RunOperation): Promise<string>
}

/** A command that prints a secret alone, so that it can be piped to where it is needed, or writes it to a new file. */
export function secretOperation<Id extends ManagementOperationId>(
  id: Id,
  description: string,
  definition: SecretOperation<ManagementInput<Id>, ManagementOutput<Id>>,
): Entry {
  const { parameters, what, secret_name = what, secretOf, isSecret = () => true, notes, text, takeBack } = definition
  const about = `write the ${secret_name} to a new file (mode 0600) instead of printing it`
  const parameter = both(inputOf(parameters), optional('--secret-file <file>', about))
  return entry(id, description, parameter, async ([input, file], { json, run, release }) => {
    const make = async (show: (made: ManagementOutput<Id>) => Promise<void>) => {
      const made = await run(id, input)
      await release()
      await show(made).catch(async (error: unknown) => {
        const advice = await takeBack(made, input, run)
        const reason = `the secret could not be written (${messageOf(error)}), so it was not shown: ${advice}`
        throw new Refusal('not_readable', reason)
      })
      return made
    }
    if (file === undefined) {
      if (isSecret(input) && commandHost().standardOutputIsNull()) throw unseen(what, secret_name)
      const made = await make((made) => printed(json ? jsonText(made) : (secretOf(made) ?? text(made, file))))
      if (!json && secretOf(made) !== null) for (const text of notes(made)) note(text)
    } else {
      const made = await withNewFile(what, file, (write) => make(async (made) => write(`${secretOf(made) ?? ''}\n`)))
      if (secretOf(made) === null) rmSync(file)
      if (json) printJson({ ...withoutSecret(made), secret_file: file })
      else printLine(text(made, file))
    }
  })
}

const unseen = (what: string, secret_name: string) =>
  new Refusal(
    'not_readable',
    `standard output is closed or the null device, so the ${secret_name} cannot be shown, and no ${what} was created: keep standard output open, or write the ${secret_name} to a new file with --secret-file`,
  )

/** The answer without the fields that hold a secret. */
function withoutSecret(made: object): object {
  return JSON.parse(JSON.stringify(made, (key, value) => (key === 'secret' || key === 'link' ? undefined : value)))
}

/** What a person should do about a secret that could not be shown: `revoked`, or `advice` if revoking it failed. */
export function takenBack(revoking: Promise<unknown>, revoked: string, advice: string): Promise<string> {
  return revoking.then(
    () => revoked,
    () => advice,
  )
}

/** How a new key or token is announced, and how it is revoked when its secret could not be shown. */
export function issued(what: 'key' | 'token', revoke: 'key.revoke' | 'token.revoke') {
  type Made = ManagementOutput<'key.create'>
  return {
    what,
    secret_name: 'secret',
    secretOf: ({ secret }: Made) => secret,
    notes: ({ id }: Made) => [`Created ${what} ${id}. The secret above is shown only now: store it safely.`],
    text: ({ id }: Made, file: string | undefined) => `Created ${what} ${id}; its secret is in ${file}`,
    takeBack: ({ id }: Made, _input: unknown, run: RunOperation) =>
      takenBack(
        run(revoke, { [what]: id } as { key: string } & { token: string }),
        `the ${what} was revoked. Create another one when its secret can be written`,
        `revoking the ${what} failed as well; revoke it: spoor ${what} revoke ${id}`,
      ),
  }
}

/** Writes a secret to a new file (mode 0600), never over an existing one. Without the file, no secret is made. */
async function withNewFile<Made>(
  what: string,
  file: string,
  make: (write: (text: string) => void) => Promise<Made>,
): Promise<Made> {
  const descriptor = openNew(what, file)
  try {
    return await make((text) => {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    })
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
    const cause = CAUSES.get(String((error as NodeJS.ErrnoException).code)) ?? messageOf(error)
    const reason = `the secret file ${quoted(file)} cannot be made (${cause}), so no ${what} was created: name a new file`
    throw new Refusal('invalid_input', reason)
  }
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['EEXIST', 'it exists, and may hold another secret'],
  ['ENOENT', 'its folder does not exist'],
  ['EACCES', 'this user may not write there'],
])
