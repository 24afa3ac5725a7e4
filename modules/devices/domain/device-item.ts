import type { ChoiceOf } from '#kit/contract/field.ts'
import type { itemAction, itemState } from '../contract/choices.ts'

export type ItemAction = ChoiceOf<typeof itemAction>
export type ItemState = ChoiceOf<typeof itemState>

/** What is sent and not answered is sent again after this. */
export const itemAnswerMs = 60_000
const firstRetryMs = 30_000
const maxRetryMs = 3_600_000

/** How long until the next try after so many failures: 30 s, 1 min, 2 min … an hour. */
export const itemRetryMs = (failures: number): number =>
  Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(20, Math.max(0, failures - 1)))

/** ACS-3: the state of an item that the device does not have yet, or still has. */
export const openStateOf = (action: ItemAction): ItemState => (action === 'put' ? 'waiting' : 'removing')

/** ACS-3: its state once the device has done it. */
export const doneStateOf = (action: ItemAction): ItemState => (action === 'put' ? 'done' : 'removed')

export interface KnownItem {
  readonly version: number
  readonly action: ItemAction
  readonly state: ItemState
  readonly data: unknown
}

export interface WantedItem {
  readonly key: string
  readonly action: ItemAction
  readonly data?: Readonly<Record<string, unknown>>
}

/** Objects with the same members are equal, however the database ordered their keys. */
function isEqualData(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = new Map<string, unknown>(Object.entries(a))
  const right = new Map<string, unknown>(Object.entries(b))
  return left.size === right.size && [...left].every(([key, value]) => isEqualData(value, right.get(key)))
}

/**
 * The version under which an item must be sent; nothing where the device holds it so already, is about to, or
 * never had the item to remove.
 */
export function nextVersion(known: KnownItem | undefined, wanted: WantedItem): number | undefined {
  if (!known) return wanted.action === 'put' ? 1 : undefined
  const isSame =
    known.action === wanted.action &&
    (wanted.action === 'remove' || isEqualData(known.data ?? null, wanted.data ?? null))
  return isSame ? undefined : known.version + 1
}
