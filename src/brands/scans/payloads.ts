/**
 * Raw responses of engines, which are stored for 30 days as sealed files of the data folder, so that exports and
 * backups do not contain them (account API 3, storage).
 */
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Clock, DAY_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { SecretBox } from '#secrets/secret-box.ts'

interface PayloadContext {
  payload_folder: string
  secrets: SecretBox
}

export interface PayloadPlace {
  brand_id: string
  question_id: string
  answer_id: string
  /** Which try of the question it was, from 1. */
  try: number
}

const KEPT_MS = 30 * DAY_MS
const UUID = /^[\da-f-]{36}$/

/** The parts of an answer in turn, as they were received. */
export async function keepPayload(
  { payload_folder, secrets }: PayloadContext,
  place: PayloadPlace,
  parts: readonly Buffer[],
): Promise<void> {
  const packed = gzipSync(JSON.stringify(parts.map((part) => part.toString('base64')))).toString('base64')
  const folder = join(payload_folder, place.brand_id, place.question_id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${place.answer_id}.${place.try}`)
  await writeFile(file, secrets.seal(packed, contextOf(place.answer_id)), { mode: 0o600, flush: true })
}

/** The stored raw responses of an answer, by try; empty if there are none. @throws Refusal not_readable. */
export async function readPayloads(
  { payload_folder, secrets }: PayloadContext,
  { brand_id, answer_id }: Pick<PayloadPlace, 'brand_id' | 'answer_id'>,
): Promise<{ try: number; parts: Buffer[] }[]> {
  const payloads = []
  for (const question of await namesIn(join(payload_folder, brand_id))) {
    const folder = join(payload_folder, brand_id, question)
    for (const name of await namesIn(folder)) {
      if (!name.startsWith(`${answer_id}.`)) continue
      const packed = secrets.open(await readFile(join(folder, name), 'utf8'), contextOf(answer_id))
      const parts = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as string[]
      payloads.push({
        try: Number(name.slice(answer_id.length + 1)),
        parts: parts.map((part) => Buffer.from(part, 'base64')),
      })
    }
  }
  return payloads.sort((a, b) => a.try - b.try)
}

/** Deletes responses older than 30 days, and those of removed questions and brands. Returns the number of files. */
export async function deleteOldPayloads({
  payload_folder,
  control,
  clock,
}: {
  payload_folder: string
  control: ControlStore
  clock: Clock
}): Promise<number> {
  const brands = (await namesIn(payload_folder)).filter((name) => UUID.test(name))
  if (brands.length === 0) return 0
  const known = new Set((await control.db.selectFrom('questions').select('id').execute()).map(({ id }) => id))
  let deleted = 0
  for (const brand of brands) {
    for (const question of await namesIn(join(payload_folder, brand))) {
      const folder = join(payload_folder, brand, question)
      for (const name of await namesIn(folder)) {
        const file = join(folder, name)
        const age_ms = clock.now() - (await stat(file)).mtimeMs
        if (known.has(question) && age_ms <= KEPT_MS) continue
        await rm(file, { force: true })
        deleted++
      }
      await removeEmpty(folder)
    }
    await removeEmpty(join(payload_folder, brand))
  }
  return deleted
}

const contextOf = (answer_id: string) => `answer:${answer_id}:payload`

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  })
}
