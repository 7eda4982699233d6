import { expect, test } from 'vitest'
import {
  type LockedPackages,
  licencesPage,
  listLicences,
  lockedPackages,
  refusedLicences,
} from '../../scripts/licences.ts'

const names = (packages: LockedPackages) => refusedLicences(listLicences(packages)).map(({ name }) => name)

test('shipped packages may have fewer licences than tools, and an unknown licence is refused everywhere', () => {
  expect(
    names({
      '': { license: 'Apache-2.0' },
      'node_modules/a': { version: '1.0.0', license: 'MPL-2.0' },
      'node_modules/b': { version: '1.0.0', license: 'MPL-2.0', dev: true },
      'node_modules/c': { version: '1.0.0', license: 'GPL-3.0', dev: true },
      'node_modules/d': { version: '1.0.0' },
      'node_modules/e': { version: '1.0.0', license: '(GPL-3.0 OR MIT)' },
      'node_modules/f': { version: '1.0.0', license: 'GPL-3.0 AND MIT' },
      'node_modules/g': { version: '1.0.0', license: 'OFL-1.1' },
    }),
  ).toEqual(['a', 'c', 'd', 'f', 'g'])
})

test('development dependencies in the dashboard count as shipped, with their dependencies', () => {
  const packages = {
    'node_modules/react': { version: '19.0.0', license: 'MIT', dev: true, dependencies: { inner: '1' } },
    'node_modules/inner': { version: '2.0.0', license: 'MPL-2.0', dev: true },
    'node_modules/react/node_modules/inner': {
      version: '1.0.0',
      license: 'MPL-2.0',
      dev: true,
      dependencies: { deep: '1' },
    },
    'node_modules/deep': { version: '1.0.0', license: 'BlueOak-1.0.0', dev: true },
  }
  expect(refusedLicences(listLicences(packages))).toMatchObject([
    { name: 'deep', use: 'in the dashboard' },
    { name: 'inner', version: '1.0.0', use: 'in the dashboard' },
  ])
})

test('the page names every package of the lockfile', () => {
  const page = licencesPage()
  const missing = Object.keys(lockedPackages()).filter(
    (path) => path !== '' && !page.includes(` ${path.replace(/^.*node_modules\//, '')} `),
  )
  expect(missing).toEqual([])
})
