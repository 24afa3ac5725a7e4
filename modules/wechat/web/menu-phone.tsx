import { PlusOutlined } from '@ant-design/icons'
import type { MenuButton } from '../contract/menu.ts'
import type { MenuPlace } from '../domain/menu-edit.ts'

interface MenuPhoneProps {
  readonly name: string
  readonly buttons: readonly MenuButton[]
  readonly place: MenuPlace | undefined
  readonly onPlace: (place: MenuPlace) => void
  readonly onAdd?: () => void
  readonly onAddChild?: (index: number) => void
  readonly canAddChild: (index: number) => boolean
}

/** The menu as a phone shows it: the open button's own ones stand above it. */
export function MenuPhone({ name, buttons, place, onPlace, onAdd, onAddChild, canAddChild }: MenuPhoneProps) {
  const open = place?.[0]
  return (
    <section className="wx-phone" aria-label="手机预览">
      <h3>{name}</h3>
      <div className="wx-phone-body" />
      <ul className="wx-bar">
        {buttons.map((button, index) => (
          <li key={index}>
            {open === index && (
              <ul className="wx-children">
                {(button.children ?? []).map((child, i) => (
                  <li key={i}>
                    <button type="button" aria-pressed={place?.[1] === i} onClick={() => onPlace([index, i])}>
                      {child.name || '未命名'}
                    </button>
                  </li>
                ))}
                {onAddChild && canAddChild(index) && (
                  <li>
                    <button type="button" aria-label="添加子菜单" onClick={() => onAddChild(index)}>
                      <PlusOutlined />
                    </button>
                  </li>
                )}
              </ul>
            )}
            <button
              type="button"
              aria-pressed={open === index && place?.length === 1}
              onClick={() => onPlace([index])}
            >
              {button.name || '未命名'}
            </button>
          </li>
        ))}
        {onAdd && (
          <li>
            <button type="button" aria-label="添加菜单" onClick={onAdd}>
              <PlusOutlined />
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}
