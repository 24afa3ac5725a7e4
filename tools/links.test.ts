import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { modules } from '#modules/index.ts'
import { filesUnder, readSource } from './source-files.ts'

const screens = modules.flatMap(m => m.screens.map(s => s.path.replace(/:\w+$/, '')))
// The workbench is the shell's own screen.
const knownPaths = new Set([...screens, '/work'])
const address = /['"`](\/[a-zA-Z][\w-]*(?:\/[\w-]*)*)(?=['"`?#$])/g

/**
 * An API address, the beginning of several screens, or an entry of a product that is possibly not installed.
 */
const isOtherAddress = (a: string, file: string): boolean =>
  a.startsWith('/api/') ||
  (a.endsWith('/') && screens.some(s => s.startsWith(a))) ||
  file === 'modules/accounts/web/sign-in-entries.ts'

const web = filesUnder('modules', /\/web\/.*(?<!\.test)\.tsx?$/)
const server = filesUnder('modules', /\/server\/(?!.*(?:\.test|fixtures|simulator)).*\.ts$/)

it('every address that a screen names is a screen', () => {
  const unknown = web.flatMap(f =>
    [...readSource(f).matchAll(address)]
      .map(m => defined(m[1]))
      .filter(a => !knownPaths.has(a) && !isOtherAddress(a, f))
      .map(a => `${f}: ${a}`),
  )
  expect(unknown).toEqual([])
})

it('every address of a module’s paths is a screen', async () => {
  const files = filesUnder('modules', /\/web\/paths\.ts$/)
  const unknown = await Promise.all(
    files.map(async file => {
      const { paths = {} }: { readonly paths?: Readonly<Record<string, unknown>> } = await import(`#${file}`)
      return Object.values(paths).flatMap(path =>
        typeof path === 'string' && !knownPaths.has(path.replace(/:\w+$/, '')) ? [`${file}: ${path}`] : [],
      )
    }),
  )
  expect(files.length).toBeGreaterThan(5)
  expect(unknown.flat()).toEqual([])
})

it('an address within a section is in the paths of a module, everywhere else its name', () => {
  const isPlace = (file: string): boolean => /\/(paths|routes|sign-in-entries)\.ts$/.test(file)
  const written = web
    .filter(file => !isPlace(file))
    .flatMap(file =>
      [...readSource(file).matchAll(address)]
        .map(match => defined(match[1]))
        .filter(path => path.lastIndexOf('/') > 0 && screens.some(screen => screen.startsWith(path)))
        .map(path => `${file}: ${path}`),
    )
  expect(written).toEqual([])
})

/** Addresses of screens that files write out. */
const writtenScreens = (files: readonly string[]): string[] =>
  files.flatMap(file =>
    [...readSource(file).matchAll(address)]
      .map(match => defined(match[1]))
      .filter(path => path.lastIndexOf('/') > 0 && screens.includes(path))
      .map(path => `${file}: ${path}`),
  )

it('the address of a screen is in the manifest of the module that owns it, and nowhere else', () => {
  const contract = filesUnder('modules', /\/contract\/(?!.*(?:\.test|fixtures)).*\.ts$/)
  const paths = filesUnder('modules', /\/web\/paths\.ts$/)
  const app = filesUnder('apps/web', /(?<!\.test)\.tsx?$/)
  expect(server.length).toBeGreaterThan(100)
  expect(writtenScreens([...server, ...contract, ...paths, ...app])).toEqual([])
})

/** These name second addresses of a screen, which nothing else leads to. */
const namesSecondAddresses = /^modules\/(devices|files)\//

it('the routes of a module take their addresses from the manifest', () => {
  const written = filesUnder('modules', /\/web\/routes\.ts$/)
    .filter(file => !namesSecondAddresses.test(file))
    .flatMap(file =>
      [...readSource(file).matchAll(/^\s*'(\/[^']*)':/gm)].map(match => `${file}: ${match[1]}`),
    )
  expect(written).toEqual([])
})

it('every tab of 收费设置 that is named is there', () => {
  const settingScreen = readSource('modules/fees/web/setting.tsx')
  const named = web.flatMap(f =>
    [...readSource(f).matchAll(/(?:cashsetting|\{paths\.feeSetting\})\?tab=(\w+)/g)].map(m => m[1]),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(t => !settingScreen.includes(`key: '${t}'`))).toEqual([])
})
