/**
 * Logs that a browser sends: `POST /dashboard-api/uploadLog` answers with the receipt, and the events of
 * `GET /dashboard-api/uploadProgress` say how far it is (decisions 3.4, 7.5).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PassThrough } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { SessionCaller } from '#accounts/caller.ts'
import type { ResolvedSubject } from '#implementation.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import { importRequest, type LogImportInput } from '#intake/import/import-options.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { Refusal } from '#refusal.ts'
import { bodyOf, SenderGone, STOPPING } from '../../log-body.ts'
import { sendFailure } from '../../register-operations.ts'
import { wordAll, wordsOfDashboard } from '../../step-words.ts'
import { checkRate, tooSlowDetail, UPLOAD_RATE } from '../body-rate.ts'
import { parametersOf } from '../decode-input.ts'
import { RequestProblem } from '../problems.ts'
import { queryOf } from '../request-target.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { answerToDashboard, DashboardFailure } from './failures.ts'
import type { SignedInRequests } from './signed-in.ts'
import { UploadProgress } from './upload-progress.ts'

export interface UploadContext {
  importLog(
    input: LogImportInput,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  admit(
    operation: { subject: 'site'; permission: 'import_logs'; effect: 'write' },
    caller: SessionCaller,
    named: string,
  ): Promise<ResolvedSubject>
  log: FastifyBaseLogger
}

const UPLOAD = '/dashboard-api/uploadLog'
const PROGRESS = '/dashboard-api/uploadProgress'
/** Registers both; imports that still read are broken off when the server stops. */
export function registerUploads(app: FastifyInstance, ctx: UploadContext, people: SignedInRequests): void {
  const running = new Set<PassThrough>()
  const progress = new UploadProgress()
  app.addHook('preClose', async () => {
    for (const body of running) body.destroy(new Refusal('reader_unavailable', STOPPING))
    progress.endAll()
  })
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, answerToDashboard(error)))
    const onRequest = async (request: FastifyRequest) => {
      await people.admit(request)
    }
    scope.post(UPLOAD, { onRequest }, async (request, reply) => {
      const { caller } = people.of(request)
      const { notes, upload } = readNotes(request)
      await ctx.admit({ subject: 'site', permission: 'import_logs', effect: 'write' }, caller, notes.site)
      const body = bodyOf(request.raw)
      running.add(body)
      const endPatience = withPatience(app, request.raw, body, running)
      const upload_report = progress.of(caller.user_id, upload)
      try {
        const receipt = await ctx.importLog(notes, body, (progress_made) => upload_report.report(progress_made))
        const warnings = wordAll(receipt.warnings, wordsOfDashboard)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify({ receipt: { ...receipt, warnings } }))
      } catch (error) {
        if (!(error instanceof SenderGone)) throw error
        ctx.log.info('an upload was broken off by its sender; nothing of it was stored')
        throw new RequestProblem('invalid_body', 'The log broke off before its end; nothing of it was stored.')
      } finally {
        running.delete(body)
        body.destroy()
        endPatience()
        upload_report.end()
      }
    })
    scope.get(PROGRESS, { onRequest, config: { is_frequent: true } }, async (request, reply) => {
      const upload = givenOf(request).get('upload') ?? ''
      if (!UPLOAD_ID.test(upload)) throw invalidUpload()
      reply.hijack()
      progress.follow(people.of(request).caller.user_id, upload, beginEvents(reply.raw))
    })
    refuseOtherMethods(scope, UPLOAD, ['POST'])
    refuseOtherMethods(scope, PROGRESS, ['GET'])
  })
}

/** Drawn by the page, so that it can follow before the log is sent. */
const UPLOAD_ID = /^[\w-]{8,64}$/

function readNotes(request: FastifyRequest): { notes: LogImportInput; upload: string | null } {
  const media_type = request.raw.headers['content-type'] ?? ''
  if (media_type !== 'application/octet-stream') {
    throw new RequestProblem('invalid_body', 'Content-Type must be application/octet-stream: the bytes of the file.')
  }
  const { upload = null, format = 'auto', ...given } = Object.fromEntries(givenOf(request))
  if (format !== 'auto') {
    throw new DashboardFailure('invalid_input', 'The format is found line by line: leave it out, or give auto.', [
      { path: ['format'], message: 'It is auto.' },
    ])
  }
  if (upload !== null && !UPLOAD_ID.test(upload)) throw invalidUpload()
  return { notes: importRequest({ label: 'upload', ...given }), upload }
}

const invalidUpload = () =>
  new DashboardFailure('invalid_input', 'upload must be 8 to 64 letters, digits, - and _.', [
    { path: ['upload'], message: 'It is malformed.' },
  ])

/** One value of each name that is not empty. */
const givenOf = ({ raw }: FastifyRequest): Map<string, string> =>
  new Map(
    [...parametersOf(queryOf(raw.url ?? ''))].flatMap(([name, [text = '']]) => (text === '' ? [] : [[name, text]])),
  )

function beginEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Proxies would hold small events back.
    'x-accel-buffering': 'no',
  })
}

/**
 * Lets a log take longer than other requests may, as long as it comes at its least rate. TRICKY: the limit is one of
 * the whole server, so it is lifted while a log is sent; headers keep theirs, and collection and intake their own
 * rates.
 */
function withPatience(
  { server }: FastifyInstance,
  request: IncomingMessage,
  body: PassThrough,
  running: ReadonlySet<PassThrough>,
): () => void {
  if (running.size === 1) usual.set(server, server.requestTimeout)
  server.requestTimeout = 0
  const slow = () => body.destroy(new RequestProblem('invalid_body', tooSlowDetail(UPLOAD_RATE)))
  // A full buffer waits for the import, which may wait for another one: the sender is not at fault.
  const stopRateCheck = checkRate(request, UPLOAD_RATE, slow, () => !body.writableNeedDrain)
  return () => {
    stopRateCheck()
    const before = usual.get(server)
    if (running.size === 0 && before !== undefined) server.requestTimeout = before
  }
}

const usual = new WeakMap<FastifyInstance['server'], number>()
