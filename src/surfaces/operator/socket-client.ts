/** The other side of the operator's socket: asks a running server. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Receipt } from '#intake/import/receipt.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'

interface ToldRefusal {
  kind: RefusalKind | 'failed'
  detail: string
}

/** True when a server answers on the socket. */
export async function serverListens(path: string): Promise<boolean> {
  try {
    await post(path, '/site.list', Readable.from(['{}']))
    return true
  } catch (error) {
    if (isNobody(error)) return false
    throw error
  }
}

/** Asks the server to run a command; its refusals are thrown here as they were there. */
export async function askServer(path: string, name: string, input: unknown): Promise<unknown> {
  const response = await post(path, `/${name}`, Readable.from([JSON.stringify(input)]))
  const body = JSON.parse(await readText(response)) as { refusal?: ToldRefusal }
  if (body.refusal !== undefined) throw thrown(body.refusal)
  return body
}

/** Streams a log to the server and reports its progress; resolves with the receipt. */
export async function sendLog(
  path: string,
  asked: { site: string; host: string | null; label: string },
  chunks: Readable,
  onProgress: (progress: { bytes: number; lines: number }) => void,
): Promise<Receipt> {
  const query = new URLSearchParams({ site: asked.site, label: asked.label })
  if (asked.host !== null) query.set('host', asked.host)
  const response = await post(path, `/import?${query}`, chunks)
  try {
    for await (const line of createInterface({ input: response })) {
      const message = JSON.parse(line) as ImportMessage
      if (message.progress !== undefined) onProgress(message.progress)
      if (message.refusal !== undefined) throw thrown(message.refusal)
      if (message.receipt !== undefined) return message.receipt
    }
  } finally {
    chunks.destroy()
    response.destroy()
  }
  throw new Error('the server ended while it imported: start it again and repeat the import, which doubles nothing')
}

interface ImportMessage {
  progress?: { bytes: number; lines: number }
  receipt?: Receipt
  refusal?: ToldRefusal
}

function post(path: string, target: string, body: Readable): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: path, path: target, method: 'POST' }, resolve)
    request.once('error', reject)
    pipeline(body, request).catch((error: unknown) => {
      // A server that refuses early closes the request; its answer says why.
      if (!request.destroyed) request.destroy(error as Error)
    })
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function thrown(refusal: ToldRefusal): Error {
  return refusal.kind === 'failed' ? new Error(refusal.detail) : new Refusal(refusal.kind, refusal.detail)
}

function isNobody(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ECONNREFUSED'
}
