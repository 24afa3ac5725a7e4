import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { paths } from './paths.ts'
import './accounts.css'

/** Everything that can be set, on one page, as far as one may. */
export default function SettingHome() {
  const { screens } = useHost()
  const hasPermission = usePermission()
  return (
    <div className="setting-home">
      {screens.groups('setting', hasPermission).map(group => {
        const others = group.screens.filter(s => s.path !== paths.settingHome)
        return others.length ? (
          <section key={group.title}>
            <h2>{group.title}</h2>
            {others.map(screen => (
              <a
                key={screen.path}
                href={screen.path}
                onClick={e => {
                  e.preventDefault()
                  navigateTo(screen.path)
                }}
              >
                {screen.title}
              </a>
            ))}
          </section>
        ) : null
      })}
    </div>
  )
}
