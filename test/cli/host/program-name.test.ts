import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CommandHost, runOn } from '../../../cli/host/command-host.ts'
import { asTypedHere, PACKAGE_FOLDER, programName } from '../../../cli/host/program-name.ts'
import { workFolder } from '../../support/cli.ts'

const LAUNCHER = join(PACKAGE_FOLDER, 'bin', 'spoor.mjs')
const nameIn = (folder: string, PATH = '') =>
  runOn({ environment: { PATH } } as unknown as CommandHost, () => programName(folder))

describe('how messages name this program', () => {
  test('inside the clone npm runs the clone’s own program', () => {
    expect(nameIn(PACKAGE_FOLDER)).toBe('npx spoor')
    expect(nameIn(join(PACKAGE_FOLDER, 'docs'))).toBe('npx spoor')
  })

  test('elsewhere nothing is named that a registry would answer: the launcher, or the program in PATH that is it', () => {
    const { folder } = workFolder()
    expect(nameIn(dirname(PACKAGE_FOLDER))).toBe(LAUNCHER)
    // A folder beside the clone whose name begins alike.
    expect(nameIn(`${PACKAGE_FOLDER}-other`)).toBe(LAUNCHER)
    const [own, foreign] = [join(folder, 'own'), join(folder, 'foreign')]
    for (const bin of [own, foreign]) mkdirSync(bin)
    symlinkSync(LAUNCHER, join(own, 'spoor'))
    symlinkSync('/bin/sh', join(foreign, 'spoor'))
    expect(nameIn(folder, `/nowhere:${own}`)).toBe('spoor')
    expect(nameIn(folder, `${foreign}:${own}`)).toBe(LAUNCHER)
  })

  test('commands in prose are named this way; user input and other words do not change', () => {
    expect(asTypedHere('Add one: spoor site add example.com. (spoor --help)')).toBe(
      'Add one: npx spoor site add example.com. (npx spoor --help)',
    )
    for (const text of [
      'npx spoor site list',
      'spoor: no data folder',
      'the name "spoor site list" is taken',
      '/usr/bin/spoor serve',
      'spoor_site_Zk3vQ9xT',
    ]) {
      expect(asTypedHere(text)).toBe(text)
    }
  })
})
