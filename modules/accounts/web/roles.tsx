import { Tag } from 'antd'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { download } from '#kit/web/send.ts'
import { deleteRoles, listRoles, rightsReport, role, type Role } from '../contract/role.ts'
import { menu } from '../module.ts'

const base = '/setting/permission/rolelist'

const table = columns(role, [
  {
    key: 'roleName',
    render: r => (
      <button type="button" className="linkish" onClick={() => go(`${base}/roledetail?id=${r.id}`)}>
        {r.roleName}
      </button>
    ),
    identity: true,
  },
  { key: 'builtIn', render: r => (r.builtIn ? <Tag>内置</Tag> : null), text: r => (r.builtIn ? '内置' : '') },
  'roleDesc',
  { key: 'userCount' },
  { key: 'needTotp', width: 108, drop: 1 },
  {
    key: 'size',
    title: '权限',
    width: 100,
    align: 'right',
    render: r => (r.everything ? '全部' : `${r.permissions?.length ?? 0} 项`),
    text: r => (r.everything ? '全部' : `${r.permissions?.length ?? 0} 项`),
  },
])

const why = (r: Role): string | undefined =>
  r.builtIn ? '内置角色不能修改或删除；可以复制一份再改' : undefined

const remove = withReason(deleteRoles, {
  what: '个角色',
  name: (r: Role) => r.roleName,
  why: r => why(r) ?? (r.userCount ? `还有 ${r.userCount} 个账号在用` : undefined),
})

/** Roles: sets of rights that accounts are given. */
export default function Roles() {
  return (
    <ListPage
      list={listRoles}
      what="角色"
      columns={table}
      filters={[]}
      batch={[remove.batch]}
      untickable={why}
      primary={{ label: '新增角色', may: menu.role.may.add, run: () => go(`${base}/editrole`) }}
      tools={[
        {
          label: '导出权限报表',
          may: menu.role.may.export,
          run: () => download(rightsReport, undefined, '权限报表.xlsx'),
        },
      ]}
      row={r => [
        { label: '编辑', may: menu.role.may.edit, why: why(r), run: () => go(`${base}/editrole?id=${r.id}`) },
        { label: '查看', run: () => go(`${base}/roledetail?id=${r.id}`) },
        { label: '复制', may: menu.role.may.add, run: () => go(`${base}/editrole?copy=${r.id}`) },
        remove.row(r),
      ]}
    />
  )
}
