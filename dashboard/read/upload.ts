/** Sends a log to the service, which reports its progress (decisions 7.5). */
import { BASE, queryText, request } from './client.ts'
import type { ReadOutput } from './operations.ts'

export type Receipt = ReadOutput<'getReceipts'>['receipts'][number]['receipt']

/** Facts that the lines do not contain; empty texts are left out. */
export interface UploadNotes {
  host?: string
  server?: string
  timezone?: string
  /** `FROM/TO`, inclusive UTC days. */
  covers?: string
  partial?: boolean
}

export interface UploadProgress {
  /** Of the file, as the service has read them. */
  bytes: number
  lines: number
  /** It waits for another import. */
  waits?: boolean
}

interface Upload {
  site: string
  file: File
  notes: UploadNotes
  onProgress: (progress: UploadProgress) => void
  signal: AbortSignal
}

/** @throws Refusal. Without support for progress events, the upload works without progress. */
export async function uploadLog({ site, file, notes, onProgress, signal }: Upload): Promise<Receipt> {
  const upload = uploadId()
  const events = new EventSource(`${BASE}uploadProgress${queryText({ upload })}`)
  events.addEventListener('progress', ({ data }: MessageEvent<string>) => onProgress(JSON.parse(data)))
  events.addEventListener('end', () => events.close())
  const { partial = false, ...texts } = notes
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
  const query = queryText({ site, label: file.name, upload, ...given, ...(partial ? { partial: 1 } : {}) })
  try {
    const answer = await request<{ receipt: Receipt }>(`uploadLog${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
      signal,
    })
    return answer.receipt
  } finally {
    events.close()
  }
}

const uploadId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
