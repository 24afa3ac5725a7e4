import { parseId } from '#kit/domain/id.ts'
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
      { key: 'roomIds', control: RoomsControl },
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
        help: '同一家庭可一起办理；任一人失败则全部不登记',
      },
      { key: 'linkExisting', help: '手机号或证件号与已有住户相同时，使用该住户，不再新建' },
    ],
  },
]

/** A family moves in: several people into one or several rooms at once. */
export default function MoveInPage() {
  const save = useSend(addFamily, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const [searchParams] = useSearchParams()
  const roomId = searchParams.get('room')
  const userId = parseId(searchParams.get('user')) || undefined
  const initial = useMemo(
    () => ({
      people: [{ relation: 'owner' as const, ...(userId ? { userId } : {}) }],
      ...(roomId ? { roomIds: [roomId] } : {}),
    }),
    [roomId, userId],
  )
  return (
    <FormPage
      shape={addFamily.input}
      title="住户入住"
      groups={groups}
      initial={initial}
      draftKey="resident/move-in"
      submitLabel="办理入住"
      rules={values => {
        const peopleFault = unnamedPersonFault(values.people)
        return {
          ...(peopleFault ? { people: peopleFault } : {}),
          ...(values.leaseBegin && values.leaseEnd && values.leaseBegin > values.leaseEnd
            ? { leaseEnd: '租期止不能早于租期起' }
            : {}),
        }
      }}
      save={values => save.mutateAsync(values)}
      onDone={answer => {
        const created = answer as readonly Resident[]
        toast.success(`已登记 ${created.length} 位住户：${created.map(r => r.name).join('、')}`)
        tab.close()
        void navigate(paths.links)
      }}
    />
  )
}
