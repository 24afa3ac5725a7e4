import type { KeyboardEvent } from 'react'

const isBelow = (line: DOMRect, other: DOMRect): boolean => other.top > line.top + 8
const isAbove = (line: DOMRect, other: DOMRect): boolean => other.top < line.top - 8

/** The element nearest to `from` in the next line of the screen, by position: lines hold several cells. */
function nearestInNextLine(
  stops: readonly HTMLElement[],
  from: HTMLElement,
  down: boolean,
): HTMLElement | undefined {
  const start = from.getBoundingClientRect()
  const others = stops
    .map(element => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => (down ? isBelow(start, box) : isAbove(start, box)))
  const tops = others.map(o => o.box.top)
  const lineTop = down ? Math.min(...tops) : Math.max(...tops)
  return others
    .filter(o => Math.abs(o.box.top - lineTop) < 8)
    .toSorted((a, b) => Math.abs(a.box.left - start.left) - Math.abs(b.box.left - start.left))[0]?.element
}

/** Arrow keys in a tree: up and down over everything shown, right expands, left collapses, Home and End. */
export function moveInTree(e: KeyboardEvent, root: HTMLElement): void {
  const from = e.target
  if (!(from instanceof HTMLElement) || !('step' in from.dataset)) return
  const stops = [...root.querySelectorAll<HTMLElement>('[data-step]:not(:disabled)')]
  const index = stops.indexOf(from)
  const expanded = from.getAttribute('aria-expanded')
  if ((e.key === 'ArrowRight' && expanded === 'false') || (e.key === 'ArrowLeft' && expanded === 'true')) {
    e.preventDefault()
    from.click()
    return
  }
  if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
    e.preventDefault()
    nearestInNextLine(stops, from, e.key === 'ArrowDown')?.focus()
    return
  }
  const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: stops.length - 1 }[e.key]
  if (target === undefined) return
  e.preventDefault()
  stops[target]?.focus()
}
