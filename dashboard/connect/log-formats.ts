/** Formats that an upload reads, by their common names (decisions 3.4). */
export const LOG_FORMATS = [
  ...['Apache and nginx combined, also with a virtual host', 'nginx JSON', 'Caddy JSON', 'Traefik', 'IIS W3C'],
  ...['AWS CloudFront and ALB', 'Cloudflare Logpush', 'Fastly JSON', 'Vercel drain', 'Google Cloud load balancer'],
  'HAProxy',
] as const
