/**
 * The web servers of the trial, set up as their page in docs/senders describes, except that they answer with the status
 * that each request specifies.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TrialServer {
  /** Its page in docs/senders. */
  page: string
  /** The path of the log on that page. */
  log: string
  command: string
  args: (folder: string) => string[]
  /** Its configuration file, and what is in it. */
  file: string
  configure: (place: { folder: string; port: number; access_log: string }) => string
  /** A line of its log. */
  read: (line: string) => { user_agent: string; status: number }
  /** Null: the server rotates its log itself. */
  turns_over_on: 'SIGUSR1' | null
}

const STATUSES = [301, 302, 304, 403, 404, 500]

const nginx: TrialServer = {
  page: 'nginx-syslog-ng.md',
  log: '/var/log/nginx/spoor.log',
  command: 'nginx',
  args: (folder) => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'],
  file: 'nginx.conf',
  configure: ({ folder, port, access_log }) => `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 256; }
http {
  ${blockOf('nginx-syslog-ng.md', 'nginx').replace('/var/log/nginx/spoor.log', access_log)}
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; keepalive_requests 100000;
  server {
    listen 127.0.0.1:${port};
    ${STATUSES.map((status) => `if ($http_x_status = ${status}) { return ${status}; }`).join(' ')}
    return 200 "ok";
  }
}`,
  read: (line) => {
    const { user_agent, status } = JSON.parse(line) as { user_agent: string; status: string }
    return { user_agent, status: Number(status) }
  },
  turns_over_on: 'SIGUSR1',
}

const caddy: TrialServer = {
  page: 'caddy.md',
  log: '/var/log/caddy/spoor.log',
  command: 'caddy',
  args: (folder) => ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
  file: 'Caddyfile',
  configure: ({ folder, port, access_log }) => `{
	admin off
	auto_https off
	storage file_system ${folder}
	log {
		level ERROR
	}
}
http://:${port} {
${blockOf('caddy.md', 'caddyfile').replace('/var/log/caddy/spoor.log', access_log).replace('100MiB', '8MiB')}
	respond "ok" {http.request.header.X-Status}
}
`,
  read: (line) => {
    const { request, status } = JSON.parse(line) as {
      request: { headers: Record<string, string[]> }
      status: number
    }
    return { user_agent: request.headers['User-Agent']?.[0] ?? '', status }
  },
  turns_over_on: null,
}

export const SERVERS: Record<string, TrialServer> = { nginx, caddy }

/** The page's configuration in one language. */
export function blockOf(page: string, language: string): string {
  const text = readFileSync(new URL(`../../docs/senders/${page}`, import.meta.url), 'utf8')
  const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1]
  if (block === undefined) throw new Error(`docs/senders/${page} has no block of ${language}`)
  return block
}
