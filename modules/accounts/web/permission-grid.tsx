import { Input, Switch } from 'antd'
import { useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { permissionFlags, type PermissionFlag } from '#kit/contract/module.ts'
import { useSession } from '#kit/web/session.ts'
import type { MenuNode } from '../contract/permission.ts'
import { CheckMark, PlainCheckbox } from './plain-checkbox.tsx'
import './accounts.css'

const flagKeys = Object.keys(permissionFlags) as PermissionFlag[]

/** Every right of a menu: its four flags and its buttons. */
export const getMenuPermissionKeys = (m: MenuNode): string[] => [
  ...flagKeys.map(f => `${m.menuCode}.${f}`),
  ...(m.buttons ?? []).map(b => `${m.menuCode}.${b.code}`),
]

export const collectAllowedKeys = (tree: readonly MenuNode[]): Set<string> =>
  new Set(
    tree.flatMap(p =>
      (p.children ?? []).flatMap(m => [
        ...flagKeys
          .filter(
            f => m[({ view: 'allowView', add: 'allowAdd', edit: 'allowEdit', del: 'allowDel' } as const)[f]],
          )
          .map(f => `${m.menuCode}.${f}`),
        ...(m.buttonCodes ?? []).map(b => `${m.menuCode}.${b}`),
      ]),
    ),
  )

/** What follows from ticking: to do anything one must see; without seeing nothing can be done (PERM-2). */
export function togglePermissions(
  value: ReadonlySet<string>,
  keys: readonly string[],
  on: boolean,
): Set<string> {
  const next = new Set(value)
  for (const k of keys) {
    const menu = k.slice(0, k.lastIndexOf('.'))
    if (on) {
      next.add(k)
      next.add(`${menu}.view`)
    } else {
      next.delete(k)
      if (k === `${menu}.view`) {
        for (const x of value) {
          if (x.startsWith(`${menu}.`)) {
            next.delete(x)
          }
        }
      }
    }
  }
  return next
}

interface Props {
  readonly tree: readonly MenuNode[]
  readonly value: ReadonlySet<string>
  readonly onChange?: (v: ReadonlySet<string>) => void
}

/**
 * Menus × view, add, edit, delete and buttons, module by module. What one does not have oneself cannot be
 * ticked (PERM-4).
 */
export function PermissionGrid({ tree, value, onChange }: Props) {
  const own = useSession(s => s.rights)
  const [word, setWord] = useState('')
  const [onlyOn, setOnlyOn] = useState(!onChange)
  const lacks = (k: string): string | undefined =>
    own instanceof Set && !own.has(k) ? '你自己没有这项权限，不能授予' : undefined
  const shown = useMemo(
    () =>
      tree
        .map(p => ({
          ...p,
          children: (p.children ?? []).filter(
            m =>
              (!word || `${p.menuName}${m.menuName}`.includes(word.trim())) &&
              (!onlyOn || getMenuPermissionKeys(m).some(k => value.has(k))),
          ),
        }))
        .filter(p => p.children.length),
    [tree, word, onlyOn, value],
  )
  const set = (keys: readonly string[], on: boolean): void =>
    onChange?.(
      togglePermissions(
        value,
        keys.filter(k => !lacks(k)),
        on,
      ),
    )
  const open = (p: MenuNode): boolean =>
    !!word || !onChange || (p.children ?? []).some(m => getMenuPermissionKeys(m).some(k => value.has(k)))
  return (
    <div className="rights">
      <div className="bar">
        <Input.Search
          style={{ width: 220 }}
          placeholder="查找菜单"
          allowClear={allowClear}
          value={word}
          onChange={e => setWord(e.target.value)}
        />
        <label>
          <Switch size="small" checked={onlyOn} onChange={setOnlyOn} aria-label="只看已授权" />
          只看已授权
        </label>
        <span className="spring" />
        <span aria-live="polite">已授权 {value.size} 项</span>
      </div>
      {shown.map(p => {
        const all = p.children.flatMap(getMenuPermissionKeys)
        const on = all.filter(k => value.has(k)).length
        return (
          <details key={p.menuCode} open={open(p)}>
            <summary>
              {onChange && (
                <PlainCheckbox
                  on={on === all.length}
                  half={on > 0}
                  label={`${p.menuName}全部权限`}
                  onChange={v => set(all, v)}
                />
              )}
              {p.menuName}
              <small>
                {on} / {all.length}
              </small>
            </summary>
            <table>
              <thead>
                <tr>
                  <th className="name">菜单</th>
                  {flagKeys.map(f => (
                    <th key={f} className="flag">
                      {permissionFlags[f]}
                    </th>
                  ))}
                  <th>其他操作</th>
                </tr>
              </thead>
              <tbody>
                {p.children.map(m => (
                  <tr key={m.menuCode}>
                    <th scope="row">{m.menuName}</th>
                    {flagKeys.map(f => {
                      const k = `${m.menuCode}.${f}`
                      return (
                        <td key={f} className="flag">
                          {onChange ? (
                            <PlainCheckbox
                              on={value.has(k)}
                              off={lacks(k)}
                              label={`${m.menuName}${permissionFlags[f]}`}
                              onChange={v => set([k], v)}
                            />
                          ) : (
                            <CheckMark on={value.has(k)} />
                          )}
                        </td>
                      )
                    })}
                    <td className="buttons">
                      {(m.buttons ?? []).map(b => {
                        const k = `${m.menuCode}.${b.code}`
                        const off = lacks(k)
                        if (!onChange)
                          return (
                            value.has(k) && (
                              <label key={k}>
                                <CheckMark on />
                                {b.name}
                              </label>
                            )
                          )
                        return (
                          <label key={k} data-off={off}>
                            <PlainCheckbox
                              on={value.has(k)}
                              off={off}
                              label={`${m.menuName}${b.name}`}
                              onChange={v => set([k], v)}
                            />
                            {b.name}
                          </label>
                        )
                      })}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )
      })}
      {!shown.length && (
        <p className="absent">{onlyOn && !word ? '还没有授权任何菜单' : '没有符合条件的菜单'}</p>
      )}
    </div>
  )
}
