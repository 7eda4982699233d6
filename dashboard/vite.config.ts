import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds the dashboard into `dashboard/dist`: hashed files below `/assets/`, and an index.html without inline script or
 * style, so that the policy of the service needs no exception for it.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // An inlined font is a data: address, which the policy refuses.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in old browsers only, but its loader is code that nobody needs.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  server: {
    port: 5173,
    // `npm run dev` on port 8080 answers while this server shows changes at once.
    proxy: { '/dashboard-api': process.env.SPOOR_DASHBOARD_API ?? 'http://127.0.0.1:8080' },
  },
})
