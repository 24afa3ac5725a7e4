/**
 * `afterOpenChange` of a dialog: the library focuses the close button, and an `autoFocus` inside is lost
 * because the dialog is still hidden when it is drawn.
 */
export function focusFirstInput(isOpen: boolean): void {
  if (!isOpen) return
  const dialog = [...document.querySelectorAll('.ant-modal')].filter(modal => modal.checkVisibility()).at(-1)
  // What somebody has started to fill in keeps the focus.
  if (document.activeElement instanceof HTMLInputElement && dialog?.contains(document.activeElement)) return
  dialog
    ?.querySelector<HTMLElement>('input:not(:disabled, [hidden], [type=file]), textarea:not(:disabled)')
    ?.focus()
}
