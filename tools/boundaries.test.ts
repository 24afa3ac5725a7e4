import { expect, it } from 'vitest'
import { filesUnder, importsOf, readSource } from './source-files.ts'

/**
 * Who may see whom. `own` is the same module; another one is reached by its contract, or through its public
 * door. `list`: the list of modules, whose rights roles grant.
 */
const allowedImports: Record<string, readonly string[]> = {
  module: ['kit/contract'],
  contract: ['kit/contract', 'own/module', 'own/contract', 'other/contract'],
  domain: ['kit/contract', 'kit/domain', 'own/contract', 'own/domain', 'other/contract'],
  server: [
    'kit/contract',
    'kit/domain',
    'kit/server',
    'kit/data',
    'own/module',
    'own/contract',
    'own/domain',
    'own/server',
    'other/contract',
    'other/server/public',
    'list',
  ],
  web: [
    'kit/contract',
    'kit/domain',
    'kit/web',
    'kit/data',
    'own/module',
    'own/contract',
    'own/domain',
    'own/web',
    'other/contract',
    'other/web/public',
  ],
}

const allowedKitImports: Record<string, readonly string[]> = {
  domain: ['kit/domain'],
  contract: ['kit/contract', 'kit/domain'],
  data: ['kit/data', 'kit/contract', 'kit/domain'],
  server: ['kit/contract', 'kit/domain', 'kit/data', 'kit/server'],
  web: ['kit/contract', 'kit/domain', 'kit/data', 'kit/web'],
}

/** What a test stands on (`*.fixtures.ts`) is of the test's own kind: the product never enters it. */
const isTest = (f: string): boolean => /\.test\.tsx?$|\.(types|fixtures)\.ts$/.test(f)
const code = filesUnder('modules', /\.tsx?$/).filter(f => !isTest(f))

const isAllowed = (allowed: readonly string[], to: string): boolean =>
  allowed.some(ok => to === ok || to.startsWith(`${ok}/`) || to.startsWith(`${ok}.`))

it('no room of a module is entered through a wall', () => {
  const rooms = code.filter(f => /^modules\/[^/]+\/((contract|domain|server|web)\/|module\.ts$)/.test(f))
  expect(rooms.length).toBeGreaterThan(0)
  const broken = rooms.flatMap(file => {
    const [, module, floor] = file.replace('/module.ts', '/module/').split('/') as [string, string, string]
    return importsOf(file).flatMap(to => {
      const door = to.startsWith('kit/')
        ? to
        : to === 'modules/index.ts'
          ? 'list'
          : to.replace(/^modules\/([^/]+)/, (_, m: string) => (m === module ? 'own' : 'other'))
      return isAllowed(allowedImports[floor]!, door) ? [] : [`${file} → ${to}`]
    })
  })
  expect(broken).toEqual([])
  expect(
    code.flatMap(f =>
      importsOf(f)
        .filter(isTest)
        .map(to => `${f} → ${to}`),
    ),
  ).toEqual([])
})

it('the kit stands on itself alone, floor by floor', () => {
  const files = filesUnder('kit', /\.tsx?$/).filter(f => !isTest(f) && !/kit\/web\/gallery\//.test(f))
  const broken = files.flatMap(file => {
    const floor = file.split('/')[1]!
    return importsOf(file)
      .filter(to => allowedKitImports[floor] && !isAllowed(allowedKitImports[floor], to))
      .map(to => `${file} → ${to}`)
  })
  expect(broken).toEqual([])
})

it('modules form no circle', () => {
  const edges = new Map<string, Set<string>>()
  for (const f of code) {
    const from = f.split('/')[1]!
    for (const to of importsOf(f)) {
      const m = /^modules\/([^/]+)\//.exec(to)?.[1]
      if (m && m !== from && !f.startsWith('modules/index')) {
        edges.set(from, (edges.get(from) ?? new Set()).add(m))
      }
    }
  }
  const circles: string[] = []
  const walk = (at: string, path: readonly string[]): void => {
    if (path.includes(at)) {
      circles.push([...path.slice(path.indexOf(at)), at].join(' → '))
      return
    }
    for (const next of edges.get(at) ?? []) {
      walk(next, [...path, at])
    }
  }
  for (const m of edges.keys()) {
    walk(m, [])
  }
  expect(circles).toEqual([])
})

it('pure floors know no clock and no dice', () => {
  const pure = [
    ...filesUnder('kit/contract', /\.ts$/),
    ...filesUnder('kit/domain', /\.ts$/),
    ...code.filter(f => /\/(contract|domain)\//.test(f)),
  ].filter(f => !isTest(f))
  expect(
    pure.filter(f => /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\bprocess\./.test(readSource(f))),
  ).toEqual([])
})

it('colours live in the theme alone', () => {
  const screens = code.filter(f => /\/web\//.test(f))
  expect(
    screens.filter(f =>
      /#[0-9a-fA-F]{3,8}\b(?![^'"`]*\.tsx?['"])/.test(
        readSource(f).replace(/#(kit|modules|apps|tools)\//g, ''),
      ),
    ),
  ).toEqual([])
})
