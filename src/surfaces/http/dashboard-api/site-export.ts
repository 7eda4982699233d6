/** `GET /dashboard-api/exportSite?site=…`: a file with all that is stored of a site, for its owners (decisions 7.7). */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { SessionCaller } from '#accounts/caller.ts'
import { isConfirmed } from '#accounts/sessions.ts'
import { utcDay } from '#days/utc-day.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { ResolvedSubject } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { exportSite } from '#sites/export/export-site.ts'
import { sendFailure } from '../../register-operations.ts'
import { parametersOf } from '../decode-input.ts'
import { queryOf } from '../request-target.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { answerToDashboard, DashboardFailure } from './failures.ts'
import type { SessionContext, SignedInRequests } from './signed-in.ts'

export interface ExportContext extends SessionContext {
  site_services: { evidence: EvidenceStore }
  admit(
    operation: { subject: 'site'; permission: 'export_site'; effect: 'read' },
    caller: SessionCaller,
    named: string,
  ): Promise<ResolvedSubject>
  log: FastifyBaseLogger
}

const EXPORT = '/dashboard-api/exportSite'

/** Exports that still run are broken off when the server stops. */
export function registerSiteExport(app: FastifyInstance, ctx: ExportContext, people: SignedInRequests): void {
  const running = new Map<string, AbortController>()
  app.addHook('preClose', async () => {
    for (const stop of running.values()) stop.abort()
  })
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, answerToDashboard(error)))
    const onRequest = async (request: FastifyRequest) => {
      await people.admit(request)
    }
    scope.get(EXPORT, { onRequest }, async (request, reply) => {
      const { caller } = people.of(request)
      const [named = ''] = parametersOf(queryOf(request.raw.url ?? '')).get('site') ?? []
      const { site } = await ctx.admit({ subject: 'site', permission: 'export_site', effect: 'read' }, caller, named)
      if (site === undefined) throw new Error('an operation on a site finds one')
      if (!isConfirmed(caller, ctx.clock)) {
        throw new DashboardFailure(
          'reauthentication_required',
          'An export needs your password again, once in ten minutes.',
        )
      }
      if (running.has(site.id)) {
        throw new Refusal('conflict', `${site.root_domain} is being exported already: wait until that has ended.`)
      }
      const stop = new AbortController()
      running.set(site.id, stop)
      const { evidence } = ctx.site_services
      const lines = exportSite({ control: ctx.control, clock: ctx.clock, evidence }, site)
      const compressed = createGzip()
      pipeline(Readable.from(lines), compressed, { signal: stop.signal })
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'an export broke off before its end'))
        .finally(() => running.delete(site.id))
      const file_name = `${site.root_domain}-${utcDay(ctx.clock.now())}.ndjson.gz`
      return reply
        .type('application/gzip')
        .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${file_name}"` })
        .send(compressed)
    })
    refuseOtherMethods(scope, EXPORT, ['GET'])
  })
}
