import { menuSections, type MenuSection } from '#kit/contract/module.ts'
import type { JSX } from 'react'
import { Icon, Mark } from '../icons.tsx'

interface Props {
  readonly shown: readonly MenuSection[]
  readonly active: MenuSection | 'favourites' | undefined
  readonly open: (section: MenuSection | 'favourites') => void
  readonly peek: (section: MenuSection | 'favourites' | undefined) => void
}

/**
 * The dark rail: icon and label always; sections without a permitted screen are absent. 收藏 and 设置 are at the
 * bottom.
 */
export function SectionBar({ shown, active, open, peek }: Props) {
  const item = (key: MenuSection | 'favourites', label: string): JSX.Element => (
    <button
      key={key}
      type="button"
      className="rail-item"
      aria-current={active === key ? 'true' : undefined}
      onClick={() => open(key)}
      onMouseEnter={() => peek(key)}
    >
      <Icon name={key === 'favourites' ? 'star' : key} size={22} />
      <span>{label}</span>
    </button>
  )
  return (
    <nav className="rail" aria-label="功能分区" onMouseLeave={() => peek(undefined)}>
      <div className="rail-mark">
        <Mark />
      </div>
      <div className="rail-top">
        {shown.filter(section => section !== 'setting').map(section => item(section, menuSections[section]))}
      </div>
      <div className="rail-end">
        {item('favourites', '收藏')}
        {shown.includes('setting') && item('setting', menuSections.setting)}
      </div>
    </nav>
  )
}
