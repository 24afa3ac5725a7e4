import type { MenuButton } from '../contract/menu.ts'
import { maxChildren } from './menu.ts'

type Buttons = readonly MenuButton[]

/** Which button of the menu: its index, and that of a button of its own below it. */
export type MenuPlace = readonly [index: number] | readonly [index: number, child: number]

export function atPlace(buttons: Buttons, [index, child]: MenuPlace): MenuButton | undefined {
  const button = buttons[index]
  return child === undefined ? button : button?.children?.[child]
}

const mapAt = <T>(rows: readonly T[], index: number, change: (row: T) => T): T[] =>
  rows.map((row, i) => (i === index ? change(row) : row))

export const changeAt = (buttons: Buttons, [index, child]: MenuPlace, patch: Partial<MenuButton>): Buttons =>
  mapAt(buttons, index, button =>
    child === undefined
      ? { ...button, ...patch }
      : { ...button, children: mapAt(button.children ?? [], child, each => ({ ...each, ...patch })) },
  )

export const canAddChild = (buttons: Buttons, index: number): boolean =>
  (buttons[index]?.children?.length ?? 0) < maxChildren

/** A new button; below a first-level one, whose own action it takes the place of. */
export function addAt(
  buttons: Buttons,
  parent?: number,
): { readonly buttons: Buttons; readonly place: MenuPlace } {
  if (parent === undefined)
    return { buttons: [...buttons, { name: '新菜单', type: 'link' }], place: [buttons.length] }
  const count = buttons[parent]?.children?.length ?? 0
  const added = mapAt(buttons, parent, ({ name, children = [] }) => ({
    name,
    children: [...children, { name: '子菜单', type: 'link' as const }],
  }))
  return { buttons: added, place: [parent, count] }
}

const without = <T>(rows: readonly T[], index: number): T[] => rows.filter((_, i) => i !== index)

export const removeAt = (buttons: Buttons, [index, child]: MenuPlace): Buttons =>
  child === undefined
    ? without(buttons, index)
    : mapAt(buttons, index, button => ({ ...button, children: without(button.children ?? [], child) }))

function swapped<T>(rows: readonly T[], from: number, to: number): readonly T[] {
  const [a, b] = [rows[from], rows[to]]
  if (a === undefined || b === undefined) return rows
  return rows.map((row, i) => (i === from ? b : i === to ? a : row))
}

/** A button before or after its neighbour; at the end it stays where it is. */
export function moveAt(
  buttons: Buttons,
  place: MenuPlace,
  step: -1 | 1,
): { readonly buttons: Buttons; readonly place: MenuPlace } {
  const [index, child] = place
  const rows = child === undefined ? buttons : (buttons[index]?.children ?? [])
  const from = child ?? index
  const to = from + step
  if (to < 0 || to >= rows.length) return { buttons, place }
  if (child === undefined) return { buttons: swapped(buttons, from, to), place: [to] }
  const moved = mapAt(buttons, index, button => ({
    ...button,
    children: swapped(button.children ?? [], from, to),
  }))
  return { buttons: moved, place: [index, to] }
}
