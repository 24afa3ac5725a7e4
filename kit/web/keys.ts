import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * A key and what it does: `N`, `/`, `Alt W`, `Ctrl Enter`, `Shift ArrowDown`. Shown in the key map under its
 * group.
 */
export interface Key {
  readonly keys: string
  readonly label: string
  readonly run: (e: KeyboardEvent) => void
  readonly group?: string
  /** Also while somebody types. */ readonly typing?: boolean
  /** Heard by a part of the screen itself: told here, not heard. */ readonly elsewhere?: true
}

interface Layer {
  keys: readonly Key[]
}

const layers: Layer[] = []
const watchers = new Set<() => void>()
let listed: readonly Key[] = []

const relist = (): void => {
  listed = layers.flatMap(l => l.keys)
  watchers.forEach(w => w())
}

const names: Readonly<Record<string, string>> = { ' ': 'Space', '？': '?', '、': '/', '【': '[', '】': ']' }

/** How a key event is written here. Shift is named only with keys that print nothing. */
export function spelled(
  e: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  // With Alt some layouts give other characters; the key itself is meant.
  const raw =
    e.altKey && /^(Key|Digit)/.test(e.code)
      ? e.code.replace(/^(Key|Digit)/, '')
      : e.altKey && /^Bracket/.test(e.code)
        ? e.code === 'BracketLeft'
          ? '['
          : ']'
        : e.key
  const key = names[raw] ?? (raw.length === 1 ? raw.toUpperCase() : raw)
  return [
    e.ctrlKey || e.metaKey ? 'Ctrl' : '',
    e.altKey ? 'Alt' : '',
    e.shiftKey && key.length > 1 ? 'Shift' : '',
    key,
  ]
    .filter(Boolean)
    .join(' ')
}

const isTyping = (e: Event): boolean => {
  const t = e.target as HTMLElement | null
  return !!t?.closest?.(
    'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [role=combobox]',
  )
}

/** Inside a dialog the page behind it hears no key. */
const isCovered = (e: Event): boolean =>
  !!(e.target as HTMLElement | null)?.closest?.('[role=dialog][aria-modal=true]') ||
  !!document.querySelector('.ant-modal-wrap:not([style*="display: none"]), [data-covering]')

function hear(e: KeyboardEvent): void {
  // Some input methods say 229 without `isComposing`; there is no other word for it.
  // oxlint-disable-next-line typescript/no-deprecated
  if (e.isComposing || e.keyCode === 229 || e.defaultPrevented) return
  const said = spelled(e)
  const typing = isTyping(e)
  const bare = !/^(Ctrl|Alt)/.test(said)
  for (let i = layers.length - 1; i >= 0; i--) {
    const k = layers[i]!.keys.find(x => x.keys === said && !x.elsewhere)
    if (!k || (typing && bare && !k.typing) || (isCovered(e) && !k.typing)) continue
    e.preventDefault()
    return k.run(e)
  }
}

/** Single letters never act while somebody types or an input method composes; a later layer comes first. */
export function useKeys(keys: readonly Key[]): void {
  const layer = useRef<Layer>({ keys })
  const sign = keys.map(k => `${k.group ?? ''}|${k.keys}|${k.label}`).join('\n')
  useEffect(() => {
    layer.current.keys = keys
  })
  useEffect(() => {
    const l = layer.current
    l.keys = keys
    if (!layers.length) {
      addEventListener('keydown', hear)
    }
    layers.push(l)
    relist()
    return () => {
      layers.splice(layers.indexOf(l), 1)
      relist()
      if (!layers.length) {
        removeEventListener('keydown', hear)
      }
    }
    // The layer holds the newest functions; only what the map shows makes it anew.
  }, [sign])
}

/** Every key that acts now, the latest layer last. */
export const useKeyMap = (): readonly Key[] =>
  useSyncExternalStore(
    then => {
      watchers.add(then)
      return () => {
        watchers.delete(then)
      }
    },
    () => listed,
  )
