import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react'
import type { ExactList } from './exact-keys.ts'
import { findTopOverlay } from './open-overlay.ts'

/**
 * A key and what it does: `N`, `/`, `Alt W`, `Ctrl Enter`, `Shift ArrowDown`. Listed in the shortcut help
 * under its group.
 */
export interface Shortcut {
  readonly keys: string
  readonly label: string
  readonly run: (e: KeyboardEvent) => void
  readonly group?: string
  /** Whether it also works while somebody types. */
  readonly whileTyping?: boolean
  /** Handled by a part of the screen itself: only listed here. */
  readonly displayOnly?: true
}

/** Shortcuts declared apart from where they are used: a misspelt key does not compile. */
export const defineShortcuts = <const List extends readonly Shortcut[]>(
  shortcuts: List & ExactList<Shortcut, List>,
): readonly Shortcut[] => shortcuts

/** A place of the document that something is in, or not. */
interface Place<Anchor> {
  readonly contains: (anchor: Anchor) => boolean
}

export interface ShortcutLayer<Anchor = Element> {
  keys: readonly Shortcut[]
  /** Something in the dialog that the keys belong to; without it they are the page's. */
  readonly within?: RefObject<Anchor | null> | undefined
}

const layers: ShortcutLayer[] = []
const listeners = new Set<() => void>()
let activeShortcuts: readonly Shortcut[] = []

const updateActiveShortcuts = (): void => {
  activeShortcuts = layers.flatMap(l => l.keys)
  listeners.forEach(listener => listener())
}

const keyAliases: Readonly<Record<string, string>> = {
  ' ': 'Space',
  '？': '?',
  '、': '/',
  '【': '[',
  '】': ']',
}

/** The key itself: with Alt some layouts produce other characters. */
function keyOfEvent(e: Pick<KeyboardEvent, 'key' | 'code' | 'altKey'>): string {
  if (!e.altKey) return e.key
  if (/^(Key|Digit)/.test(e.code)) return e.code.replace(/^(Key|Digit)/, '')
  if (e.code === 'BracketLeft') return '['
  return e.code.startsWith('Bracket') ? ']' : e.key
}

/** A key event as text. Shift is named with Ctrl and with keys that print nothing. */
export function formatKeyEvent(
  e: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const raw = keyOfEvent(e)
  const key = keyAliases[raw] ?? (raw.length === 1 ? raw.toUpperCase() : raw)
  return [
    e.ctrlKey || e.metaKey ? 'Ctrl' : '',
    e.altKey ? 'Alt' : '',
    e.shiftKey && (key.length > 1 || e.ctrlKey || e.metaKey) ? 'Shift' : '',
    key,
  ]
    .filter(Boolean)
    .join(' ')
}

const typingPlaces =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [role=combobox]'

