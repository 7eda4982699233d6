import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Receipt, type UploadNotes, type UploadProgress, uploadLog } from '../read/upload.ts'

export interface FileUpload {
  key: number
  file: File
  /** As they were when the file was added, or tried again. */
  notes: UploadNotes
  /** null until the service reports progress. */
  progress: UploadProgress | null
  state: 'waiting' | 'sending' | 'done' | 'failed'
  receipt: Receipt | null
  error: Error | null
}

/** Uploads files one after the other. Each gets its own receipt or failure, and can be retried. */
export function useUploads(site: string, notes: UploadNotes) {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly FileUpload[]>([])
  const [stop] = useState(() => new AbortController())
  const next_key = useRef(0)
  const update = (key: number, change: Partial<FileUpload>) =>
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)))
  const is_sending = uploads.some(({ state }) => state === 'sending')
  const next = uploads.find(({ state }) => state === 'waiting')

  useEffect(() => {
    if (next === undefined || is_sending) return
    const { key, file, notes: of_file } = next
    update(key, { state: 'sending' })
    uploadLog({ site, file, notes: of_file, signal: stop.signal, onProgress: (progress) => update(key, { progress }) })
      .then((receipt) => update(key, { state: 'done', receipt }))
      .catch((error: Error) => update(key, { state: 'failed', error }))
      // Every number of the site may have changed.
      .finally(() => void queries.invalidateQueries())
  })
  const add = (files: readonly File[]) =>
    setUploads((before) => [
      ...before,
      ...files.map((file): FileUpload => {
        next_key.current += 1
        return { key: next_key.current, file, notes, progress: null, state: 'waiting', receipt: null, error: null }
      }),
    ])
  const retry = (key: number) => update(key, { state: 'waiting', notes, error: null, progress: null })
  return { uploads, add, retry, is_sending: is_sending || next !== undefined }
}
