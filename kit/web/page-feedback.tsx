import { useEffect, useState, type ReactNode } from 'react'
import { navigateTo } from './navigation.ts'
import { Icon } from './icons.tsx'
import { PageReady } from './progress.tsx'
import { useSession } from './session.ts'

/** Nothing here: one sentence, one action. */
export const Empty = ({ text, action }: { readonly text: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p>{text}</p>
    {action && <p className="empty-actions">{action}</p>}
  </div>
)

/** A page without the permission: says whom to ask. */
export function NoPermission({
  title,
  label,
}: {
  readonly title: string
  /** What the permission is called. */
  readonly label?: string | undefined
}) {
  const granter = useSession(x => x.signed?.manager.granter) ?? '管理员'
  return (
    <div className="empty" role="alert">
      <Icon name="lock" size={28} />
      <p className="empty-title">无权查看「{title}」</p>
      <p>{label ? `需要「${label}」权限，请联系${granter}授权` : `请联系${granter}开通`}</p>
      <p className="empty-actions">
        <button type="button" className="linkish" onClick={() => navigateTo('/work')}>
          返回工作台
        </button>
      </p>
      <PageReady />
    </div>
  )
}

/** Placeholder bars, after 200 ms: what loads sooner needs none. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }) {
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const t = setTimeout(() => setVisible(true), 200)
    return () => clearTimeout(t)
  }, [])
  return (
    <div className="skeleton" aria-busy="true" aria-label="正在加载">
      {isVisible &&
        Array.from({ length: rows }, (_, i) => (
          <div key={i}>
            <i style={{ width: `${[32, 46, 28, 40][i % 4]}%` }} />
          </div>
        ))}
    </div>
  )
}
