import { SearchInput } from '#kit/web/search-input.tsx'
import { Switch } from 'antd'
import { useMemo, useState } from 'react'
import { Icon } from '#kit/web/icons.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { noProjectLine } from '#kit/web/shell/no-project.ts'
import { pickBuildings } from '#modules/estates/contract/building.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { PlainCheckbox } from './plain-checkbox.tsx'
import './accounts.css'

/** Where somebody may work: everywhere, or projects, each whole or by buildings (PERM-6, PERM-12). */
export interface DomainSelection {
  readonly allProject: boolean
  readonly places: ReadonlyMap<string, ReadonlySet<string> | null>
}

/** What a form holds for this picker. */
export const isDomainSelection = (v: unknown): v is DomainSelection =>
  typeof v === 'object' && v !== null && 'allProject' in v && 'places' in v

export const emptySelection: DomainSelection = { allProject: false, places: new Map() }

export const describeSelection = ({ allProject, places }: DomainSelection): string =>
  allProject
    ? '全部项目（含以后新增的）'
    : places.size
      ? `${places.size} 个项目`
      : '未选择，无法查看任何项目的数据'

export const isEmptySelection = ({ allProject, places }: DomainSelection): boolean =>
  !allProject && places.size === 0

interface ProposedProject {
  readonly code: string
}

/**
 * What a new account may see unless somebody chooses otherwise: the only project, or the one that is open.
 * Nothing is proposed of what the granter may not grant (PERM-12).
 */
export function proposeSelection(
  all: readonly ProposedProject[],
  current: ProposedProject | undefined,
  canGrantAll: boolean,
): DomainSelection {
  const [only] = all.length === 1 ? all : []
  const proposed = only ?? all.find(({ code }) => code === current?.code)
  return canGrantAll && proposed
    ? { allProject: false, places: new Map([[proposed.code, null]]) }
    : emptySelection
}

type SetPlaces = (p: DomainSelection['places']) => void

