/** What has the focus, to give it back. */
export const focusedElement = (): HTMLElement | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement : undefined
