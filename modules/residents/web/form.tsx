import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { addResident, editResident, oneResident, type Resident } from '../contract/resident.ts'
import { askGroups } from './groups.ts'
import { RoomLines } from './line-fields.tsx'
import { seeResident } from './places.ts'
import { Same } from './same.tsx'

const adding: readonly AskGroup[] = [
  askGroups[0]!,
  {
    title: '房屋',
    keys: [
      {
        key: 'rooms',
        control: RoomLines,
        wide: true,
        help: '可以同时登记多套；不填入住日期只登记关系，不改变房态',
      },
      { key: 'linkExisting', help: '手机号或证件号与已有住户相同时，把房屋登记到那位住户名下' },
    ],
  },
  askGroups[1]!,
]

export function AddResidentPage() {
  const add = useSend(addResident, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const project = useProject()
  const initial = useMemo(() => (project ? { homeProject: project } : {}), [project])
  const groups = useMemo(() => (project ? adding : [{ keys: ['homeProject'] }, ...adding]), [project])
  return (
    <FormPage
      key={project}
      of={addResident.input}
      title="新增住户"
      groups={groups}
      initial={initial}
      draft="resident/new"
      words="新增住户"
      below={v => <Same of={v} />}
      save={v => add.mutateAsync({ ...initial, ...v })}
      onDone={a => {
        const made = a as Resident
        toast.success(`已新增住户「${made.name}」`)
        tab.close()
        void navigate(seeResident(made.id))
      }}
    />
  )
}

export function EditResidentPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneResident, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editResident, { quiet: true })
  const tab = useTab()
  const r = one.data
  useTabName(r && `编辑 ${r.name}`)
  const groups = useMemo(
    () => [askGroups[0]!, { title: '更多资料', keys: [...askGroups[1]!.keys, 'state'] }],
    [],
  )
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的住户编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!r) return <Skeleton rows={8} />
  return (
    <FormPage
      key={r.id}
      of={editResident.input}
      title={`编辑住户「${r.name}」`}
      groups={groups}
      initial={r}
      draft={`resident/${r.id}`}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneResident, { id })) })}
      below={v => <Same of={v} />}
      onDone={a => {
        toast.success(`已保存住户「${(a as Resident).name}」`)
        tab.close()
      }}
    />
  )
}
