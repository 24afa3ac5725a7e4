import { useMemo, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import type { Project } from '../session.ts'
import { usePinyinMatcher } from '../use-pinyin-matcher.ts'
import { allProjects } from './project-switch.tsx'
import { recentProjects } from './recents.ts'

/** The list of the project switch; fetched when it is about to be opened. */
export function ProjectChooser({
  all,
  current,
  canShowAll,
  onChoose,
}: {
  readonly all: readonly Project[]
  readonly current: Project | undefined
  readonly canShowAll: boolean
  readonly onChoose: (project: Project) => void
}) {
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
  const key = (e: React.KeyboardEvent): void => {
    if (e.nativeEvent.isComposing) return
    const to = e.key === 'ArrowDown' ? highlighted + 1 : e.key === 'ArrowUp' ? highlighted - 1 : undefined
    if (to !== undefined) {
      e.preventDefault()
      setHighlighted(Math.max(0, Math.min(shown.length - 1, to)))
      list.current?.querySelectorAll('[role=option]')[to]?.scrollIntoView({ block: 'nearest' })
    }
    const chosen = shown[highlighted]
    if (e.key === 'Enter' && chosen) {
      onChoose(chosen)
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
        {shown.map((project, i) => (
          <div key={project.code}>
            {recent > 0 && i === 0 && <p className="choose-head">最近</p>}
            {recent > 0 && i === recent && <p className="choose-head">所有</p>}
            <button
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={project.code === current?.code}
              data-at={i === highlighted || undefined}
              onMouseMove={() => setHighlighted(i)}
              onClick={() => onChoose(project)}
            >
              <span className="ellipsis">{project.name}</span>
              {project.code === current?.code && <Icon name="check" size={16} />}
            </button>
          </div>
        ))}
        {!shown.length && <p className="choose-none">无符合条件的项目</p>}
      </div>
      {all.length > 1 && (
        <button
          type="button"
          className="choose-all"
          disabled={!canShowAll}
          onClick={() => onChoose(allProjects)}
        >
          <span>全部项目</span>
          <small>{canShowAll ? `${all.length} 个项目同时查看` : '当前页面只能看一个项目'}</small>
        </button>
      )}
    </div>
  )
}
