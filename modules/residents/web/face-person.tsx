import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import { pickStaff } from '#modules/staff/contract/staff.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'

export interface FacePerson {
  readonly kind: 'resident' | 'staff'
  readonly id: Id
  readonly name: string
  readonly note: string
}

const joined = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' · ')

interface ResultsProps {
  readonly keyword: string
  readonly onPick: (person: FacePerson) => void
}

interface PeopleProps extends Pick<ResultsProps, 'onPick'> {
  readonly people: readonly FacePerson[] | undefined
  readonly isFailed: boolean
}

function People({ people, isFailed, onPick }: PeopleProps) {
  if (isFailed)
    return (
      <p className="empty" role="alert">
        加载失败，请检查网络后重试
      </p>
    )
  if (people?.length === 0) return <p className="empty">未找到，请核对姓名或手机号</p>
  return (
    <ol aria-label="查找结果">
      {people?.map(person => (
        <li key={person.id}>
          <button type="button" onClick={() => onPick(person)}>
            <b>{person.name}</b>
            <span />
            <small>{person.note}</small>
          </button>
        </li>
      ))}
    </ol>
  )
}

const size = 20

function Residents({ keyword, onPick }: ResultsProps) {
  const found = useCall(searchResidentOptions, { keyword, size }, { quiet: true, keepPrevious: true })
  const people = found.data
    ?.filter(({ state }) => state === 'normal')
    .map(({ id, name, mobile, homes }) => {
      const rooms = (homes ?? []).map(home => home.roomPath).slice(0, 2)
      return { kind: 'resident' as const, id, name, note: joined([mobile, ...rooms]) }
    })
  return <People people={people} isFailed={found.isError} onPick={onPick} />
}

function Staff({ keyword, onPick }: ResultsProps) {
  const found = useCall(pickStaff, { keyword, size }, { quiet: true, keepPrevious: true })
  const people = found.data?.rows
    .filter(({ state }) => state !== 'left')
    .map(({ id, name, departmentName, position }) => ({
      kind: 'staff' as const,
      id,
      name,
      note: joined([departmentName, position]),
    }))
  return <People people={people} isFailed={found.isError} onPick={onPick} />
}

const kinds = [
  ['resident', '住户'],
  ['staff', '员工'],
] as const

/** Finds whose face is taken. */
export function FacePersonSearch({ onPick }: Pick<ResultsProps, 'onPick'>) {
  const [kind, setKind] = useState<FacePerson['kind']>('resident')
  const [text, setText] = useState('')
  const keyword = text.trim()
  const Results = kind === 'resident' ? Residents : Staff
  return (
    <>
      <header>
        <div>
          <h1>信息录入</h1>
        </div>
        <div className="kinds">
          {kinds.map(([key, label]) => (
            <button key={key} type="button" aria-pressed={key === kind} onClick={() => setKind(key)}>
              {label}
            </button>
          ))}
        </div>
        <div>
          <input
            type="search"
            aria-label="查找人员"
            placeholder={kind === 'resident' ? '姓名、手机号' : '姓名'}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        </div>
      </header>
      {keyword ? (
        <Results keyword={keyword} onPick={onPick} />
      ) : (
        <p className="empty">输入姓名，选择要录入人脸的人</p>
      )}
    </>
  )
}
