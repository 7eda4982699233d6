import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The dashboard speaks English; react-aria's texts in 33 other languages are left out. */
const englishOnly: Plugin = {
  name: 'english-only',
  load: (id) =>
    /\/react-(?:aria|stately)[^?]*\/intl\/(?:.*\/)?(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
      ? 'export default {}'
      : null,
}

const LICENCES = 'licences.md'
const FONT = '@fontsource-variable/inter'

/** Vite lists the licences of code alone, and that of the font must come with every copy of it. */
const licenceOfFont: Plugin = {
  name: 'licence-of-font',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const read = (name: string) => readFileSync(new URL(`../node_modules/${FONT}/${name}`, import.meta.url), 'utf8')
    const { version, license } = JSON.parse(read('package.json'))
    appendFileSync(join(dir, LICENCES), `\n## ${FONT} - ${version} (${license})\n\n${read('LICENSE').trim()}\n`)
  },
}

/**
 * Builds the dashboard into `dashboard/dist`: hashed files below `/assets/`, and an index.html without inline script or
 * style, so that the policy of the service needs no exception for it.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [englishOnly, react(), tailwindcss(), licenceOfFont],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // An inlined font is a data: address, which the policy refuses.
    assetsInlineLimit: 0,
    // The polyfill is an inline script for old browsers only. The supported browsers do not need its loader either.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    license: { fileName: LICENCES },
    // Pages load few files, because each file costs a slow processor as much time as 5 KiB of script.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            { name: 'page-parts', test: /dashboard\/(?!charts\/)|src\/contract/, minShareCount: 8 },
            { name: 'charts', test: /dashboard\/charts\/|node_modules\/d3-/, minShareCount: 5 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // `npm run dev` on port 8080 answers while this server shows changes at once.
    proxy: { '/dashboard-api': process.env.SPOOR_DASHBOARD_API ?? 'http://127.0.0.1:8080' },
  },
})
