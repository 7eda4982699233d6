/** The service names a page's script before the browser's router runs: both must know the same pages. */
import { existsSync, readFileSync } from 'node:fs'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { PAGE_MODULES, pageModuleAt } from '#surfaces/http/dashboard/page-modules.ts'
import { createQueries } from '../../dashboard/read/queries.ts'
import { createDashboard } from '../../dashboard/router.tsx'

const DASHBOARD = new URL('../../dashboard/', import.meta.url)
const { routesByPath } = createDashboard(createQueries(), createMemoryHistory())
const pages = Object.entries(routesByPath as unknown as Readonly<Record<string, { options: { component?: unknown } }>>)
  .filter(([, { options }]) => options.component !== undefined)
  .map(([path]) => path.replaceAll(/\$\w+/g, '$'))

test('every page of the router has a module, and no other address has one', () => {
  expect(PAGE_MODULES.map(([path]) => path).toSorted()).toEqual(pages.toSorted())
  for (const path of ['/', '/sites/a', '/sites/a/performance/b', '/brands/a', '/settings', '/sitesx']) {
    expect([path, pageModuleAt(path)]).toEqual([path, null])
  }
})

test('a path with an id leads to the page of one thing, a fixed name to its own', () => {
  expect(pageModuleAt('/sites/a/sources/new')).toBe('pages/source-new/page.tsx')
  expect(pageModuleAt('/sites/a/sources/b/')).toBe('pages/source/page.tsx')
  expect(pageModuleAt('/sites/a/conversions/properties')).toBe('pages/conversions/properties-page.tsx')
})

test('each module exists, and the route beside it imports it', () => {
  for (const [path, module] of PAGE_MODULES) {
    const name = module.slice(module.lastIndexOf('/') + 1)
    const [own, settings] = [module.replace(name, 'route.ts'), 'routes/settings.ts']
    const route = readFileSync(new URL(existsSync(new URL(own, DASHBOARD)) ? own : settings, DASHBOARD), 'utf8')
    expect([path, existsSync(new URL(module, DASHBOARD)), route.includes(`/${name}'`)]).toEqual([path, true, true])
  }
})
