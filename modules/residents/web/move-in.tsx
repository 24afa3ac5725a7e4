import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addFamily, type Resident } from '../contract/resident.ts'
import { unnamedPersonFault, PeopleLinesControl } from './line-controls.tsx'
import { paths } from './paths.ts'
import { RoomsControl } from './rooms-control.tsx'

const groups: readonly FormFieldGroup[] = [
  {
    title: '房屋与日期',
    keys: [
      { key: 'roomIds', control: RoomsControl, wide: true },
      'inDate',
      { key: 'pending', help: '先登记为待审核，审核通过后才算入住' },
      'leaseBegin',
      'leaseEnd',
    ],
  },
  {
    title: '住户',
    keys: [
      {
        key: 'people',
        control: PeopleLinesControl,
        wide: true,
        help: '一家人可以一起办理；要么全部登记，要么都不登记',
      },
      { key: 'linkExisting', help: '手机号或证件号与已有住户相同时，使用那位住户，不再新建' },
    ],
  },
]

/** A family moves in: several people into one or several rooms at once. */
export default function MoveInPage() {
  const save = useSend(addFamily, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const [at] = useSearchParams()
  const room = at.get('room')
  const user = Number(at.get('user')) || undefined
  const initial = useMemo(
    () => ({
      people: [{ relation: 'owner' as const, ...(user ? { userId: user } : {}) }],
      ...(room ? { roomIds: [room] } : {}),
    }),
    [room, user],
  )
  return (
    <FormPage
      shape={addFamily.input}
      title="住户入住"
      groups={groups}
      initial={initial}
      draftKey="resident/move-in"
      submitLabel="办理入住"
      rules={v => {
        const who = unnamedPersonFault(v.people)
        return {
          ...(who ? { people: who } : {}),
          ...(v.leaseBegin && v.leaseEnd && v.leaseBegin > v.leaseEnd
            ? { leaseEnd: '租期止不能早于租期起' }
            : {}),
        }
      }}
      save={v => save.mutateAsync(v)}
      onDone={a => {
        const made = a as readonly Resident[]
        toast.success(`已登记 ${made.length} 位住户：${made.map(r => r.name).join('、')}`)
        tab.close()
        void navigate(paths.links)
      }}
    />
  )
}
