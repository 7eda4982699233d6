/** The stored parts of a request, computed once for equal requests of plain lines. */
import type { PathClass, PathFidelity } from '#contract/vocabulary.ts'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { type RequestFault, readRequest } from '../log/request.ts'
import { hashText, type TextHash } from './double-log.ts'
import { type Word, wordOf } from './row-columns.ts'

export interface StoredRequest {
  method: string
  path: Word
  path_fidelity: PathFidelity
  path_class: PathClass
  /** The hash of the target, including its query. */
  hash: TextHash
  protocol_hash: number
}

/** Reads a request line (binary, without the quoting of the log), or returns its fault. */
export function readStoredRequest(requested: string): StoredRequest | RequestFault {
  const request = readRequest(requested)
  if (typeof request === 'string') return request
  const { path, fidelity } = pathV1(request.target)
  return {
    method: request.method,
    path: wordOf(path),
    path_fidelity: fidelity,
    path_class: pathClass(path),
    hash: hashText(request.target),
    // The protocol is the last word, for example HTTP/1.1.
    protocol_hash: hashText(requested.slice(requested.lastIndexOf(' ') + 1)).high,
  }
}
