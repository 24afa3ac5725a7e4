import { usePinyinMatcher } from '../use-pinyin-matcher.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { confirm } from '../confirm.tsx'
import { PopoverPanel } from '../dropdown.tsx'
import { Icon } from '../icons.tsx'
import { PageReady } from '../progress.tsx'
import { chooseProject, usePermission, useSession, type Project } from '../session.ts'
import { workbench } from '../workbench.ts'
import { rememberProjectChoice, recentProjects } from './recents.ts'
import { toast } from '../toast.ts'
import { useHost } from './host.ts'
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
async function switchProject(
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
  if (all?.length === 0) return <span className="project none">暂无项目</span>
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
          screen={currentScreen}
          onDone={() => setOpen(false)}
        />
      }
    >
      <button type="button" className="project" aria-label={`切换项目，当前 ${current?.name ?? '未选择'}`}>
        <i />
        <span className="ellipsis">{current?.name ?? ' '}</span>
        <Icon name="down" size={14} />
      </button>
    </PopoverPanel>
  )
}

/** Without any project a page of one leads to where the first is made. */
function NoProjectYet() {
  const hasPermission = usePermission()
  const firstRun = workbench.firstRun()
  return (
    <div className="empty">
      <Icon name="building" size={28} />
      <p className="empty-title">暂无项目</p>
      {firstRun && hasPermission(firstRun.needs) ? (
        <p className="empty-acts">
          <Link to={firstRun.path}>初始化向导</Link>
        </p>
      ) : (
        <p>请联系管理员新增项目</p>
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
      <p className="empty-acts pick">
        {shown.map(p => (
          <button
            type="button"
            key={p.code}
            className="linkish"
            onClick={() => void switchProject(p, allProjects, host.rememberProject)}
          >
            {p.name}
          </button>
        ))}
      </p>
      <PageReady />
    </div>
  )
}

function ProjectChooser({
  all,
  current,
  screen,
  onDone,
}: {
  readonly all: readonly Project[]
  readonly current: Project | undefined
  readonly screen: ModuleScreen | undefined
  readonly onDone: () => void
}) {
  const host = useHost()
  const [typed, setTyped] = useState('')
  const match = usePinyinMatcher()
  const [highlighted, setHighlighted] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const { shown, recent } = useMemo(() => {
    const text = typed.trim()
    const found = text
      ? all.filter(
          p =>
            (match ? match(p.name, text) : p.name.includes(text)) ||
            p.code.toLowerCase().includes(text.toLowerCase()),
        )
      : all
    const recentMatches =
      text || all.length < 5 ? [] : recentProjects().flatMap(c => all.filter(p => p.code === c))
    return {
      shown: [...recentMatches, ...found.filter(p => !recentMatches.includes(p))],
      recent: recentMatches.length,
    }
  }, [typed, match, all])
  const canShowAll = screen?.allProjects === true
  const chooseProjectOf = (p: Project | undefined): void => {
    if (p) {
      onDone()
      void switchProject(p, current, host.rememberProject)
    }
  }
  const key = (e: React.KeyboardEvent): void => {
    if (e.nativeEvent.isComposing) return
    const to = e.key === 'ArrowDown' ? highlighted + 1 : e.key === 'ArrowUp' ? highlighted - 1 : undefined
    if (to !== undefined) {
      e.preventDefault()
      setHighlighted(Math.max(0, Math.min(shown.length - 1, to)))
      list.current?.querySelectorAll('[role=option]')[to]?.scrollIntoView({ block: 'nearest' })
    }
    if (e.key === 'Enter') {
      chooseProjectOf(shown[highlighted])
    }
  }
  return (
    <div className="choose-project" role="dialog" aria-label="选择项目" onKeyDown={key}>
      <div className="choose-search">
        <Icon name="search" size={16} />
        <input
          autoFocus
          value={typed}
          onChange={e => {
            setTyped(e.target.value)
            setHighlighted(0)
          }}
          placeholder="项目名称或拼音首字母"
          aria-label="搜索项目"
        />
      </div>
      <div className="choose-list scroll" role="listbox" aria-label="项目" ref={list}>
        {shown.map((p, i) => (
          <div key={p.code}>
            {recent > 0 && i === 0 && <p className="choose-head">最近</p>}
            {recent > 0 && i === recent && <p className="choose-head">所有</p>}
            <button
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={p.code === current?.code}
              data-at={i === highlighted || undefined}
              onMouseMove={() => setHighlighted(i)}
              onClick={() => chooseProjectOf(p)}
            >
              <span className="ellipsis">{p.name}</span>
              {p.code === current?.code && <Icon name="check" size={16} />}
            </button>
          </div>
        ))}
        {!shown.length && <p className="choose-none">没有符合条件的项目</p>}
      </div>
      {all.length > 1 && (
        <button
          type="button"
          className="choose-all"
          disabled={!canShowAll}
          onClick={() => chooseProjectOf(allProjects)}
        >
          <span>全部项目</span>
          <small>{canShowAll ? `${all.length} 个项目同时查看` : '当前页面只能看一个项目'}</small>
        </button>
      )}
    </div>
  )
}
