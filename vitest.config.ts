import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // chDB allows one data folder per process and crashes under worker threads: one fresh process per test file.
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { UV_THREADPOOL_SIZE: '16' },
  },
})
