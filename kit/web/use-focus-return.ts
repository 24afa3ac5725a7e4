import { useEffect, useState } from 'react'

const focusable =
  'button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

const isShown = (element: HTMLElement): boolean => element.isConnected && element.getClientRects().length > 0

/** What a dialog was opened from, and what that is in, from the inside out. */
function placesOf(opener: Element | null): readonly HTMLElement[] {
  const places: HTMLElement[] = []
  for (let place = opener; place && place !== document.body; place = place.parentElement) {
    if (place instanceof HTMLElement) {
      places.push(place)
    }
  }
  return places
}

/** The opener, or, where it is gone or can be pressed no more, the first control near where it stood. */
function controlNear([opener, ...around]: readonly HTMLElement[]): HTMLElement | undefined {
  if (opener && isShown(opener) && opener.matches(focusable)) return opener
  for (const place of around.filter(isShown)) {
    const control = [...place.querySelectorAll<HTMLElement>(focusable)].find(isShown)
    if (control) return control
  }
  return undefined
}

/** A dialog fades before its own focus is lost, and what it has changed is fetched again. */
const waitsMs = [0, 120, 400]

/**
 * After a dialog the focus goes back to where it was opened from, unless something else has taken it: a
 * keyboard that is nowhere begins again at the top of the page.
 */
export function useFocusReturn(): void {
  const [places] = useState(() => placesOf(document.activeElement))
  useEffect(
    () => () => {
      for (const wait of waitsMs) {
        setTimeout(() => {
          if (document.activeElement && document.activeElement !== document.body) return
          controlNear(places)?.focus({ preventScroll: true })
        }, wait)
      }
    },
    [places],
  )
}
