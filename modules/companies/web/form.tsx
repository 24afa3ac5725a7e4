import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import { addCompany, editCompany, oneCompany, type Company } from '../contract/company.ts'
import { askGroups } from './groups.ts'
import { PlacesControl, roomsToSend } from './places-control.tsx'
import { seeCompany } from './places.ts'

const adding: readonly AskGroup[] = [
  askGroups[0]!,
  {
    title: '房间',
    keys: [
      {
        key: 'places',
        label: '租用的房间',
        control: PlacesControl,
        wide: true,
        help: '可以先不选，以后在企业详情里添加',
      },
    ],
  },
  askGroups[1]!,
]

export function AddCompanyPage() {
  const add = useSend(addCompany, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const initial = useMemo(() => ({ inDate: today() }), [])
  return (
    <FormPage
      of={addCompany.input}
      title="新增企业"
      groups={adding}
      initial={initial}
      draft="company/new"
      words="新增企业"
      save={v => add.mutateAsync({ ...v, places: roomsToSend(v.places) })}
      onDone={a => {
        const made = a as Company
        toast.success(`已新增企业「${made.name}」`)
        tab.close()
        void navigate(seeCompany(made.id))
      }}
    />
  )
}

export function EditCompanyPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneCompany, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editCompany, { quiet: true })
  const tab = useTab()
  const c = one.data
  useTabName(c && `编辑 ${c.name}`)
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的企业编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!c) return <Skeleton rows={8} />
  return (
    <FormPage
      key={c.id}
      of={editCompany.input}
      title={`编辑企业「${c.name}」`}
      groups={askGroups}
      initial={c}
      draft={`company/${c.id}`}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneCompany, { id })) })}
      onDone={a => {
        toast.success(`已保存企业「${(a as Company).name}」`)
        tab.close()
      }}
    />
  )
}
