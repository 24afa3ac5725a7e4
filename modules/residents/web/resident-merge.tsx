import { defined } from '#kit/domain/defined.ts'
import { SearchOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { maskIdCard, maskPhone } from '#kit/contract/text.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
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

/** Records that may be one person: who stays, and who of the others becomes part of him (BASE-13). */
function MergeGroup({ people, why, onDone }: MergeGroupProps) {
  const [keep, setKeep] = useState(people[0]?.id)
  const [out, setOut] = useState<readonly number[]>([])
  const kept = people.find(p => p.id === keep)
  const others = people.filter(p => p.id !== keep && !out.includes(p.id))
  const merge = (): Promise<boolean> =>
    confirmDanger({
      actionLabel: '合并',
      unit: '位住户',
      count: others.length + 1,
      title: `合并为「${kept?.name ?? ''}」`,
      reason: { presets: ['重复登记', '同一个人'] },
      consequences: [
        `保留编号 ${keep}，其余 ${others.length} 位的房屋、门禁卡、人脸和黑名单都归到他名下`,
        '保留的记录里空着的资料，用其余记录的补上',
        '合并后不能拆开',
      ],
      run: async reason => {
        await sendAndInvalidate(
          mergeResidents,
          { id: defined(keep), others: others.map(o => String(o.id)), reason },
          { quiet: true },
        )
        toast.success(`已合并为「${kept?.name ?? ''}」`)
        onDone()
      },
    })
  return (
    <section>
      {why && (
        <h3>
          {people[0]?.name}
          <small>相同：{why}</small>
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
          {people.map(p => (
            <tr key={p.id} data-out={out.includes(p.id)}>
              <td>
                <Radio
                  aria-label={`保留 ${p.name} ${p.id}`}
                  checked={keep === p.id}
                  onChange={() => {
                    setKeep(p.id)
                    setOut(out.filter(x => x !== p.id))
                  }}
                />
              </td>
              <td>
                {keep === p.id ? (
                  '--'
                ) : (
                  <Checkbox
                    aria-label={`并入 ${p.name} ${p.id}`}
                    checked={!out.includes(p.id)}
                    onChange={e => setOut(e.target.checked ? out.filter(x => x !== p.id) : [...out, p.id])}
                  />
                )}
              </td>
              <td>
                <Link to={residentPath(p.id)}>{p.name}</Link>
              </td>
              <td>{p.mobile ? maskPhone(p.mobile) : '--'}</td>
              <td>{p.certNo ? maskIdCard(p.certNo) : '--'}</td>
              <td>{p.birthday ?? '--'}</td>
              <td>{formatHomes(p.homes)}</td>
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

/** People whom a clerk ticked as one. */
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
  const [word, setWord] = useState('')
  const found = useCall(
    findDuplicateResidents,
    { ...(project ? { projectCode: project } : {}), ...(word ? { keyword: word } : {}) },
    { quiet: true, keepPrevious: true },
  )
  return (
    <div className="resident-groups">
      <header>
        <h2>合并重复住户</h2>
        <small>姓名相同，并且房间、生日或电话相同的住户；确认是同一个人再合并</small>
        <span className="spring" />
        <Input.Search
          className="word"
          aria-label="搜索姓名/手机/拼音"
          placeholder="姓名/手机/拼音"
          prefix={<SearchOutlined />}
          allowClear={allowClear}
          maxLength={40}
          onSearch={w => setWord(w.trim())}
        />
      </header>
      <div className="scroll">
        {found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <RowSkeleton rows={8} />
        ) : found.data.length ? (
          <>
            <p role="status">
              {found.data.length >= 100 ? '先列出前 100 组' : `共 ${formatCount(found.data.length)} 组`}
            </p>
            {found.data.map(g => {
              const people = g.people
              return (
                <MergeGroup
                  key={people.map(p => p.id).join()}
                  people={people}
                  why={g.reason}
                  onDone={() => void found.refetch()}
                />
              )
            })}
          </>
        ) : (
          <p role="status">{word ? `没有找到与「${word}」有关的重复住户` : '没有找到疑似重复的住户'}</p>
        )}
      </div>
    </div>
  )
}
