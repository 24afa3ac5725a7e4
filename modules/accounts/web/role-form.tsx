import { readTexts } from '#kit/web/controls/read-value.ts'
import { parseId } from '#kit/domain/id.ts'
import { Select } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { RecordFailure } from '#kit/web/record-failure.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import {
  addRole,
  editRole,
  getRole,
  getRoleMenuTree,
  listRoleTemplates,
  type Role,
} from '../contract/role.ts'
import { PermissionGrid } from './permission-grid.tsx'

const PermissionsControl: Control = props => {
  const tree = useCall(getRoleMenuTree, {}, { quiet: true, project: 0 })
  const value = useMemo(() => new Set(readTexts(props.value)), [props.value])
  if (tree.isPending)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  if (tree.isError) return <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
  return <PermissionGrid tree={tree.data} value={value} onChange={v => props.onChange([...v].toSorted())} />
}

/** What a new role may begin as; its name and description stay as they were typed. */
function TemplatePicker({ onChoose }: { readonly onChoose: (permissions: readonly string[]) => void }) {
  const templates = useCall(listRoleTemplates, undefined, { quiet: true, project: 0 })
  const [chosen, setChosen] = useState<string>()
  const optionsOf = (isPreset: boolean) =>
    (templates.data ?? [])
      .filter(template => template.isPreset === isPreset)
      .map(({ name, permissions }) => ({ value: name, label: `${name}（${permissions.length} 项）` }))
  const groups = [
    { label: '岗位模板', options: optionsOf(true) },
    { label: '已有角色', options: optionsOf(false) },
  ]
  return (
    <p className="role-template">
      <label htmlFor="role-template">从模板或已有角色复制权限</label>
      <Select
        id="role-template"
        style={{ width: 240 }}
        placeholder="请选择角色"
        showSearch={{ optionFilterProp: 'label' }}
        loading={templates.isPending}
        options={groups.filter(group => group.options.length)}
        value={chosen}
        onChange={name => {
          setChosen(name)
          onChoose(templates.data?.find(template => template.name === name)?.permissions ?? [])
        }}
      />
    </p>
  )
}

const NewPermissionsControl: Control = props => (
  <>
    <TemplatePicker onChoose={props.onChange} />
    <PermissionsControl {...props} />
  </>
)

/** Menus that move money or power, by their key. */
const useSensitiveMenus = (): ReadonlySet<string> => {
  const tree = useCall(getRoleMenuTree, {}, { quiet: true, project: 0 }).data
  return useMemo(
    () =>
      new Set((tree ?? []).flatMap(p => (p.children ?? []).filter(m => m.sensitive).map(m => m.menuCode))),
    [tree],
  )
}

const getMenuCode = (key: string): string => key.slice(0, key.lastIndexOf('.'))

/** Rights that do more than look in such a menu. */
const hasSensitivePermission = (keys: readonly string[], sensitiveMenus: ReadonlySet<string>): boolean =>
  keys.some(k => sensitiveMenus.has(getMenuCode(k)) && !/\.(view|export)$/.test(k))

/** A role and its rights: a new one, a copy, or a change that takes effect at once. */
export default function RoleForm() {
  const { search } = useLocation()
  const params = new URLSearchParams(search)
  const id = parseId(params.get('id'))
  const copy = parseId(params.get('copy'))
  const query = useCall(
    getRole,
    { id: id || copy },
    { enabled: Boolean(id || copy), quiet: true, staleMs: 0 },
  )
  if ((id || copy) && query.isError)
    return <RecordFailure error={query.error} onRetry={() => void query.refetch()} />
  if ((id || copy) && !query.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  return <RoleEditForm key={`${id}/${copy}`} was={query.data} copy={copy > 0} />
}

function RoleEditForm({ was: original, copy }: { readonly was: Role | undefined; readonly copy: boolean }) {
  const sensitiveMenus = useSensitiveMenus()
  const tab = useTab()
  const editing = original !== undefined && !copy
  const before = useRef<readonly string[]>(original?.permissions ?? [])
  useTabTitle(editing ? `编辑 ${original.roleName}` : copy ? `复制 ${original?.roleName}` : '新增角色')
  const initial = editing
    ? original
    : original
      ? {
          roleName: `${original.roleName} 副本`.slice(0, 40),
          ...(original.roleDesc ? { roleDesc: original.roleDesc } : {}),
          needTotp: original.needTotp,
          permissions: original.permissions ?? [],
        }
      : {}
  // Offered, not forced: it is set as the first sensitive right is given, and stays as the person then
  // leaves it.
  const groups = useMemo(
    () => [
      { keys: ['roleName', 'roleDesc', { key: 'needTotp', wide: true }] },
      {
        title: '权限',
        keys: [
          {
            key: 'permissions',
            label: '菜单与操作',
            control: editing ? PermissionsControl : NewPermissionsControl,
            deriveValues: (now: readonly string[], all: { readonly permissions?: readonly string[] }) => {
              const isFirst =
                hasSensitivePermission(now, sensitiveMenus) &&
                !hasSensitivePermission(before.current, sensitiveMenus)
              before.current = now
              return isFirst && all ? { needTotp: true } : undefined
            },
          },
        ],
      },
    ],
    [editing, sensitiveMenus],
  )
  return (
    <FormPage
      shape={editing ? editRole.input : addRole.input}
      title={editing ? `编辑角色「${original.roleName}」` : '新增角色'}
      submitLabel={editing ? '保存' : '新增角色'}
      initial={initial}
      groups={groups}
      draftKey={editing ? `role/${original.id}` : 'role/new'}
      save={v => sendAndInvalidate(editing ? editRole : addRole, v, { quiet: true })}
      loadCurrent={editing ? async () => await send(getRole, { id: original.id }) : undefined}
      onDone={result => {
        const row = result
        toast.success(
          editing
            ? `已保存「${row.roleName}」，${original.userCount ? `${original.userCount} 个账号立即生效` : '暂无账号使用'}`
            : `已新增角色「${row.roleName}」`,
        )
        tab.close()
      }}
    />
  )
}
