import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useLocation } from 'react-router'
import type { Permission } from '#kit/contract/call.ts'
import { menuSections } from '#kit/contract/module.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { History } from '#kit/web/detail/history.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { InvalidAddress, RecordFailure } from '#kit/web/record-failure.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { useTabTitle } from '#kit/web/tab.ts'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { listManagers, manager } from '../contract/manager.ts'
import { getRole, getRoleMenuTree } from '../contract/role.ts'
import { menu } from '../module.ts'
import { PermissionGrid, collectAllowedKeys } from './permission-grid.tsx'
import { paths } from './paths.ts'

/** See as this role: the menu as somebody with this role alone would find it. */
function VisibleScreens({ keys }: { readonly keys: ReadonlySet<string> }) {
  const { screens } = useHost()
  const isGranted = (p: Permission | undefined): boolean => !p || keys.has(p.key)
  return (
    <div className="seen">
      {screens.domains(isGranted).map(domain => {
        const groups = screens.groups(domain, isGranted)
        return groups.length ? (
          <section key={domain}>
            <h3>{menuSections[domain]}</h3>
            {groups.map(group => (
              <div key={group.title}>
                <h4>{group.title}</h4>
                <ul>
                  {group.screens.map(s => (
                    <li key={s.path}>{s.title}</li>
                  ))}
                </ul>
              </div>
            ))}
          </section>
        ) : null
      })}
    </div>
  )
}

const managerColumns = buildColumns(manager, [
  { key: 'realName', width: 96 },
  'loginCode',
  'managerType',
  { key: 'place', width: 110 },
  'lastLoginTime',
  'state',
])

export default function RoleDetail() {
  const { search } = useLocation()
  const id = parseId(new URLSearchParams(search).get('id'))
  const hasPermission = usePermission()
  const one = useCall(getRole, { id }, { quiet: true, project: 0, enabled: id > 0 })
  const tree = useCall(getRoleMenuTree, { ids: [String(id)] }, { quiet: true, project: 0, enabled: id > 0 })
  useTabTitle(one.data?.roleName)
  if (id <= 0) return <InvalidAddress />
  if (one.isError || tree.isError)
    return (
      <RecordFailure
        error={defined(one.error ?? tree.error)}
        onRetry={() => {
          void one.refetch()
          void tree.refetch()
        }}
      />
    )
  if (!one.data || !tree.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const row = one.data
  const keys = collectAllowedKeys(tree.data)
  return (
    <div className="sheet-page">
      <section style={{ maxWidth: 'none' }}>
        <h2>
          {row.roleName}
          <span className="spring" />
          {hasPermission(menu.role.permissions.add) && (
            <Button onClick={() => navigateTo(`${paths.editRole}?copy=${id}`)}>复制</Button>
          )}
          {hasPermission(menu.role.permissions.edit) && (
            <Button
              type="primary"
              disabled={row.builtIn}
              title={row.builtIn ? '内置角色不能修改；可复制后修改' : undefined}
              onClick={() => navigateTo(`${paths.editRole}?id=${id}`)}
            >
              编辑
            </Button>
          )}
        </h2>
        <p className="lead">
          {row.roleDesc ?? '暂无说明'}
          {row.everything && '。该角色自动拥有以后新增的功能。'}
        </p>
        <LazyTabs
          items={[
            {
              key: 'rights',
              label: `权限 ${row.everything ? '全部' : keys.size}`,
              children: <PermissionGrid tree={tree.data} value={keys} />,
            },
            { key: 'seen', label: '以此角色预览菜单', children: <VisibleScreens keys={keys} /> },
            ...(hasPermission(menu.manager.permissions.view)
              ? [
                  {
                    key: 'people',
                    label: `使用者 ${row.userCount ?? 0}`,
                    children: (
                      <ListPage
                        embedded
                        list={listManagers}
                        itemName="使用者"
                        columns={managerColumns}
                        filters={[]}
                        fixedFilter={{ roleId: id }}
                        settingsKey="role-people"
                      />
                    ),
                  },
                ]
              : []),
            { key: 'history', label: '变更', children: <History entity="role" id={id} /> },
          ]}
        />
      </section>
    </div>
  )
}
