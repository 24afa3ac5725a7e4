import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Screen } from '#kit/contract/module.ts'
import { modules } from '#modules/index.ts'
import { screenFileOf } from './product-map.ts'
import { root } from './source-files.ts'

/**
 * Bars of the browser in kB gz (docs: quality): all that sign-in fetches, all of the shell without a page,
 * all until a first list is usable, all of any other screen, a screen's own code.
 */
export const sizeLimits = { signIn: 220, shell: 200, firstList: 370, whole: 388, screen: 40 } as const

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

export interface Bundle {
  /** What the page names itself: start and react. */
  readonly entry: number
  readonly signIn: number
  readonly shell: number
  /** The heaviest screen of the menu, with which somebody may begin: entry, shell and all that it needs. */
  readonly firstList: number
  readonly firstFile: string
  readonly screens: readonly { readonly file: string; readonly own: number; readonly whole: number }[]
}

/** The files of the screens that stand in the menu; forms, details and wizards are come to from these. */
const menuFiles = (): ReadonlySet<string> =>
  new Set(
    modules.flatMap(p =>
      p.screens.filter((s: Screen) => s.group !== undefined).map(s => screenFileOf(modules, p.name, s)),
    ),
  )

/** Sizes of the build in dist/web, in kB gz. Refuses when there is none. */
export function measureBundle(dist = join(root, 'dist/web')): Bundle {
  const manifest = join(dist, '.vite/manifest.json')
  if (!existsSync(manifest))
    throw new Error('No build in dist/web: start the product once, or run vite build in apps/web')
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>
  const sizes = new Map<string, number>()
  const size = (file: string): number => {
    if (!sizes.has(file)) {
      sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000)
    }
    return sizes.get(file)!
  }
  const needs = (key: string, seen = new Set<string>()): Set<string> => {
    const c = chunks[key]
    if (!c || seen.has(c.file)) return seen
    seen.add(c.file)
    c.css?.forEach(f => seen.add(f))
    c.imports?.forEach(k => needs(k, seen))
    return seen
  }
  const sum = (...keys: readonly string[]): number => {
    const files = new Set<string>()
    for (const k of keys) {
      for (const f of needs(k)) {
        files.add(f)
      }
    }
    return [...files].reduce((n, f) => n + size(f), size('index.html'))
  }
  const find = (end: RegExp): string[] => Object.keys(chunks).filter(k => end.test(chunks[k]!.src ?? k))
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const entry = Object.keys(chunks).filter(k => page.includes(chunks[k]!.file))
  const inside = find(/apps\/web\/signed-in-shell\.tsx$|^signed-in-shell\.tsx$/)
  const routes = find(/web\/routes\.ts$/)
  const routesOf = (screen: string): string[] =>
    routes.filter(r => r.split('/web/')[0] === screen.split('/web/')[0])
  const screens = find(/modules\/[^/]+\/web\/(?!routes|extensions)[^/]+\.tsx$|shell\/workbench\.tsx$/)
    .map(k => ({
      file: (chunks[k]!.src ?? k).replace(/^(\.\.\/)+/, ''),
      own: size(chunks[k]!.file) + (chunks[k]!.css ?? []).reduce((n, f) => n + size(f), 0),
      whole: sum(...entry, ...inside, ...routesOf(k), k),
    }))
    .toSorted((a, b) => b.whole - a.whole)
  const login = find(/accounts\/web\/login\.tsx$/)
  const first = screens.find(s => menuFiles().has(s.file))
  return {
    entry: sum(...entry),
    signIn: sum(...entry, ...login, ...login.flatMap(routesOf)),
    shell: sum(...entry, ...inside),
    firstList: first?.whole ?? 0,
    firstFile: first?.file ?? '',
    screens,
  }
}

/** What is heavier than its bar, in words; nothing when all is well. */
export function findOversized(b: Bundle): string[] {
  const said = (what: string, kb: number, bar: number): string[] =>
    kb <= bar ? [] : [`${what}: ${kb.toFixed(1)} kB gz, bar ${bar}`]
  return [
    ...said('sign-in', b.signIn, sizeLimits.signIn),
    ...said('shell', b.shell, sizeLimits.shell),
    ...said(`heaviest screen of the menu (${b.firstFile})`, b.firstList, sizeLimits.firstList),
    ...b.screens.flatMap(s => [
      ...said(`${s.file}, all`, s.whole, sizeLimits.whole),
      ...said(s.file, s.own, sizeLimits.screen),
    ]),
  ]
}

if (import.meta.main) {
  const b = measureBundle()
  process.exitCode = findOversized(b).length ? 1 : 0
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(b))
  } else {
    const line = (what: string, kb: number, bar?: number): void =>
      console.log(
        `${what.padEnd(52)} ${kb.toFixed(1).padStart(7)} kB gz${bar === undefined ? '' : `  bar ${bar}  ${kb <= bar ? 'ok' : 'OVER'}`}`,
      )
    line('entry', b.entry)
    line('sign-in, all', b.signIn, sizeLimits.signIn)
    line('shell, all', b.shell, sizeLimits.shell)
    line(
      `heaviest of the menu, all: ${b.firstFile.replace(/^modules\//, '')}`,
      b.firstList,
      sizeLimits.firstList,
    )
    line('heaviest screen, all', b.screens[0]?.whole ?? 0, sizeLimits.whole)
    for (const s of b.screens) {
      line(`  ${s.file} (all ${s.whole.toFixed(0)})`, s.own, sizeLimits.screen)
    }
  }
}
