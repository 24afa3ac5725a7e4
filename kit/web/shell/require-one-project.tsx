import { Link } from 'react-router'
import { Icon } from '../icons.tsx'
import { PageReady } from '../progress.tsx'
import { usePermission, useSession } from '../session.ts'
import { workbench } from '../workbench.ts'
import { useHost } from './host.ts'
import { describeNoProject } from './no-project.ts'
import { allProjects, switchProject, useProjects } from './project-switch.tsx'
import { recentProjects } from './recents.ts'

/** Without any project a page of one leads to where the first is made, or says who assigns one. */
function NoProjectYet() {
  const hasPermission = usePermission()
  const firstRun = workbench.firstRun()
  const manager = useSession(s => s.signed?.manager)
  const { title, hint } = describeNoProject(manager)
  return (
    <div className="empty">
      <Icon name="building" size={28} />
      <p className="empty-title">{title}</p>
      {firstRun && manager?.allProject !== false && hasPermission(firstRun.needs) ? (
        <p className="empty-acts">
          <Link to={firstRun.path}>初始化向导</Link>
        </p>
      ) : (
        <p>{hint}</p>
      )}
      <PageReady />
    </div>
  )
}

/** Shown by a page of one project while 全部项目 is chosen, or none is there. */
export function RequireOneProject({ title }: { readonly title: string }) {
  const { all } = useProjects()
  const host = useHost()
  const recentCodes = recentProjects()
  const maxShown = 8
  if (all?.length === 0) return <NoProjectYet />
  const shown = [...(all ?? [])]
    .toSorted(
      (a, b) => (recentCodes.indexOf(b.code) >= 0 ? 1 : 0) - (recentCodes.indexOf(a.code) >= 0 ? 1 : 0),
    )
    .slice(0, maxShown)
  return (
    <div className="empty">
      <Icon name="building" size={28} />
      <p className="empty-title">「{title}」一次只能看一个项目</p>
      <p>{(all?.length ?? 0) > maxShown ? '请选择一个项目，其他项目在左上角切换' : '请选择一个项目'}</p>
      <p className="empty-actions pick">
        {shown.map(project => (
          <button
            type="button"
            key={project.code}
            className="linkish"
            onClick={() => void switchProject(project, allProjects, host.rememberProject)}
          >
            {project.name}
          </button>
        ))}
      </p>
      <PageReady />
    </div>
  )
}
