import { Button, Radio } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { act } from '#kit/web/acts.ts'
import { danger } from '#kit/web/confirm.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { duplicates, mergeResidents, type DuplicateGroup } from '../contract/care.ts'
import type { Resident } from '../contract/resident.ts'
import { seeResident } from './places.ts'
import './residents.css'

function Same({ of, onDone }: { readonly of: DuplicateGroup; readonly onDone: () => void }) {
  const people = of.people as unknown as readonly Resident[], [keep, setKeep] = useState(people[0]?.id), kept = people.find(p => p.id === keep), others = people.filter(p => p.id !== keep)
  const merge = (): Promise<boolean> => danger({
    verb: '合并', what: '位住户', count: people.length, title: `合并为「${kept?.name ?? ''}」`, follows: [`保留编号 ${keep}，其余 ${others.length} 位的房屋、门禁卡、人脸和黑名单都归到他名下`, '合并后不能拆开'], reason: { presets: ['重复登记', '同一个人'] },
    run: async reason => { await act(mergeResidents, { id: keep!, others: others.map(o => String(o.id)), reason }, { quiet: true }); toast.success(`已合并为「${kept?.name ?? ''}」`); onDone() },
  })
  return (
    <section>
      <b>{of.reason}</b>
      <table><tbody>{people.map(p => <tr key={p.id}><td><Radio checked={keep === p.id} onChange={() => setKeep(p.id)}>保留</Radio></td><td><Link to={seeResident(p.id)}>{p.name}</Link></td><td>{p.mobile ?? '--'}</td><td>{p.certNo ?? '--'}</td><td>{p.homes?.map(h => h.roomPath).join('、') || '无房屋'}</td></tr>)}</tbody></table>
      <Button onClick={() => void merge()}>合并这 {people.length} 位</Button>
    </section>
  )
}
/** People who are probably one (BASE-13): the clerk says which record stays. */
export default function MergePage() {
  const project = useProject(), found = useCall(duplicates, project ? { projectCode: project } : {}, { quiet: true })
  if (found.isError) return <Trouble error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton rows={8} />
  return <div className="resident-groups scroll"><h2>合并重复住户</h2>{found.data.length ? found.data.map(g => <Same key={g.people.map(p => p.id).join()} of={g} onDone={() => void found.refetch()} />) : <p>没有找到疑似重复的住户</p>}</div>
}
