/** The element around where an event began. */
export const closestElement = (target: EventTarget, selector: string): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>(selector)) || undefined
