/** The bills of the payer that is open have the focus; nothing happens where none are shown. */
export const focusBills = (): void =>
  document.querySelector<HTMLElement>('.cashier-table')?.focus({ preventScroll: true })

/**
 * After a dialog over the cashier screen has gone: where nothing else took the focus, the bills have it
 * again. A dialog fades before its own focus is lost.
 */
export const focusBillsAfterDialog = (): void => {
  setTimeout(() => {
    if (document.activeElement === document.body) {
      focusBills()
    }
  }, 350)
}
