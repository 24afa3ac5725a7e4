import { SearchInput } from '#kit/web/search-input.tsx'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button, Checkbox, Modal, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { findDuplicateResidents, mergeResidents } from '../contract/maintenance.ts'
import type { Resident } from '../contract/resident.ts'
import { formatHomes } from './home-labels.ts'
import { residentPath } from './paths.ts'
import './residents.css'

interface MergeGroupProps {
  readonly people: readonly Resident[]
  readonly why?: string
  readonly onDone: () => void
}

/** Records that may be one person: which one stays, and which of the others are merged into it (BASE-13). */
function MergeGroup({ people, why: reason, onDone }: MergeGroupProps) {
  const [keptId, setKeptId] = useState(people[0]?.id)
  const [excludedIds, setExcludedIds] = useState<readonly Id[]>([])
  const kept = people.find(person => person.id === keptId)
  const others = people.filter(person => person.id !== keptId && !excludedIds.includes(person.id))
  const merge = (): Promise<boolean> =>
    confirmAndSend(mergeResidents, {
      actionLabel: '合并',
      unit: '位住户',
      count: others.length + 1,
      title: `合并为「${kept?.name ?? ''}」`,
      reason: { presets: ['重复登记', '同一个人'] },
      consequences: [
        `保留编号 ${keptId}，其余 ${others.length} 位的房屋、门禁卡、人脸、指纹和黑名单并入该住户`,
        '保留记录中的空白资料，以其余记录补全',
        '合并后不能拆开',
      ],
      input: { id: defined(keptId), others: others.map(o => String(o.id)) },
      doneText: `已合并为「${kept?.name ?? ''}」`,
      onDone,
    })
  return (
    <section>
      {reason && (
        <h3>
          {people[0]?.name}
          <small>相同：{reason}</small>
        </h3>
      )}
      <table>
        <thead>
          <tr>
            <th>保留</th>
            <th>并入</th>
            <th>姓名</th>
            <th>手机号</th>
            <th>证件号</th>
            <th>生日</th>
            <th>房屋</th>
          </tr>
        </thead>
        <tbody>
          {people.map(person => (
            <tr key={person.id} data-out={excludedIds.includes(person.id)}>
              <td>
                <Radio
                  aria-label={`保留 ${person.name} ${person.id}`}
                  checked={keptId === person.id}
                  onChange={() => {
                    setKeptId(person.id)
                    setExcludedIds(excludedIds.filter(x => x !== person.id))
                  }}
                />
              </td>
              <td>
                {keptId === person.id ? (
                  '--'
                ) : (
                  <Checkbox
                    aria-label={`并入 ${person.name} ${person.id}`}
                    checked={!excludedIds.includes(person.id)}
                    onChange={e =>
                      setExcludedIds(
                        e.target.checked
                          ? excludedIds.filter(x => x !== person.id)
                          : [...excludedIds, person.id],
                      )
                    }
                  />
                )}
              </td>
              <td>
                <Link to={residentPath(person.id)}>{person.name}</Link>
              </td>
              <td>{person.mobile ?? '--'}</td>
              <td>{person.certNo ?? '--'}</td>
              <td>{person.birthday ?? '--'}</td>
              <td>{formatHomes(person.homes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        disabled={!others.length}
        title={others.length ? undefined : '至少选择一位并入'}
        onClick={() => void merge()}
      >
        合并这 {others.length + 1} 位
      </Button>
    </section>
  )
}

/** People whom a clerk selected as one. */
export const MergeDialog = ({
  people,
  onClose,
}: {
  readonly people: readonly Resident[]
  readonly onClose: () => void
}) => (
  <Modal open title={`合并 ${people.length} 位住户`} width={880} footer={null} onCancel={onClose}>
    <div className="resident-groups inside">
      <MergeGroup people={people} onDone={onClose} />
    </div>
  </Modal>
)

/** People who are probably one (BASE-13): the clerk says which record stays. */
export default function MergePage() {
  const project = useProject()
  const [keyword, setKeyword] = useState('')
  const duplicates = useCall(
    findDuplicateResidents,
    { ...(project ? { projectCode: project } : {}), ...(keyword ? { keyword } : {}) },
    { quiet: true, keepPrevious: true },
  )
  const renderGroups = () => {
    if (duplicates.isError)
      return <ErrorState error={duplicates.error} onRetry={() => void duplicates.refetch()} />
    if (!duplicates.data) return <RowSkeleton rows={8} />
    if (duplicates.data.length)
      return (
        <>
          <p role="status">
            {duplicates.data.length >= 100
              ? '先列出前 100 组'
              : `共 ${formatCount(duplicates.data.length)} 组`}
          </p>
          {duplicates.data.map(group => {
            const people = group.people
            return (
              <MergeGroup
                key={people.map(person => person.id).join()}
                people={people}
                why={group.reason}
                onDone={() => void duplicates.refetch()}
              />
            )
          })}
        </>
      )
    return <p role="status">{keyword ? `未找到与「${keyword}」有关的重复住户` : '未找到疑似重复的住户'}</p>
  }
  return (
    <div className="resident-groups">
      <header>
        <h2>合并重复住户</h2>
        <small>姓名相同，并且房间、生日或电话相同的住户；确认是同一个人再合并</small>
        <span className="spring" />
        <SearchInput
          className="word"
          aria-label="搜索姓名/手机/拼音"
          placeholder="姓名/手机/拼音"
          maxLength={40}
          onPressEnter={e => setKeyword(e.currentTarget.value.trim())}
          onChange={e => {
            if (!e.target.value) {
              setKeyword('')
            }
          }}
        />
      </header>
      <div className="scroll">{renderGroups()}</div>
    </div>
  )
}
