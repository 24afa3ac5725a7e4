import { defined } from '#kit/domain/defined.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Screen } from '#kit/contract/module.ts'
import { modules } from '#modules/index.ts'
import { screenFileOf } from './product-map.ts'
import { root } from './source-files.ts'

/**
 * Size limits of the browser in kB gz (docs: quality): all that sign-in fetches, the whole shell without a
 * page, all until a first list is usable, all of any other screen, a screen's own code; all of the first page
 * of residents, which an old telephone opens over a slow line, and of any other page of theirs.
 */
export const sizeLimits = {
  signIn: 200,
  shell: 180,
  firstList: 350,
  whole: 368,
  screen: 40,
  residentHome: 120,
  residentPage: 185,
} as const

const residentHome = 'modules/resident-page/web/home.tsx'

/** Script files that a screen of the menu fetches, those of the idle shell counted: each is a request. */
export const maxScripts = 40

export interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

export interface Bundle {
  /** What index.html itself names: start and react. */
  readonly entry: number
  readonly signIn: number
  readonly shell: number
  /** The heaviest screen of the menu, with which somebody may begin: entry, shell and all that it needs. */
  readonly firstList: number
  readonly firstFile: string
  /** Screens of the menu that need too many script files. */
  readonly crowded: readonly { readonly file: string; readonly scripts: number }[]
  /** Script files that import each other: one runs before what it needs, and its screens stay empty. */
  readonly cycles: readonly string[]
  readonly screens: readonly ScreenSize[]
  /** The pages of residents, without the back office. */
  readonly residents: readonly ScreenSize[]
}

interface ScreenSize {
  readonly file: string
  readonly own: number
  readonly whole: number
  readonly scripts: number
}

/** The files of the screens in the menu; forms, details and wizards are reached from these. */
const menuFiles = (): ReadonlySet<string> =>
  new Set(
    modules.flatMap(p =>
      p.screens.filter((s: Screen) => s.group !== undefined).map(s => screenFileOf(modules, p.name, s)),
    ),
  )

/** Screens that stand without the shell, which is not fetched for them. */
const standaloneFiles = (): ReadonlySet<string> =>
  new Set(
    modules.flatMap(p =>
      p.screens.filter((s: Screen) => s.standalone).map(s => screenFileOf(modules, p.name, s)),
    ),
  )

/** The script files that are imported, over others, by what they import themselves. */
export function findChunkCycles(chunks: Readonly<Record<string, Chunk>>): string[] {
  const leadsTo = (from: string, target: string, seen = new Set<string>()): boolean =>
    (chunks[from]?.imports ?? []).some(next => {
      if (next === target) return true
      if (seen.has(next)) return false
      seen.add(next)
      return leadsTo(next, target, seen)
    })
  return Object.keys(chunks).filter(key => leadsTo(key, key))
}

/** The file of a screen's routes, with the addresses of its module. */
function findRoutes(chunks: Readonly<Record<string, Chunk>>, screen: string): string[] {
  const module = /modules\/([^/]+)\/web\//.exec(screen)?.[1]
  return module === undefined ? [] : Object.keys(chunks).filter(key => key.startsWith(`_${module}-routes-`))
}

/** One of the builds in a folder: the files that its page names, and what any part of it needs. */
function openBuild(dist: string, manifest: string, pageFile: string) {
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(join(dist, manifest), 'utf8'))
  const sizes = new Map<string, number>()
  const size = (file: string): number => {
    if (!sizes.has(file)) {
      sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000)
    }
    return defined(sizes.get(file))
  }
  const needs = (key: string, files = new Set<string>()): Set<string> => {
    const chunk = chunks[key]
    if (!chunk || files.has(chunk.file)) return files
    files.add(chunk.file)
    chunk.css?.forEach(f => files.add(f))
    chunk.imports?.forEach(k => needs(k, files))
    return files
  }
  const filesOf = (...keys: readonly string[]): string[] => [...new Set(keys.flatMap(k => [...needs(k)]))]
  const find = (pattern: RegExp): string[] =>
    Object.keys(chunks).filter(k => pattern.test(defined(chunks[k]).src ?? k))
  // Without the page's own script: it names what sign-in does without.
  const page = readFileSync(join(dist, pageFile), 'utf8').replace(/<script>.*?<\/script>/s, '')
  return {
    chunks,
    entry: Object.keys(chunks).filter(k => page.includes(defined(chunks[k]).file)),
    find,
    filesOf,
    sum: (...keys: readonly string[]): number =>
      filesOf(...keys).reduce((n, f) => n + size(f), size(pageFile)),
    ownSize: (key: string): number =>
      [defined(chunks[key]).file, ...(chunks[key]?.css ?? [])].reduce((n, f) => n + size(f), 0),
    sourceOf: (key: string): string => (defined(chunks[key]).src ?? key).replace(/^(\.\.\/)+/, ''),
  }
}

type Build = ReturnType<typeof openBuild>

const pageFiles = /modules\/[^/]+\/web\/(?!(?:resident-)?routes|extensions)[^/]+\.tsx$|shell\/workbench\.tsx$/

