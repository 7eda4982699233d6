/** nginx before service nodes, as docs/operating/nodes.md sets it up. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface Nginx {
  url: string
  close(): Promise<void>
}

/** Its files go into `folder`. */
export async function startNginx(folder: string, ports: readonly number[]): Promise<Nginx> {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'nginx.conf')
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=2 fail_timeout=1s;`).join('\n    ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')} error;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  upstream spoor {
    ${servers}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://spoor;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_connect_timeout 1s;
      proxy_read_timeout 5s;
    }
  }
}
`,
  )
  const child = spawn('/usr/sbin/nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const failed = new Promise<never>((_, reject) => {
    child.on('error', (error) => reject(new Error(`nginx does not start (apt-get install nginx): ${error.message}`)))
    child.on('exit', (code) => reject(new Error(`nginx ended with ${code}: ${said}`)))
  })
  failed.catch(() => {})
  const url = `http://127.0.0.1:${port}`
  while (!(await Promise.race([answers(url), failed]))) await pause(50)
  return {
    url,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
