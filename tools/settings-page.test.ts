import { expect, it } from 'vitest'
import { renderSettings, settingGroups } from './settings-page.ts'
import { filesUnder, readSource } from './source-files.ts'

it('docs/settings.md is up to date', () =>
  expect(readSource('docs/settings.md') === renderSettings(), 'run: npm run map').toBe(true))

it('every setting is named once', () => {
  const names = settingGroups.flatMap(group => group.settings.map(setting => setting.name))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

// What hands the environment on to a child process, or belongs to tests alone.
const exempt = new Set([
  'kit/server/setting.ts',
  'kit/server/statement-log.ts',
  'kit/server/postgres/postmaster.ts',
])

it('the product reads the environment through the table of settings alone', () => {
  const sources = ['apps/server', 'kit/server', 'modules']
    .flatMap(folder => filesUnder(folder, /\.ts$/))
    .filter(file => !/\.test\.ts$|fixtures/.test(file) && !exempt.has(file))
  expect(sources.filter(file => /process\.env/.test(readSource(file)))).toEqual([])
})
