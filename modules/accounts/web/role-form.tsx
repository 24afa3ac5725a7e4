import { useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { act } from '#kit/web/acts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addRole, editRole, oneRole, roleTree, type Role } from '../contract/role.ts'
import { RightsGrid } from './rights-grid.tsx'

const Rights: Control = p => {
  const tree = useCall(roleTree, {}, { quiet: true, project: 0 })
  const value = useMemo(() => new Set((p.value as string[] | undefined) ?? []), [p.value])
  if (tree.isPending)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <Skeleton rows={6} />
      </div>
    )
  if (tree.isError) return <Trouble error={tree.error} retry={() => void tree.refetch()} />
  return <RightsGrid tree={tree.data} value={value} onChange={v => p.onChange([...v].sort())} />
}

/** Menus that move money or power, by their key. */
const useGrave = (): ReadonlySet<string> => {
  const tree = useCall(roleTree, {}, { quiet: true, project: 0 }).data
  return useMemo(
    () => new Set((tree ?? []).flatMap(p => (p.children ?? []).filter(m => m.grave).map(m => m.menuCode))),
    [tree],
  )
}

const menuOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))

/** Rights that do more than look in such a menu. */
const graveAmong = (keys: readonly string[], grave: ReadonlySet<string>): boolean =>
  keys.some(k => grave.has(menuOf(k)) && !/\.(view|export)$/.test(k))

/** A role and its rights: a new one, a copy, or a change that takes effect at once. */
export default function RoleForm() {
  const { search } = useLocation()
  const q = new URLSearchParams(search)
  const id = Number(q.get('id')) || 0
  const copy = Number(q.get('copy')) || 0
  const asked = useCall(oneRole, { id: id || copy }, { enabled: !!(id || copy), quiet: true, fresh: 0 })
  if ((id || copy) && asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if ((id || copy) && !asked.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <Skeleton rows={6} />
      </div>
    )
  return <Form key={`${id}/${copy}`} was={asked.data} copy={copy > 0} />
}

function Form({ was, copy }: { readonly was: Role | undefined; readonly copy: boolean }) {
  const grave = useGrave()
  const tab = useTab()
  const editing = was !== undefined && !copy
  const before = useRef<readonly string[]>(was?.permissions ?? [])
  useTabName(editing ? `编辑 ${was.roleName}` : copy ? `复制 ${was?.roleName}` : undefined)
  const initial = editing
    ? was
    : was
      ? {
          roleName: `${was.roleName} 副本`.slice(0, 40),
          ...(was.roleDesc ? { roleDesc: was.roleDesc } : {}),
          needTotp: was.needTotp,
          permissions: was.permissions ?? [],
        }
      : {}
  // Offered, not forced: it is set as the first grave right is given, and stays as the person then leaves it.
  const groups = useMemo(
    () => [
      { keys: ['roleName', { key: 'roleDesc', wide: true }, { key: 'needTotp', wide: true }] },
      {
        title: '权限',
        keys: [
          {
            key: 'permissions',
            label: '菜单与操作',
            control: Rights,
            wide: true,
            then: (now: readonly string[], all: { readonly permissions?: readonly string[] }) => {
              const first = graveAmong(now, grave) && !graveAmong(before.current, grave)
              before.current = now
              return first && all ? { needTotp: true } : undefined
            },
          },
        ],
      },
    ],
    [grave],
  )
  return (
    <FormPage
      of={editing ? editRole.input : addRole.input}
      title={editing ? `编辑角色「${was.roleName}」` : '新增角色'}
      words={editing ? '保存' : '新增角色'}
      initial={initial as never}
      groups={groups}
      draft={editing ? `role/${was.id}` : 'role/new'}
      save={v => act(editing ? editRole : addRole, v, { quiet: true })}
      load={editing ? async () => (await send(oneRole, { id: was.id })) as never : undefined}
      onDone={a => {
        const r = a as Role
        toast.success(
          editing
            ? `已保存「${r.roleName}」，${was.userCount ? `${was.userCount} 个账号立即生效` : '还没有账号使用'}`
            : `已新增角色「${r.roleName}」`,
        )
        tab.close()
      }}
    />
  )
}
