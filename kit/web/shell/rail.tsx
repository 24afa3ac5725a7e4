import { menuSections, type MenuSection } from '#kit/contract/module.ts'
import type { JSX } from 'react'
import { Icon, Mark } from '../icons.tsx'

interface Props {
  readonly shown: readonly MenuSection[]
  readonly active: MenuSection | 'favourites' | undefined
  readonly open: (d: MenuSection | 'favourites') => void
  readonly peek: (d: MenuSection | 'favourites' | undefined) => void
}

/**
 * The dark rail: icon and word always; domains without a permitted screen are absent. 收藏 and 设置 stand at the
 * bottom.
 */
export function Rail({ shown, active, open, peek }: Props) {
  const item = (key: MenuSection | 'favourites', word: string): JSX.Element => (
    <button
      key={key}
      type="button"
      className="rail-item"
      aria-current={active === key ? 'true' : undefined}
      onClick={() => open(key)}
      onMouseEnter={() => peek(key)}
    >
      <Icon name={key === 'favourites' ? 'star' : key} size={22} />
      <span>{word}</span>
    </button>
  )
  return (
    <nav className="rail" aria-label="功能分区" onMouseLeave={() => peek(undefined)}>
      <div className="rail-mark">
        <Mark />
      </div>
      <div className="rail-top">{shown.filter(d => d !== 'setting').map(d => item(d, menuSections[d]))}</div>
      <div className="rail-end">
        {item('favourites', '收藏')}
        {shown.includes('setting') && item('setting', menuSections.setting)}
      </div>
    </nav>
  )
}
