import type { ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { IconName } from './icons.tsx'

/** The fixed order of the groups that hold records; screens (功能) come last. */
export const paletteGroups = { room: '房间', person: '住户', car: '车辆', paper: '单据' } as const
export type PaletteGroup = keyof typeof paletteGroups

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
  /** The title is the path of a room. */
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
  readonly group: PaletteGroup
  readonly icon?: IconName
  readonly needs?: Permission
  /** Finds records by what was typed (trimmed, without the prefix); asked 150 ms after the last key. */
  search(text: string, signal: AbortSignal): Promise<readonly Hit[]>
}

const finders: Finder[] = []

/** The finders that modules register for the palette. */
export const palette = {
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

export const palettePrefixes: Readonly<Record<string, PaletteGroup | 'screen'>> = {
  房: 'room',
  车: 'car',
  单: 'paper',
  '>': 'screen',
  '》': 'screen',
}

/** `房 1502` → rooms, `1502`. A prefix stands before a space, or is `>`. */
export function parsePaletteInput(typed: string): {
  readonly only: PaletteGroup | 'screen' | undefined
  readonly text: string
} {
  const trimmed = typed.trim()
  const first = [...trimmed][0] ?? ''
  const only = palettePrefixes[first]
  return only && (only === 'screen' || /^.\s/u.test(trimmed))
    ? { only, text: trimmed.slice(first.length).trim() }
    : { only: undefined, text: trimmed }
}
