/** All text layouts, the most specific first. A new one is a file of its own and an entry in this list. */
import { awsLoadBalancer } from './aws-load-balancer.ts'
import { bunny } from './bunny.ts'
import { caddyConsole } from './caddy-console.ts'
import { cloudFront } from './cloudfront.ts'
import { cloudFrontRealtime } from './cloudfront-realtime.ts'
import { combined } from './combined.ts'
import { discourse } from './discourse.ts'
import { envoy } from './envoy.ts'
import type { LineFormat } from './format.ts'
import { haproxy } from './haproxy.ts'
import { iisEvent } from './iis-event.ts'
import { iisHeaderless } from './iis-headerless.ts'
import { iisNative } from './iis-native.ts'
import { kinsta } from './kinsta.ts'
import { logfmt } from './logfmt.ts'
import { proxyManager } from './proxy-manager.ts'
import { w3c } from './w3c.ts'
import { zoraxy } from './zoraxy.ts'

export const formats: readonly LineFormat[] = [
  proxyManager,
  envoy,
  discourse,
  kinsta,
  haproxy,
  awsLoadBalancer,
  zoraxy,
  bunny,
  caddyConsole,
  iisEvent,
  iisNative,
  w3c,
  cloudFront,
  cloudFrontRealtime,
  iisHeaderless,
  logfmt,
  combined,
]
