import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { confirm } from '../confirm.tsx'
import { PopoverPanel } from '../dropdown.tsx'
import { Icon } from '../icons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { chooseProject, useSession, type Project } from '../session.ts'
import { rememberProjectChoice } from './recents.ts'
import { toast } from '../toast.ts'
import { useHost } from './host.ts'
import { describeNoProject } from './no-project.ts'
import { judgeProjectRequest } from './requested-project.ts'
import { unsavedTabs, openPages } from './open-pages.ts'
import type { ModuleScreen } from './screen-map.ts'

export const allProjects: Project = { code: '0', name: '全部项目' }

/** The projects of the person's data domain. */
export function useProjects(): {
  readonly all: readonly Project[] | undefined
  readonly current: Project | undefined
} {
  const host = useHost()
  const chosen = useSession(s => s.project)
  const nearest = useSession(s => s.signed?.nearestProjectCode)
  const userId = useSession(s => s.signed?.manager.id)
  const { data: all } = useQuery({
    queryKey: ['projects', userId],
    queryFn: ({ signal }) => host.projects(signal),
    staleTime: 300_000,
    meta: { entities: ['estate'] },
  })
  const code = chosen?.code ?? nearest
  return {
    all,
    current:
      code === allProjects.code
        ? allProjects
        : (all?.find(p => p.code === code) ?? (chosen?.name ? chosen : all?.[0])),
  }
}

/** Leaving a project with unsaved pages open asks first: what was typed belongs to that project. */
export async function switchProject(
  to: Project,
  from: Project | undefined,
  remember: (code: string) => Promise<unknown>,
): Promise<void> {
  if (to.code === from?.code) return
  const dirty = unsavedTabs()
  if (dirty.length) {
    const names = dirty
      .slice(0, 3)
      .map(t => `「${t.title}」`)
      .join('')
    if (
      !(await confirm({
        title: '切换项目前请先处理未保存的页面',
        text: `${names}${dirty.length > 3 ? `等 ${dirty.length} 个页面` : ''}属于「${from?.name ?? '当前项目'}」，切换后这些页面会关闭，未保存的内容会丢失。`,
        okLabel: `放弃修改并切换到 ${to.name}`,
        cancelLabel: '继续编辑',
        danger: true,
      }))
    )
      return
    openPages.close(dirty.map(t => t.key))
  }
  chooseProject(to)
  if (to.code !== allProjects.code) {
    rememberProjectChoice(to.code)
    remember(to.code).catch(() => {
      /* only the next sign-in would use it */
    })
  }
}

const ProjectChooser = lazyComponent(
  async () => (await import('./project-chooser.tsx')).ProjectChooser,
  <div className="choose-project" />,
)

function NoProjectNote() {
  const { title, hint } = describeNoProject(useSession(s => s.signed?.manager))
  return (
    <span className="project none" title={hint}>
      {title}
    </span>
  )
}

/** The estate switcher: search by name or pinyin, the last three on top, 全部项目 where the screen can. */
export function ProjectSwitch({ screen: currentScreen }: { readonly screen: ModuleScreen | undefined }) {
  const { all, current } = useProjects()
  const [open, setOpen] = useState(false)
  const chosen = useSession(s => s.project)
  const host = useHost()
  const location = useLocation()
  const navigate = useNavigate()
  const requestedCode = new URLSearchParams(location.search).get('project')
  // An address may name its project, as a figure of one among all does; it is applied once, then anybody may
  // choose again.
  useEffect(() => {
    const request = judgeProjectRequest(requestedCode, all, current)
    if (request.kind === 'none') return
    const params = new URLSearchParams(location.search)
    params.delete('project')
    void navigate(
      { pathname: location.pathname, search: params.toString(), hash: location.hash },
      { replace: true, state: location.state },
    )
    if (request.kind === 'switch') {
      void switchProject(request.to, current, host.rememberProject)
    } else {
      toast.warning(request.message)
    }
  }, [requestedCode, all, current, location, host, navigate])
  // A screen must know its project before anything is chosen: the nearest one, or the first.
  useEffect(() => {
    if (!chosen && current) {
      chooseProject(current)
    }
  }, [chosen, current])
  if (all?.length === 0) return <NoProjectNote />
  return (
    <PopoverPanel
      open={open}
      onOpenChange={setOpen}
      placement="bottomLeft"
      flush
      content={
        <ProjectChooser
          all={all ?? []}
          current={current}
          canShowAll={currentScreen?.allProjects === true}
          onChoose={project => {
            setOpen(false)
            void switchProject(project, current, host.rememberProject)
          }}
        />
      }
    >
      <button
        type="button"
        className="project"
        aria-label={`切换项目，当前 ${current?.name ?? '未选择'}`}
        onPointerEnter={ProjectChooser.warm}
        onFocus={ProjectChooser.warm}
      >
        <i />
        <span className="ellipsis">{current?.name ?? ' '}</span>
        <Icon name="down" size={14} />
      </button>
    </PopoverPanel>
  )
}
