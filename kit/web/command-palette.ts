import type { ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Screen } from '#kit/contract/module.ts'
import type { IconName } from './icons.tsx'

/** A group of records that the palette finds; the product names them, in their order. */
export interface PaletteGroup {
  readonly key: string
  readonly label: string
  readonly icon: IconName
  /** `房` before a space limits the search to the group; `name` says in the help what it stands for. */
  readonly prefix?: { readonly character: string; readonly name: string }
}

/** One action on a found record; the first four are shown. */
export interface HitAction {
  readonly label: string
  readonly path: string
  readonly needs?: Permission
  /** With Alt. */
  readonly letter?: string
}

export interface Hit {
  readonly key: string
  readonly title: string
  readonly note?: string
  /** The title is a path: `1-2-301`. */
  readonly isPath?: boolean
  /** At the right: a debt, a state. */
  readonly trailing?: ReactNode
  readonly path: string
  readonly actions?: readonly HitAction[]
  /** Belongs to another project than the chosen one: listed under 其他项目. */
  readonly isOtherProject?: boolean
}

/** The last of a group that has more than it shows: to the list of all that answer. */
export const moreHits = (itemName: string, path: string): Hit => ({
  key: 'more',
  title: `更多${itemName}`,
  note: '在列表中查看全部结果',
  path,
})

export interface Finder {
  /** The key of a group. */
  readonly group: string
  readonly icon?: IconName
  readonly needs?: Permission
  /** Fetches its code while the first letter is typed. */
  prepare?(): Promise<unknown>
  /** Finds records by what was typed (trimmed, without the prefix); asked 150 ms after the last key. */
  search(text: string, signal: AbortSignal): Promise<readonly Hit[]>
}

const finders: Finder[] = []
/** By which words else screens are found, by their paths. */
export type ScreenKeywords = Readonly<Record<string, Screen['keywords']>>

let groups: readonly PaletteGroup[] = []
let keywords: ScreenKeywords = {}

/** The finders that modules register for the palette, and the product's groups of what they find. */
export const palette = {
  setGroups: (all: readonly PaletteGroup[]): void => {
    groups = all
  },
  groups: (): readonly PaletteGroup[] => groups,
  setKeywords: (all: ScreenKeywords): void => {
    keywords = all
  },
  keywordsOf: (path: string): Screen['keywords'] => keywords[path],
  register: (finder: Finder): void => {
    if (!finders.includes(finder)) {
      finders.push(finder)
    }
  },
  finders: (): readonly Finder[] => finders,
}

let opener: (() => void) | undefined

/** Opens the search from a page; the shell sets how. */
export const setPaletteOpener = (next: (() => void) | undefined): void => {
  opener = next
}

export const openPalette = (): void => opener?.()

/** The prefix of the screens (功能), which no space need follow. */
const screenPrefixes: ReadonlySet<string> = new Set(['>', '》'])

/** What was typed, without its prefix, which limits the search to screens or to the records of a group. */
export interface PaletteInput {
  readonly text: string
  readonly screensOnly: boolean
  readonly group: string | undefined
}

/** `房 1502`, `单2026-000001` → the group with the prefix; 单慧 is a name. */
export function parsePaletteInput(typed: string): PaletteInput {
  const trimmed = typed.trim()
  const first = [...trimmed][0] ?? ''
  const rest = trimmed.slice(first.length)
  if (screenPrefixes.has(first)) return { text: rest.trim(), screensOnly: true, group: undefined }
  const group = groups.find(g => g.prefix?.character === first)
  return group && /^[\s\w]/.test(rest)
    ? { text: rest.trim(), screensOnly: false, group: group.key }
    : { text: trimmed, screensOnly: false, group: undefined }
}
