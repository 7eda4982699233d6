/**
 * Builds the dashboard after an installation, so that `npm ci && npm start` serves it. Runs on any Node that npm runs
 * on. If the build fails, the service works without it, and its page states that the dashboard is not built.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode } from '../bin/launch.mjs'

const root = new URL('../', import.meta.url)
const vite = new URL('node_modules/vite/bin/vite.js', root)
const config = new URL('dashboard/vite.config.ts', root)
const node = findNode()

if (!existsSync(config)) console.log('There is no dashboard to build here.')
else if (node === null || !existsSync(vite)) {
  console.log('The dashboard is not built, because the development dependencies are not installed: run npm ci for it.')
} else {
  const args = ['build', '--config', fileURLToPath(config), '--logLevel', 'warn']
  const { status } = spawnSync(node, [fileURLToPath(vite), ...args], { stdio: 'inherit', cwd: fileURLToPath(root) })
  if (status !== 0) console.error('The dashboard could not be built, see above. The service works without it.')
}
