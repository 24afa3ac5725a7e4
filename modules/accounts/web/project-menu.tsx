import { Button, Switch } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import { menu } from '../module.ts'
import './accounts.css'

/** Which menus the chosen project shows at all; rights stay as they are. */
export default function ProjectMenu() {
  const project = useSession(s => s.project)
  const nearest = useSession(s => s.signed?.nearestProjectCode)
  const projectCode = project?.code ?? nearest ?? ''
  const canEdit = usePermission()(menu.role.permissions.edit)
  const query = useCall(
    getProjectMenu,
    { projectCode },
    { quiet: true, staleMs: 0, enabled: projectCode !== '' && projectCode !== '0' },
  )
  const [on, setOn] = useState<ReadonlyMap<string, boolean>>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (query.data) {
      setOn(new Map(query.data.menus.map(m => [m.menuCode, m.enabled])))
    }
  }, [query.data])
  const saved = useMemo(
    () => new Map((query.data?.menus ?? []).map(m => [m.menuCode, m.enabled])),
    [query.data],
  )
  const changed = on ? [...on].filter(([k, v]) => saved.get(k) !== v) : []
  useUnsaved(changed.length > 0)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !on)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={8} />
      </div>
    )
  const setEnabled = (keys: readonly string[], v: boolean): void =>
    setOn(new Map([...on].map(([k, x]) => [k, keys.includes(k) ? v : x])))
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await sendAndToast(
        setProjectMenu,
        {
          projectCode,
          rules: changed.map(([menuCode, enabled]) => ({ menuCode, enabled })),
        },
        `已保存，「${project?.name ?? projectCode}」的菜单立即生效`,
      )
      await query.refetch()
    } catch {
      /* shown where it failed */
    } finally {
      setBusy(false)
    }
  }
  const modules = [...Map.groupBy(query.data.menus, m => m.moduleName)]
  return (
    // A reader scrolls it by the keys: the switches are disabled and take no focus.
    <div className="sheet-page" {...(canEdit ? {} : { tabIndex: 0 })}>
      <section style={{ maxWidth: 'none' }}>
        <h2>
          项目菜单{project && <small className="absent">{project.name}</small>}
          <span className="spring" />
          {canEdit && (
            <Button type="primary" loading={busy} disabled={!changed.length} onClick={() => void save()}>
              {changed.length ? `保存 ${changed.length} 项` : '保存'}
            </Button>
          )}
        </h2>
        <p className="lead">
          关闭后，选中该项目时所有人均无法查看这些功能；其他项目不受影响。角色中的权限不变，随时可以再打开。
        </p>
        <div className="menu-switches">
          {modules.map(([name, menus]) => {
            const keys = menus.map(m => m.menuCode)
            const count = keys.filter(k => on.get(k)).length
            return (
              <section key={name} aria-label={name}>
                <h3>
                  {name}
                  <small>
                    {count} / {keys.length}
                  </small>
                  <span className="spring" />
                  {canEdit && keys.length > 1 && (
                    <button
                      type="button"
                      className="linkish"
                      onClick={() => setEnabled(keys, count < keys.length)}
                    >
                      {count < keys.length ? '全部打开' : '全部关闭'}
                    </button>
                  )}
                </h3>
                <ul>
                  {menus.map(item => (
                    <li key={item.menuCode}>
                      <label>
                        {item.menuName}
                        <Switch
                          size="small"
                          disabled={!canEdit}
                          checked={on.get(item.menuCode) ?? true}
                          aria-label={`${name} ${item.menuName}`}
                          onChange={v => setEnabled([item.menuCode], v)}
                        />
                      </label>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
      </section>
    </div>
  )
}
