/**
 * The format of a spool file: frames, one per durable write. A frame has a header of 20 bytes (`SPL1`, the payload's
 * length, number of rows and CRC-32, and the CRC-32 of those 16 bytes; little endian) and a payload: lines of `events`.
 */
import { crc32 } from 'node:zlib'

const MAGIC = Buffer.from('SPL1')
const HEADER_BYTES = 20

export function encodeFrame(payload: Buffer | string, rows: number): Buffer {
  const length = Buffer.byteLength(payload)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length)
  if (typeof payload === 'string') frame.write(payload, HEADER_BYTES)
  else payload.copy(frame, HEADER_BYTES)
  MAGIC.copy(frame, 0)
  frame.writeUInt32LE(length, 4)
  frame.writeUInt32LE(rows, 8)
  frame.writeUInt32LE(crc32(payloadOf(frame)), 12)
  frame.writeUInt32LE(crc32(frame.subarray(0, 16)), 16)
  return frame
}

/** The payload of a frame, not copied. */
export const payloadOf = (frame: Buffer): Buffer => frame.subarray(HEADER_BYTES)

export interface SpoolContent {
  payloads: Buffer[]
  /** Bytes after the last whole frame: a write that a crash interrupted, and that was never acknowledged. */
  torn_bytes: number
  /** Broken frames that others follow: they were acknowledged, and are lost. */
  lost_frames: number
  /** Rows of lost frames with a readable header. */
  lost_rows: number
}

/**
 * Reads whole frames. Each is synced before the next one, so only the last can be torn; other broken ones are damage.
 */
export function decodeFrames(file: Buffer): SpoolContent {
  const content: SpoolContent = { payloads: [], torn_bytes: 0, lost_frames: 0, lost_rows: 0 }
  let broken_at: number | null = null
  let broken_rows = 0
  for (let at = 0; at < file.length; ) {
    const header = readHeader(file, at)
    const end = header === null ? at : at + HEADER_BYTES + header.length
    const payload = header === null || end > file.length ? null : file.subarray(at + HEADER_BYTES, end)
    // Everything before the start of a frame was synced and acknowledged.
    if (header !== null && broken_at !== null) {
      content.lost_frames++
      content.lost_rows += broken_rows
      broken_at = null
      broken_rows = 0
    }
    if (header !== null && payload !== null && crc32(payload) === header.crc) {
      content.payloads.push(payload)
      at = end
      continue
    }
    broken_at ??= at
    if (header !== null) broken_rows += header.rows
    // TRICKY: the length of a broken frame may itself be wrong, so the next frame is searched for.
    const next = file.indexOf(MAGIC, at + 1)
    at = next === -1 ? file.length : next
  }
  if (broken_at !== null) content.torn_bytes = file.length - broken_at
  return content
}

function readHeader(file: Buffer, at: number): { length: number; rows: number; crc: number } | null {
  if (at + HEADER_BYTES > file.length || file.compare(MAGIC, 0, 4, at, at + 4) !== 0) return null
  if (crc32(file.subarray(at, at + 16)) !== file.readUInt32LE(at + 16)) return null
  return { length: file.readUInt32LE(at + 4), rows: file.readUInt32LE(at + 8), crc: file.readUInt32LE(at + 12) }
}
