/** What takes the keys from the page behind it: dialogs, drawers with a mask, and what says so itself. */
const overlays = '.ant-modal-wrap, .ant-drawer-open:has(> .ant-drawer-mask), [data-covering]'

/** A dialog that fades is closed already. */
const isOpen = (element: Element): boolean =>
  element.checkVisibility() && !element.querySelector(':scope > .ant-modal[class*="-leave"]')

const depthOf = (element: Element): number => Number.parseInt(getComputedStyle(element).zIndex, 10) || 0

/** The overlay that is on top of all others: the last opened of the highest. */
export function findTopOverlay(): Element | undefined {
  let top: { readonly element: Element; readonly depth: number } | undefined
  for (const element of document.querySelectorAll(overlays)) {
    if (!isOpen(element)) continue
    const depth = depthOf(element)
    if (!top || depth >= top.depth) {
      top = { element, depth }
    }
  }
  return top?.element
}
