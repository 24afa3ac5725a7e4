import { Tag } from 'antd'
import { createReasonAction, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { download } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import {
  addJobRoles,
  deleteRoles,
  listRoles,
  exportPermissionReport,
  role,
  type Role,
} from '../contract/role.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

const listColumns = buildColumns(role, [
  {
    key: 'roleName',
    render: row => (
      <button type="button" className="linkish" onClick={() => navigateTo(`${paths.role}?id=${row.id}`)}>
        {row.roleName}
      </button>
    ),
    identity: true,
  },
  { key: 'builtIn', render: r => (r.builtIn ? <Tag>内置</Tag> : null), text: r => (r.builtIn ? '内置' : '') },
  'roleDesc',
  { key: 'userCount' },
  { key: 'needTotp', width: 108, hidePriority: 1 },
  {
    key: 'size',
    title: '权限',
    width: 100,
    align: 'right',
    render: r => (r.everything ? '全部' : `${r.permissions?.length ?? 0} 项`),
    text: r => (r.everything ? '全部' : `${r.permissions?.length ?? 0} 项`),
  },
])

const whyReadOnly = (r: Role): string | undefined =>
  r.builtIn ? '内置角色不能修改或删除；可复制后修改' : undefined

const deleteAction = createReasonAction(deleteRoles, {
  unit: '个角色',
  nameOf: (r: Role) => r.roleName,
  disabledReason: r => whyReadOnly(r) ?? (r.userCount ? `还有 ${r.userCount} 个账号在用` : undefined),
})

async function addMissingJobRoles(): Promise<void> {
  const { names } = await sendAndInvalidate(addJobRoles, undefined)
  toast.success(names.length ? `已添加岗位角色：${names.join('、')}` : '岗位角色已齐全')
}

/** Roles: sets of rights that accounts are given. */
export default function Roles() {
  return (
    <ListPage
      list={listRoles}
      itemName="角色"
      columns={listColumns}
      filters={[]}
      batchActions={[deleteAction.batch]}
      unselectableReason={whyReadOnly}
      primaryAction={{
        label: '新增角色',
        needs: menu.role.permissions.add,
        run: () => navigateTo(paths.editRole),
      }}
      toolbarActions={[
        {
          label: '添加岗位角色',
          needs: menu.role.permissions.add,
          run: addMissingJobRoles,
        },
        {
          label: '导出权限报表',
          needs: menu.role.permissions.export,
          run: () => download(exportPermissionReport, undefined, '权限报表.xlsx'),
        },
      ]}
      rowActions={row => [
        {
          label: '编辑',
          needs: menu.role.permissions.edit,
          disabledReason: whyReadOnly(row),
          run: () => navigateTo(`${paths.editRole}?id=${row.id}`),
        },
        { label: '查看', run: () => navigateTo(`${paths.role}?id=${row.id}`) },
        {
          label: '复制',
          needs: menu.role.permissions.add,
          run: () => navigateTo(`${paths.editRole}?copy=${row.id}`),
        },
        deleteAction.row(row),
      ]}
    />
  )
}
