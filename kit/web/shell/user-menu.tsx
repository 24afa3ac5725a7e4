import { keysOfRecord } from '#kit/domain/records.ts'
import type { MenuProps } from 'antd'
import { useNavigate } from 'react-router'
import { confirm } from '../confirm.tsx'
import { DropdownMenu } from '../dropdown.tsx'
import { hasDrafts } from '../form/drafts.ts'
import { Icon } from '../icons.tsx'
import { queryClient } from '../query.ts'
import { leaveSession, usePermission, useSession } from '../session.ts'
import { appearances, densities, useAppearance, useDensity } from '../theme/appearance.ts'
import { useHost } from './host.ts'
import { unsavedTabs } from './open-pages.ts'

const profilePath = '/setting/permission/personcenter'

export function UserMenu({ openShortcuts }: { readonly openShortcuts: () => void }) {
  const host = useHost()
  const manager = useSession(s => s.signed?.manager)
  const hasPermission = usePermission()
  const navigate = useNavigate()
  const [appearance, setAppearance] = useAppearance()
  const [density, setDensity] = useDensity()
  const profileScreen = host.screens.find(profilePath)
  const confirmSignOut = async (): Promise<void> => {
    const dirty = unsavedTabs()
    if (
      dirty.length &&
      !(await confirm({
        title: `有 ${dirty.length} 个页面未保存`,
        ...(await import('./unsaved-warnings.ts')).signOutWarning(dirty, hasDrafts),
        cancelLabel: '继续编辑',
      }))
    )
      return
    // The token expires in any case.
    const onward = await host.signOut().catch(() => undefined)
    leaveSession()
    queryClient.clear()
    if (onward === undefined) {
      void navigate('/login', { replace: true })
    } else {
      location.replace(onward)
    }
  }
  const menu = (): MenuProps => ({
    selectedKeys: [`appearance.${appearance}`, `density.${density}`],
    items: [
      { key: 'who', type: 'group', label: `${manager?.companyName ?? ''} · ${manager?.loginCode ?? ''}` },
      ...(profileScreen && hasPermission(profileScreen.needs) ? [{ key: 'centre', label: '个人中心' }] : []),
      {
        key: 'look',
        label: '外观',
        children: keysOfRecord(appearances).map(k => ({
          key: `appearance.${k}`,
          label: appearances[k],
          onClick: () => setAppearance(k),
        })),
      },
      {
        key: 'density',
        label: '列表密度',
        children: keysOfRecord(densities).map(k => ({
          key: `density.${k}`,
          label: densities[k],
          onClick: () => setDensity(k),
        })),
      },
      { key: 'keys', label: '快捷键', extra: '?' },
      { type: 'divider' },
      { key: 'switch', label: '切换账号' },
      { key: 'leave', label: '退出' },
      { type: 'divider' },
      { key: 'version', type: 'group', label: `版本 ${host.version}` },
    ],
    onClick: ({ key }) => {
      if (key === 'centre') {
        void navigate(profilePath)
      } else if (key === 'keys') {
        openShortcuts()
      } else if (key === 'switch' || key === 'leave') {
        void confirmSignOut()
      }
    },
  })
  return (
    <DropdownMenu placement="bottomRight" menu={menu}>
      <button type="button" className="user">
        <span className="user-face" aria-hidden="true">
          {[...(manager?.realName ?? '')].at(-1)}
        </span>
        <span className="user-name ellipsis">{manager?.realName}</span>
        <span className="aloud">，账号菜单</span>
        <Icon name="down" size={14} />
      </button>
    </DropdownMenu>
  )
}
