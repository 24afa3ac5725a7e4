import type { DropdownProps, MenuProps, PopoverProps } from 'antd'
import { cloneElement, useState, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import type { At } from './drops.tsx'
import { later } from './later.tsx'

// Menus and panels at a button: 25 kB of the library's that a first list does not wait for. Until one is
// opened its button stands alone.
type Handle = ReactElement<any>

const Menu = later<DropdownProps>(
  () => import('./drops.tsx').then(m => m.Menu),
  p => p.children,
)

const MenuAt = later<{ at: At; menu: MenuProps; children: Handle }>(
  () => import('./drops.tsx').then(m => m.MenuAt),
  p => p.children,
)

const Popover = later<PopoverProps>(
  () => import('./drops.tsx').then(m => m.Popover),
  p => p.children as ReactNode,
)

export const warmDrops = (): void => {
  Menu.warm()
  MenuAt.warm()
  Popover.warm()
}

/** A menu that a button opens. */
export function Drop({
  menu,
  placement,
  children,
}: {
  readonly menu: (close: () => void) => MenuProps
  readonly placement?: DropdownProps['placement']
  readonly children: Handle
}) {
  const [open, setOpen] = useState<boolean>()
  const said = { 'aria-haspopup': 'menu', 'aria-expanded': open ?? false }
  if (open === undefined) return cloneElement(children, { ...said, onClick: () => setOpen(true) })
  return (
    <Menu
      open={open}
      onOpenChange={setOpen}
      menu={menu(() => setOpen(false))}
      {...(placement && { placement })}
    >
      {cloneElement(children, { ...said, autoFocus: true })}
    </Menu>
  )
}

/** A menu under the mouse's other button. */
export function DropAt({ menu, children }: { readonly menu: () => MenuProps; readonly children: Handle }) {
  const [at, setAt] = useState<At>()
  const ask = (e: MouseEvent): void => {
    e.preventDefault()
    setAt({
      x: e.clientX,
      y: e.clientY,
      held: e.currentTarget.contains(document.activeElement) ? document.activeElement?.id : undefined,
    })
  }
  return at ? (
    <MenuAt at={at} menu={menu()}>
      {children}
    </MenuAt>
  ) : (
    cloneElement(children, { onContextMenu: ask })
  )
}

/** A panel that a button opens; whoever draws it knows whether it is open. */
export function Pop({
  open,
  onOpen,
  placement = 'bottomRight',
  flush,
  content,
  children,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly placement?: PopoverProps['placement']
  /** The content brings its own edges. */ readonly flush?: boolean
  readonly content: ReactNode
  readonly children: Handle
}) {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) {
    setWanted(true)
  }
  const said = { 'aria-haspopup': 'dialog', 'aria-expanded': open }
  if (!wanted) return cloneElement(children, { ...said, onClick: () => onOpen(true) })
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={onOpen}
      placement={placement!}
      arrow={false}
      destroyOnHidden
      content={content}
      {...(flush && { styles: { container: { padding: 0 } } })}
    >
      {cloneElement(children, { ...said, autoFocus: true })}
    </Popover>
  )
}
