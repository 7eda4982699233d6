/** `GET /spoor.js`: the tracker's script, the same for everybody (decisions 5). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeProblem } from './problems.ts'
import { queryOf } from './request-target.ts'

export interface SpoorScript {
  body: Buffer
  gzip: Buffer
  etag: string
}

const FILE = new URL('../../../tracker/dist/spoor.js', import.meta.url)

/** The built script; null when it was not built. */
export function readScript(file: URL = FILE): SpoorScript | null {
  try {
    const body = readFileSync(file)
    return {
      body,
      gzip: gzipSync(body, { level: 9 }),
      etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Pages of any site load it, also those that isolate themselves or check its hash. */
const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Encoding',
} as const

/** Answers with the tracker’s script, compressed where the browser takes it; 304 where the browser has it. */
export function sendScript(script: SpoorScript | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (script === null) {
    const detail = 'The script was not built with this service: run "npm run generate", then start it again.'
    const { status, headers, body } = writeProblem('reader_unavailable', detail, { title: 'temporarily unavailable' })
    return reply.code(status).headers(headers).send(Buffer.from(body))
  }
  reply.headers({ ...HEADERS, etag: script.etag })
  if (isKnown(script, request)) return reply.code(304).send()
  return takesGzip(request) ? reply.header('content-encoding', 'gzip').send(script.gzip) : reply.send(script.body)
}

/** By the weak comparison of RFC 9110, 13.1.2. */
function isKnown({ etag }: SpoorScript, { headers }: FastifyRequest): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''))
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const [found, weight] = /\bgzip\b(?:[ \t]*;[ \t]*q=([\d.]+))?/i.exec(String(headers['accept-encoding'])) ?? []
  return found !== undefined && (weight === undefined || Number(weight) > 0)
}

/** The site's public key in the script's URL; null for none. */
export function keyInUrl(request: FastifyRequest): string | null {
  return new URLSearchParams(queryOf(request.raw.url ?? '')).get('site')
}
