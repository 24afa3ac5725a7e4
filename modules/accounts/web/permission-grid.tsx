import { keysOfRecord } from '#kit/domain/records.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { Switch } from 'antd'
import { useMemo, useState } from 'react'
import { permissionFlags } from '#kit/contract/module.ts'
import { useSession } from '#kit/web/session.ts'
import type { MenuNode } from '../contract/permission.ts'
import { CheckMark, PlainCheckbox } from './plain-checkbox.tsx'
import './accounts.css'

const flagKeys = keysOfRecord(permissionFlags)

/** The permissions of a menu: its four flags and its buttons. */
export const getMenuPermissionKeys = (m: MenuNode): string[] => [
  ...flagKeys.map(f => `${m.menuCode}.${f}`),
  ...(m.buttons ?? []).map(b => `${m.menuCode}.${b.code}`),
]

export const collectAllowedKeys = (tree: readonly MenuNode[]): Set<string> =>
  new Set(
    tree.flatMap(page =>
      (page.children ?? []).flatMap(menu => [
        ...flagKeys
          .filter(
            f =>
              menu[({ view: 'allowView', add: 'allowAdd', edit: 'allowEdit', del: 'allowDel' } as const)[f]],
          )
          .map(f => `${menu.menuCode}.${f}`),
        ...(menu.buttonCodes ?? []).map(b => `${menu.menuCode}.${b}`),
      ]),
    ),
  )

/** Grants or takes permissions: any of them includes view, and without view there is none (PERM-2). */
export function togglePermissions(
  value: ReadonlySet<string>,
  keys: readonly string[],
  on: boolean,
): Set<string> {
  const next = new Set(value)
  for (const permission of keys) {
    const menu = permission.slice(0, permission.lastIndexOf('.'))
    if (on) {
      next.add(permission)
      next.add(`${menu}.view`)
    } else {
      next.delete(permission)
      if (permission === `${menu}.view`) {
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

interface ModulePermissionsProps {
  readonly node: MenuNode
  readonly isOpen: boolean
  readonly value: ReadonlySet<string>
  /** Why a permission cannot be granted, or nothing. */
  readonly whyLocked: (key: string) => string | undefined
  /** Absent where the grid only shows. */
  readonly onToggle: ((keys: readonly string[], on: boolean) => void) | undefined
}

function ModulePermissions({ node, isOpen, value, whyLocked, onToggle }: ModulePermissionsProps) {
  const menus = node.children ?? []
  const keys = menus.flatMap(getMenuPermissionKeys)
  const granted = keys.filter(key => value.has(key)).length
  return (
    <div className="module" data-editable={onToggle !== undefined}>
      {onToggle && (
        <PlainCheckbox
          on={granted === keys.length}
          half={granted > 0}
          label={`${node.menuName}全部权限`}
          onChange={on => onToggle(keys, on)}
        />
      )}
      <details open={isOpen}>
        <summary>
          {node.menuName}
          <small>
            {granted} / {keys.length}
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
            {menus.map(menu => (
              <MenuPermissions
                key={menu.menuCode}
                menu={menu}
                value={value}
                whyLocked={whyLocked}
                onToggle={onToggle}
              />
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

type MenuPermissionsProps = Pick<ModulePermissionsProps, 'value' | 'whyLocked' | 'onToggle'> & {
  readonly menu: MenuNode
}

function MenuPermissions({ menu, value, whyLocked, onToggle }: MenuPermissionsProps) {
  return (
    <tr>
      <th scope="row">{menu.menuName}</th>
      {flagKeys.map(flagKey => {
        const key = `${menu.menuCode}.${flagKey}`
        return (
          <td key={flagKey} className="flag">
            {onToggle ? (
              <PlainCheckbox
                on={value.has(key)}
                off={whyLocked(key)}
                label={`${menu.menuName}${permissionFlags[flagKey]}`}
                onChange={on => onToggle([key], on)}
              />
            ) : (
              <CheckMark on={value.has(key)} />
            )}
          </td>
        )
      })}
      <td className="buttons">
        {(menu.buttons ?? []).map(button => {
          const key = `${menu.menuCode}.${button.code}`
          const locked = whyLocked(key)
          if (!onToggle)
            return (
              value.has(key) && (
                <label key={key}>
                  <CheckMark on />
                  {button.name}
                </label>
              )
            )
          return (
            <label key={key} data-off={locked}>
              <PlainCheckbox
                on={value.has(key)}
                off={locked}
                label={`${menu.menuName}${button.name}`}
                onChange={on => onToggle([key], on)}
              />
              {button.name}
            </label>
          )
        })}
      </td>
    </tr>
  )
}

interface Props {
  readonly tree: readonly MenuNode[]
  readonly value: ReadonlySet<string>
  readonly onChange?: (v: ReadonlySet<string>) => void
}

/**
 * Menus × view, add, edit, delete and buttons, module by module. Permissions that the caller lacks cannot be
 * granted (PERM-4).
 */
export function PermissionGrid({ tree, value, onChange }: Props) {
  const own = useSession(s => s.rights)
  const [word, setWord] = useState('')
  const [onlyOn, setOnlyOn] = useState(!onChange)
  const whyLocked = (k: string): string | undefined =>
    own instanceof Set && !own.has(k) ? '你自己没有这项权限，不能授予' : undefined
  const shown = useMemo(
    () =>
      tree
        .map(page => ({
          ...page,
          children: (page.children ?? []).filter(
            m =>
              (!word || `${page.menuName}${m.menuName}`.includes(word.trim())) &&
              (!onlyOn || getMenuPermissionKeys(m).some(k => value.has(k))),
          ),
        }))
        .filter(p => p.children.length),
    [tree, word, onlyOn, value],
  )
  const toggle = (keys: readonly string[], on: boolean): void =>
    onChange?.(
      togglePermissions(
        value,
        keys.filter(k => !whyLocked(k)),
        on,
      ),
    )
  const isOpen = (p: MenuNode): boolean =>
    Boolean(word) ||
    !onChange ||
    (p.children ?? []).some(m => getMenuPermissionKeys(m).some(k => value.has(k)))
  return (
    <div className="rights">
      <div className="bar">
        <SearchInput
          style={{ width: 220 }}
          aria-label="查找菜单"
          placeholder="查找菜单"
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
      {shown.map(moduleNode => (
        <ModulePermissions
          key={moduleNode.menuCode}
          node={moduleNode}
          isOpen={isOpen(moduleNode)}
          value={value}
          whyLocked={whyLocked}
          onToggle={onChange && toggle}
        />
      ))}
      {!shown.length && <p className="absent">{onlyOn && !word ? '尚未授权任何菜单' : '无符合条件的菜单'}</p>}
    </div>
  )
}
