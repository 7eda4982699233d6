/** What is shipped beside the code fits together: versions, the chart, the compose files and the unit of systemd. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderChart } from '../../scripts/chart.ts'

type Named = { name: string }
type Probe = { httpGet: { port: string } }
interface Container extends Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> {
  ports: Named[]
  volumeMounts: Named[]
}
interface StatefulSet {
  spec: {
    serviceName: string
    selector: { matchLabels: Record<string, string> }
    volumeClaimTemplates: { metadata: Named }[]
    template: { metadata: { labels: object }; spec: { containers: Container[]; volumes: Named[] } }
  }
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json'))

test('package, chart and newest release of the changelog have one version', () => {
  expect(parse(read('packaging/helm/spoor/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  expect(/^## (\d+\.\d+\.\d+) /m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})

describe('the chart', () => {
  test('makes a set of one pod whose service and probes find it', () => {
    const { 'templates/statefulset.yaml': set, 'templates/service.yaml': service, ...more } = renderChart()
    expect(more).toEqual({})
    expect(set).toMatchObject({ apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { replicas: 1 } })
    expect(service).toMatchObject({ apiVersion: 'v1', kind: 'Service' })
    const { template, selector, volumeClaimTemplates, serviceName } = (set as unknown as StatefulSet).spec
    expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    expect(service).toMatchObject({ metadata: { name: serviceName }, spec: { selector: selector.matchLabels } })
    const [container] = template.spec.containers as [Container]
    expect(container).toMatchObject({ image: `spoor:${version}`, resources: { limits: { memory: '2Gi' } } })
    const ports = container.ports.map(({ name }) => name)
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(ports).toContain(httpGet.port)
    }
    const volumes = [...volumeClaimTemplates.map(({ metadata }) => metadata), ...template.spec.volumes]
    const names = volumes.map(({ name }) => name)
    for (const { name } of container.volumeMounts) expect(names).toContain(name)
    // `helm install spoor` makes a Service of that name, whose link would be SPOOR_PORT=tcp://….
    expect(template.spec).toMatchObject({ enableServiceLinks: false })
  })

  test('takes variables, a secret and an ingress', () => {
    const rendered = renderChart({
      env: { SPOOR_LOG_LEVEL: 'warn' },
      envFromSecret: 'spoor-secrets',
      ingress: {
        ...{ enabled: true, className: 'nginx', host: 'spoor.example.com', tlsSecret: 'tls' },
        annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' },
      },
    })
    const set = JSON.stringify(rendered['templates/statefulset.yaml'])
    expect(set).toContain('{"name":"SPOOR_LOG_LEVEL","value":"warn"}')
    expect(set).toContain('"envFrom":[{"secretRef":{"name":"spoor-secrets"}}]')
    expect(rendered['templates/ingress.yaml']).toMatchObject({
      kind: 'Ingress',
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' } },
      spec: { ingressClassName: 'nginx', rules: [{ host: 'spoor.example.com' }], tls: [{ secretName: 'tls' }] },
    })
    expect(() => renderChart({ replicas: 2 })).toThrow('replicas above 1 need SPOOR_CLICKHOUSE_URL')
    const on_servers = { storesOnServers: true, envFromSecret: 'spoor-secrets' }
    expect(renderChart({ replicas: 2, ...on_servers })['templates/statefulset.yaml']).toMatchObject({
      spec: { replicas: 2 },
    })
    // Without servers, each pod would be an installation of its own; a shared folder needs them.
    expect(() => renderChart({ replicas: 2, storesOnServers: true })).toThrow('storesOnServers needs envFromSecret')
    expect(() => renderChart({ sharedClaim: 'spool' })).toThrow('sharedClaim is for nodes that share servers')
    expect(JSON.stringify(renderChart({ sharedClaim: 'spool', ...on_servers }))).toContain('"value":"/shared/spool"')
    // A variable of the container would hide that of the Secret.
    expect(JSON.stringify(renderChart(on_servers))).not.toContain('SPOOR_PUBLIC_URL')
    expect(JSON.stringify(renderChart({ publicUrl: 'https://spoor.example.com' }))).toContain(
      '{"name":"SPOOR_PUBLIC_URL","value":"https://spoor.example.com"}',
    )
    const { 'templates/ingress.yaml': plain } = renderChart({ ingress: { enabled: true, host: 'spoor.example.com' } })
    expect(plain?.metadata).toEqual({ name: 'release' })
    expect(() => renderChart({ ingress: { enabled: true } })).toThrow('ingress.host is the host name of the service')
  })
})

test.each(['compose.yaml', 'compose.servers.yaml'])(
  '%s names a stage of the Dockerfile and keeps what it stores',
  (file) => {
    const { services, volumes } = parse(read(`packaging/oci/${file}`))
    const target = services.spoor.build.target ?? 'embedded'
    expect(read('packaging/oci/Dockerfile')).toMatch(new RegExp(`^FROM base AS ${target}$`, 'm'))
    expect(services.spoor).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    // The port is published to this machine, whose proxy comes from Docker's network.
    expect(services.spoor.ports).toEqual(['127.0.0.1:8080:8080'])
    expect(services.spoor.environment.SPOOR_TRUSTED_PROXIES).toContain(':-172.16.0.0/12}')
    for (const { volumes: mounted } of Object.values<{ volumes: string[] }>(services)) {
      for (const mount of mounted) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
    }
  },
)

test('compose.nodes.yaml runs the image without the engine, and its nginx passes on the address in the browser', () => {
  const { services, configs } = parse(read('packaging/oci/compose.nodes.yaml'))
  expect(services.proxy.ports).toEqual(['127.0.0.1:8080:80'])
  // All stores are on servers.
  expect(services.spoor).toMatchObject({ build: { target: 'servers' }, image: 'spoor-servers' })
  // A dollar sign is doubled in compose files. $host would be without the port, and the dashboard refuses that.
  expect(configs.nginx.content).toContain('proxy_set_header Host $$http_host;')
})

test('systemd accepts the unit without a warning', ({ skip }) => {
  const unit = new URL('../../docs/operating/spoor.service', import.meta.url).pathname
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  if (error !== undefined) return skip('systemd-analyze is not installed')
  // The program of the example need not be there.
  const complaints = stderr
    .split('\n')
    .filter((line) => line.includes('spoor.service') && !/is not executable/.test(line))
  expect([complaints, status === 0 || /is not executable/.test(stderr)]).toEqual([[], true])
})
