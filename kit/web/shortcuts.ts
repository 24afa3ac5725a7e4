import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ExactList } from './exact-keys.ts'

/**
 * A key and what it does: `N`, `/`, `Alt W`, `Ctrl Enter`, `Shift ArrowDown`. Listed in the shortcut help
 * under its group.
 */
export interface Shortcut {
  readonly keys: string
  readonly label: string
  readonly run: (e: KeyboardEvent) => void
  readonly group?: string
  /** Also while somebody types. */
  readonly whileTyping?: boolean
  /** Handled by a part of the screen itself: only listed here. */
  readonly displayOnly?: true
}

/** Shortcuts declared apart from where they are used: a misspelt key does not compile. */
export const defineShortcuts = <const List extends readonly Shortcut[]>(
  shortcuts: List & ExactList<Shortcut, List>,
): readonly Shortcut[] => shortcuts

interface ShortcutLayer {
  keys: readonly Shortcut[]
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

const isTyping = (e: Event): boolean => isWithin(e, typingPlaces)

/** While a dialog is open the page behind it gets no keys. */
const isBehindDialog = (e: Event): boolean =>
  isWithin(e, '[role=dialog][aria-modal=true]') ||
  Boolean(document.querySelector('.ant-modal-wrap:not([style*="display: none"]), [data-covering]'))

function handleKeydown(e: KeyboardEvent): void {
  // oxlint-disable-next-line typescript/no-deprecated -- some input methods tell by keyCode 229 alone
  if (e.isComposing || e.keyCode === 229 || e.defaultPrevented) return
  const pressed = formatKeyEvent(e)
  const typing = isTyping(e)
  const hasNoModifier = !/^(Ctrl|Alt)/.test(pressed)
  for (let i = layers.length - 1; i >= 0; i--) {
    const shortcut = defined(layers[i]).keys.find(x => x.keys === pressed && !x.displayOnly)
    if (
      !shortcut ||
      (typing && hasNoModifier && !shortcut.whileTyping) ||
      (isBehindDialog(e) && !shortcut.whileTyping)
    )
      continue
    e.preventDefault()
    return shortcut.run(e)
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

/** Single letters never act while somebody types or an input method composes; a later layer comes first. */
export function useShortcuts(keys: readonly Shortcut[]): void {
  const layer = useRef<ShortcutLayer>({ keys })
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
      addEventListener('keydown', handleKeydown)
    }
    layers.push(shortcutLayer)
    updateActiveShortcuts()
    return () => {
      layers.splice(layers.indexOf(shortcutLayer), 1)
      updateActiveShortcuts()
      if (!layers.length) {
        removeEventListener('keydown', passSubmitOverSelect, true)
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
