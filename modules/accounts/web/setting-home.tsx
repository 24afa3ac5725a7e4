import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import './accounts.css'

/** Everything that can be set, on one page, as far as one may. */
export default function SettingHome() {
  const { screens } = useHost()
  const hasPermission = usePermission()
  return (
    <div className="setting-home">
      {screens.groups('setting', hasPermission).map(g => {
        const others = g.screens.filter(s => s.path !== '/setting/indexSetting')
        return others.length ? (
          <section key={g.title}>
            <h2>{g.title}</h2>
            {others.map(s => (
              <a
                key={s.path}
                href={s.path}
                onClick={e => {
                  e.preventDefault()
                  navigateTo(s.path)
                }}
              >
                {s.title}
              </a>
            ))}
          </section>
        ) : null
      })}
    </div>
  )
}
