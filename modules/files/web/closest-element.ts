/** The element around where an event began. */
export const closestTo = (target: EventTarget, selector: string): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>(selector)) || undefined
