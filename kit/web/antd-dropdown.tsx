import { Dropdown, Popover, type DropdownProps, type MenuProps } from 'antd'
import { cloneElement, useEffect, useRef, type ReactElement } from 'react'

export { Popover }
export const ClickDropdown = (props: DropdownProps) => <Dropdown trigger={['click']} {...props} />

export interface MenuPosition {
  readonly x: number
  readonly y: number
  /** Id of the focused element inside. */
  readonly focusedId: string | undefined
}

/** Opens where the mouse was when its code was requested. */
export function ContextDropdown({
  at,
  menu,
  children,
}: {
  readonly at: MenuPosition
  readonly menu: MenuProps
  readonly children: ReactElement<{ ref?: unknown }>
}) {
  const targetRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (at.focusedId) {
      document.getElementById(at.focusedId)?.focus({ preventScroll: true })
    }
    targetRef.current?.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y }),
    )
  }, [at])
  return (
    <Dropdown trigger={['contextMenu']} menu={menu}>
      {cloneElement(children, { ref: targetRef })}
    </Dropdown>
  )
}
