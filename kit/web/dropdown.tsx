import { defined } from '#kit/domain/defined.ts'
import type { DropdownProps, MenuProps, PopoverProps } from 'antd'
import { cloneElement, useState, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import type { MenuPosition } from './antd-dropdown.tsx'
import { lazyComponent } from './lazy-component.tsx'

// Menus and panels at a button: 25 kB of the library that the first list does not load. Until one is opened
// only its button is drawn.
type TriggerElement = ReactElement<any>

const LazyDropdown = lazyComponent<DropdownProps>(
  () => import('./idle-parts.ts').then(m => m.ClickDropdown),
  props => props.children,
)

const LazyContextMenu = lazyComponent<{ at: MenuPosition; menu: MenuProps; children: TriggerElement }>(
  () => import('./idle-parts.ts').then(m => m.ContextDropdown),
  props => props.children,
)

const LazyPopover = lazyComponent<PopoverProps>(
  () => import('./idle-parts.ts').then(m => m.Popover),
  props => props.children,
)

export const preloadDropdowns = (): void => {
  LazyDropdown.warm()
  LazyContextMenu.warm()
  LazyPopover.warm()
}

/** A menu that a button opens. */
export function DropdownMenu({
  menu,
  placement,
  children,
}: {
  readonly menu: (close: () => void) => MenuProps
  readonly placement?: DropdownProps['placement']
  readonly children: TriggerElement
}) {
  const [open, setOpen] = useState<boolean>()
  const ariaProps = { 'aria-haspopup': 'menu', 'aria-expanded': open ?? false }
  if (open === undefined) return cloneElement(children, { ...ariaProps, onClick: () => setOpen(true) })
  return (
    <LazyDropdown
      open={open}
      onOpenChange={setOpen}
      menu={menu(() => setOpen(false))}
      {...(placement && { placement })}
    >
      {cloneElement(children, { ...ariaProps, autoFocus: true })}
    </LazyDropdown>
  )
}

/** A context menu. */
export function ContextMenu({
  menu,
  children,
}: {
  readonly menu: () => MenuProps
  readonly children: TriggerElement
}) {
  const [openedAt, setOpenedAt] = useState<MenuPosition>()
  const openMenu = (e: MouseEvent): void => {
    e.preventDefault()
    setOpenedAt({
      x: e.clientX,
      y: e.clientY,
      focusedId: e.currentTarget.contains(document.activeElement) ? document.activeElement?.id : undefined,
    })
  }
  return openedAt ? (
    <LazyContextMenu at={openedAt} menu={menu()}>
      {children}
    </LazyContextMenu>
  ) : (
    cloneElement(children, { onContextMenu: openMenu })
  )
}

/** A panel that a button opens; the parent holds whether it is open. */
export function PopoverPanel({
  open,
  onOpenChange: onOpen,
  placement = 'bottomRight',
  flush,
  content,
  children,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly placement?: PopoverProps['placement']
  /** The content has its own padding. */
  readonly flush?: boolean
  readonly content: ReactNode
  readonly children: TriggerElement
}) {
  const [hasOpened, setHasOpened] = useState(open)
  if (open && !hasOpened) {
    setHasOpened(true)
  }
  const ariaProps = { 'aria-haspopup': 'dialog', 'aria-expanded': open }
  if (!hasOpened) return cloneElement(children, { ...ariaProps, onClick: () => onOpen(true) })
  return (
    <LazyPopover
      trigger="click"
      open={open}
      onOpenChange={onOpen}
      placement={defined(placement)}
      arrow={false}
      destroyOnHidden
      content={content}
      {...(flush && { styles: { container: { padding: 0 } } })}
    >
      {cloneElement(children, { ...ariaProps, autoFocus: true })}
    </LazyPopover>
  )
}