function BuildingChoices({
  project,
  chosen,
  set,
}: {
  readonly project: string
  readonly chosen: ReadonlySet<string> | null | undefined
  readonly set: (b: ReadonlySet<string> | null | undefined) => void
}) {
  const { data, isPending, isError, refetch } = useCall(
    pickBuildings,
    { projectCode: project },
    { quiet: true, project },
  )
  if (isPending)
    return (
      <ul>
        <li>
          <div>正在加载楼栋</div>
        </li>
      </ul>
    )
  if (isError)
    return (
      <ul>
        <li>
          <div>
            楼栋加载失败{' '}
            <button type="button" className="linkish" onClick={() => void refetch()}>
              重试
            </button>
          </div>
        </li>
      </ul>
    )
  if (!data.length)
    return (
      <ul>
        <li>
          <div className="absent">该项目暂无楼栋</div>
        </li>
      </ul>
    )
  const toggle = (code: string, on: boolean): void => {
    const selected = chosen === null ? new Set(data.map(b => b.code ?? '')) : new Set(chosen)
    if (on) {
      selected.add(code)
    } else {
      selected.delete(code)
    }
    set(selected.size === 0 ? undefined : selected.size === data.length ? null : selected)
  }
  return (
    <ul>
      {data.map(building => (
        <li key={building.code}>
          <div>
            <label>
              <PlainCheckbox
                on={chosen === null || chosen?.has(building.code ?? '') === true}
                label={building.name}
                onChange={on => toggle(building.code ?? '', on)}
              />
              {building.name}
            </label>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ProjectChoice({
  code,
  name,
  chosen,
  set,
}: {
  readonly code: string
  readonly name: string
  readonly chosen: ReadonlySet<string> | null | undefined
  readonly set: (b: ReadonlySet<string> | null | undefined) => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <div>
        <button
          type="button"
          className="opener"
          aria-expanded={open}
          aria-label={`${open ? '收起' : '展开'}${name}的楼栋`}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'right'} size={12} />
        </button>
        <label>
          <PlainCheckbox
            on={chosen === null}
            half={chosen !== null && chosen !== undefined}
            label={name}
            onChange={on => set(on ? null : undefined)}
          />
          <span className="ellipsis">{name}</span>
        </label>
        <small>{chosen === null ? '整个项目' : chosen ? `${chosen.size} 栋` : ''}</small>
      </div>
      {open && <BuildingChoices project={code} chosen={chosen} set={set} />}
    </li>
  )
}

/** Chooses projects and, below each, buildings. */
export function DataDomainPicker({
  value,
  onChange,
  canGrantAll,
}: {
  readonly value: DomainSelection
  readonly onChange: (p: DomainSelection) => void
  readonly canGrantAll: boolean
}) {
  const [word, setWord] = useState('')
  const noProjectText = noProjectLine(useSession(s => s.signed?.manager))
  const { data } = useCall(listEstates, { page: 1, size: 1000 }, { project: 0, quiet: true })
  const shown = useMemo(
    () =>
      (data?.rows ?? []).filter(e =>
        `${e.name}${e.projectCode}`.toLowerCase().includes(word.trim().toLowerCase()),
      ),
    [data, word],
  )
  const put: SetPlaces = places => onChange({ ...value, places })
  const set =
    (code: string) =>
    (building: ReadonlySet<string> | null | undefined): void => {
      const next = new Map(value.places)
      if (building === undefined) {
        next.delete(code)
      } else {
        next.set(code, building)
      }
      put(next)
    }
  const all = shown.length > 0 && shown.every(e => value.places.get(e.projectCode) === null)
  return (
    <div className="places">
      <div className="bar">
        <label style={{ flex: 'none' }} title={canGrantAll ? undefined : '你自己没有全部项目的数据范围'}>
          <Switch
            checked={value.allProject}
            disabled={!canGrantAll}
            onChange={allProject => onChange({ ...value, allProject })}
            aria-label="全部项目"
          />
          全部项目
        </label>
        <span className="spring" />
        <small>{describeSelection(value)}</small>
      </div>
      {!value.allProject && (
        <>
          <div className="bar">
            <label style={{ flex: 'none' }}>
              <PlainCheckbox
                on={all}
                half={shown.some(e => value.places.has(e.projectCode))}
                label="选择列出的全部项目"
                onChange={on => {
                  const next = new Map(value.places)
                  for (const estate of shown) {
                    if (on) {
                      next.set(estate.projectCode, null)
                    } else {
                      next.delete(estate.projectCode)
                    }
                  }
                  put(next)
                }}
              />
              全选
            </label>
            <span className="spring" />
            <SearchInput
              style={{ width: 200 }}
              size="small"
              aria-label="查找项目"
              placeholder="查找项目"
              value={word}
              onChange={e => setWord(e.target.value)}
            />
          </div>
          <ul>
            {shown.map(estate => (
              <ProjectChoice
                key={estate.projectCode}
                code={estate.projectCode}
                name={estate.name}
                chosen={value.places.get(estate.projectCode)}
                set={set(estate.projectCode)}
              />
            ))}
            {data && !shown.length && (
              <li>
                <div className="absent">{data.rows.length ? '无符合条件的项目' : noProjectText}</div>
              </li>
            )}
          </ul>
        </>
      )}
    </div>
  )
}

/** The value in the form that the call takes. */
export const toDomainInput = ({
  allProject,
  places,
}: DomainSelection): {
  allProject: boolean
  places: { projectCode: string; buildCodes?: readonly string[] }[]
} => ({
  allProject,
  places: [...places].map(([projectCode, b]) => ({ projectCode, ...(b ? { buildCodes: [...b] } : {}) })),
})

export const fromDomainOutput = (output: {
  readonly allProject: boolean
  readonly places?: readonly { readonly projectCode: string; readonly buildCodes?: readonly string[] }[]
}): DomainSelection => ({
  allProject: output.allProject,
  places: new Map(
    (output.places ?? []).map(p => [p.projectCode, p.buildCodes?.length ? new Set(p.buildCodes) : null]),
  ),
})
