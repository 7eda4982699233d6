/** Parses JSON in a binary line (one character per byte) into values with binary strings. */
import { decodeKeepingBytes, toBinary } from './decode.ts'

/** A value with binary strings from a binary line; undefined for text that is not JSON. */
export function parseBinary(line: string): unknown {
  const plain = line.endsWith(',') ? line.slice(0, -1) : line
  try {
    // A \u escape is a real character, so such a line is decoded first, and its strings are encoded again.
    if (UNICODE_ESCAPE.test(plain)) return JSON.parse(decodeKeepingBytes(plain), (_key, value) => binaryOf(value))
    return JSON.parse(plain)
  } catch {
    return plain.includes('\\x') ? parseNginxEscapes(plain) : undefined
  }
}

/** By default nginx writes \xHH for a byte, which is not JSON (test: "nginx without escape=json"). */
function parseNginxEscapes(line: string): unknown {
  try {
    return JSON.parse(line.replace(/\\x([0-9A-Fa-f]{2})/g, '\\u00$1'))
  } catch {
    return undefined
  }
}

const UNICODE_ESCAPE = /\\u(?!00[0-7])/i

function binaryOf(value: unknown): unknown {
  return typeof value === 'string' ? toBinary(value) : value
}