const isWithin = ({ target }: Event, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

const isInTypingPlace = (e: Event): boolean => isWithin(e, typingPlaces)

/** Of what is open one thing at a time has the keys: the dialog on top, or else the page. */
function hasKeys<Anchor>({ within }: ShortcutLayer<Anchor>, overlay: Place<Anchor> | undefined): boolean {
  const anchor = within?.current
  return !overlay || (anchor !== undefined && anchor !== null && overlay.contains(anchor))
}

/** What the browser would do in the place of a shortcut that is covered: it finds, prints, closes. */
const isBrowserKey = (pressed: string): boolean => /^(F\d+|(Ctrl|Alt) .)$/.test(pressed)

/** The shortcut of a key: the latest layer comes first. `covered`: a page behind a dialog has it. */
export function findShortcut<Anchor>(
  all: readonly ShortcutLayer<Anchor>[],
  pressed: string,
  { isTyping, overlay }: { readonly isTyping: boolean; readonly overlay: Place<Anchor> | undefined },
): Shortcut | 'covered' | undefined {
  const hasNoModifier = !/^(Ctrl|Alt)/.test(pressed)
  let isCovered = false
  for (const layer of all.toReversed()) {
    const shortcut = layer.keys.find(x => x.keys === pressed && !x.displayOnly)
    if (!shortcut || (isTyping && hasNoModifier && !shortcut.whileTyping)) continue
    if (hasKeys(layer, overlay)) return shortcut
    isCovered ||= shortcut.whileTyping === true && isBrowserKey(pressed)
  }
  return isCovered ? 'covered' : undefined
}

/** A panel without a mask has the keys while the focus is in it. */
const overlayOf = ({ target }: Event): Element | undefined =>
  findTopOverlay() ??
  (target instanceof Element ? (target.closest('[role=dialog][aria-modal=true]') ?? undefined) : undefined)

function handleKeydown(e: KeyboardEvent): void {
  // oxlint-disable-next-line typescript/no-deprecated -- some input methods tell by keyCode 229 alone
  if (e.isComposing || e.keyCode === 229 || e.defaultPrevented) return
  const pressed = formatKeyEvent(e)
  // Without a shortcut the document need not be searched.
  if (!layers.some(layer => layer.keys.some(shortcut => shortcut.keys === pressed))) return
  const shortcut = findShortcut(layers, pressed, { isTyping: isInTypingPlace(e), overlay: overlayOf(e) })
  if (!shortcut) return
  e.preventDefault()
  if (shortcut !== 'covered') {
    shortcut.run(e)
  }
}

const selectBox = '.ant-select'

/** Whether the key is the submit key, pressed in a select whose list is closed. */
export const isSubmitInSelect = (
  pressed: string,
  select: { readonly querySelector: (selector: string) => object | null } | null,
): boolean => pressed === 'Ctrl Enter' && select?.querySelector('[aria-expanded=true]') === null

/**
 * A select takes every Enter to drop its list down, that of Ctrl Enter too: the key is handed to what stands
 * around it, where forms and screens submit.
 */
function passSubmitOverSelect(e: KeyboardEvent): void {
  const select = e.target instanceof Element ? e.target.closest(selectBox) : null
  if (e.isComposing || !select || !isSubmitInSelect(formatKeyEvent(e), select)) return
  e.preventDefault()
  e.stopImmediatePropagation()
  const { key, code, ctrlKey, metaKey } = e
  select.parentElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, bubbles: true, cancelable: true }),
  )
}

/** Whether the key is Tab, pressed in a select of several values whose list is open. */
export const isTabInOpenList = (
  key: string,
  select: { readonly querySelector: (selector: string) => object | null } | null,
): boolean => key === 'Tab' && Boolean(select?.querySelector('[aria-expanded=true]'))

/**
 * In the list of a select of several values Tab would toggle the marked entry, which drops the one just
 * chosen, and hold the focus. It leaves the field instead, which closes the list.
 */
function passTabOverSelect(e: KeyboardEvent): void {
  const select = e.target instanceof Element ? e.target.closest(`${selectBox}-multiple`) : null
  if (!e.isComposing && isTabInOpenList(e.key, select)) {
    e.stopImmediatePropagation()
  }
}

/**
 * Single letters never act while somebody types or an input method composes; a later layer comes first. Keys
 * of a dialog name something that stands `within` it: they act while it is on top, those of a page while
 * nothing covers it.
 */
export function useShortcuts(keys: readonly Shortcut[], within?: RefObject<Element | null>): void {
  const layer = useRef<ShortcutLayer>({ keys, within })
  const signature = keys
    .map(shortcut => `${shortcut.group ?? ''}|${shortcut.keys}|${shortcut.label}`)
    .join('\n')
  useEffect(() => {
    layer.current.keys = keys
  })
  useEffect(() => {
    const shortcutLayer = layer.current
    shortcutLayer.keys = keys
    if (!layers.length) {
      addEventListener('keydown', passSubmitOverSelect, true)
      addEventListener('keydown', passTabOverSelect, true)
      addEventListener('keydown', handleKeydown)
    }
    layers.push(shortcutLayer)
    updateActiveShortcuts()
    return () => {
      layers.splice(layers.indexOf(shortcutLayer), 1)
      updateActiveShortcuts()
      if (!layers.length) {
        removeEventListener('keydown', passSubmitOverSelect, true)
        removeEventListener('keydown', passTabOverSelect, true)
        removeEventListener('keydown', handleKeydown)
      }
    }
    // The layer holds the newest functions; only a change of what the help shows registers it again.
  }, [signature])
}

/** All active shortcuts, the latest layer last. */
export const useActiveShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => activeShortcuts,
  )