const measureScreen = (build: Build, key: string, before: readonly string[], idle = before): ScreenSize => ({
  file: build.sourceOf(key),
  own: build.ownSize(key),
  whole: build.sum(...before, key),
  scripts: build.filesOf(...idle, key).filter(f => f.endsWith('.js')).length,
})

const heaviestFirst = (screens: readonly ScreenSize[]): ScreenSize[] =>
  screens.toSorted((a, b) => b.whole - a.whole)

/** Sizes of the build in dist/web, in kB gz. Refuses when there is none. */
export function measureBundle(dist = join(root, 'dist/web')): Bundle {
  if (!existsSync(join(dist, '.vite/manifest.json')))
    throw new Error('No build in dist/web: start the product once, or run npm run build')
  const office = openBuild(dist, '.vite/manifest.json', 'index.html')
  const { chunks, entry, find, sum } = office
  // The shell imports the list of all screens.
  const shellChunks = Object.keys(chunks).filter(k => /^_shell-.*js$/.test(k))
  // What the shell fetches as soon as nothing is waited for: extensions, toasts, Ctrl K, pull-down menus.
  const idleChunks = find(/^extensions\.ts$|theme\/toasts\.tsx$|kit\/web\/idle-parts\.ts$/)
  const routesOf = (screen: string): string[] => findRoutes(chunks, screen)
  const standalone = standaloneFiles()
  const measureOfficeScreen = (key: string): ScreenSize => {
    const frame = standalone.has(office.sourceOf(key)) ? [] : shellChunks
    const routes = routesOf(key)
    const idle = [...entry, ...shellChunks, ...idleChunks, ...routes]
    return measureScreen(office, key, [...entry, ...frame, ...routes], idle)
  }
  const screens = heaviestFirst(find(pageFiles).map(measureOfficeScreen))
  const login = find(/accounts\/web\/login\.tsx$/)
  const menu = menuFiles()
  const first = screens.find(s => menu.has(s.file))
  const phone = openBuild(dist, '.vite/resident-manifest.json', 'resident.html')
  return {
    entry: sum(...entry),
    signIn: sum(...entry, ...login, ...login.flatMap(routesOf)),
    shell: sum(...entry, ...shellChunks),
    firstList: first?.whole ?? 0,
    firstFile: first?.file ?? '',
    cycles: [...findChunkCycles(chunks), ...findChunkCycles(phone.chunks)],
    crowded: screens.filter(s => menu.has(s.file) && s.scripts > maxScripts),
    screens,
    residents: heaviestFirst(phone.find(pageFiles).map(key => measureScreen(phone, key, phone.entry))),
  }
}

/** What exceeds its limit, as text; nothing when all is well. */
export function findOversized(bundle: Bundle): string[] {
  const describeExcess = (label: string, kb: number, bar: number): string[] =>
    kb <= bar ? [] : [`${label}: ${kb.toFixed(1)} kB gz, bar ${bar}`]
  return [
    ...describeExcess('sign-in', bundle.signIn, sizeLimits.signIn),
    ...describeExcess('shell', bundle.shell, sizeLimits.shell),
    ...describeExcess(
      `heaviest screen of the menu (${bundle.firstFile})`,
      bundle.firstList,
      sizeLimits.firstList,
    ),
    ...bundle.cycles.map(file => `${file}: imported by what it imports`),
    ...bundle.crowded.map(s => `${s.file}: ${s.scripts} script files, bar ${maxScripts}`),
    ...bundle.screens.flatMap(s => [
      ...describeExcess(`${s.file}, all`, s.whole, sizeLimits.whole),
      ...describeExcess(s.file, s.own, sizeLimits.screen),
    ]),
    ...bundle.residents.flatMap(s =>
      describeExcess(
        `${s.file}, for residents`,
        s.whole,
        s.file === residentHome ? sizeLimits.residentHome : sizeLimits.residentPage,
      ),
    ),
  ]
}

if (import.meta.main) {
  const bundle = measureBundle()
  process.exitCode = findOversized(bundle).length ? 1 : 0
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(bundle))
  } else {
    const line = (label: string, kb: number, bar?: number): void =>
      console.log(
        `${label.padEnd(52)} ${kb.toFixed(1).padStart(7)} kB gz${bar === undefined ? '' : `  bar ${bar}  ${kb <= bar ? 'ok' : 'OVER'}`}`,
      )
    line('entry', bundle.entry)
    line('sign-in, all', bundle.signIn, sizeLimits.signIn)
    line('shell, all', bundle.shell, sizeLimits.shell)
    line(
      `heaviest of the menu, all: ${bundle.firstFile.replace(/^modules\//, '')}`,
      bundle.firstList,
      sizeLimits.firstList,
    )
    console.log(
      `most script files ${' '.repeat(34)} ${Math.max(...bundle.screens.map(x => x.scripts))}  bar ${maxScripts}`,
    )
    line('heaviest screen, all', bundle.screens[0]?.whole ?? 0, sizeLimits.whole)
    for (const s of bundle.residents) {
      line(
        `  ${s.file} (for residents)`,
        s.whole,
        s.file === residentHome ? sizeLimits.residentHome : sizeLimits.residentPage,
      )
    }
    for (const s of bundle.screens) {
      line(`  ${s.file} (all ${s.whole.toFixed(0)})`, s.own, sizeLimits.screen)
    }
  }
}
