import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { addCompany, editCompany, getCompany, type Company } from '../contract/company.ts'
import { formGroups } from './company-groups.ts'
import { CompanyRoomsControl, toRoomDrafts } from './company-rooms-control.tsx'
import { companyPath } from './paths.ts'

const addGroups: readonly FormFieldGroup[] = [
  formGroups[0]!,
  {
    title: '房间',
    keys: [
      {
        key: 'places',
        label: '租用的房间',
        control: CompanyRoomsControl,
        wide: true,
        help: '可以先不选，以后在企业详情里添加',
      },
    ],
  },
  formGroups[1]!,
]

export function AddCompanyPage() {
  const add = useSend(addCompany, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const initial = useMemo(() => ({ inDate: today() }), [])
  return (
    <FormPage
      shape={addCompany.input}
      title="新增企业"
      groups={addGroups}
      initial={initial}
      draftKey="company/new"
      submitLabel="新增企业"
      save={v => add.mutateAsync({ ...v, places: toRoomDrafts(v.places) })}
      onDone={a => {
        const made = a as Company
        toast.success(`已新增企业「${made.name}」`)
        tab.close()
        void navigate(companyPath(made.id))
      }}
    />
  )
}

export function EditCompanyPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(getCompany, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editCompany, { quiet: true })
  const tab = useTab()
  const c = one.data
  useTabTitle(c && `编辑 ${c.name}`)
  if (id <= 0)
    return <ErrorState error={new Error('地址里没有要编辑的企业编号')} onRetry={() => location.reload()} />
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!c) return <RowSkeleton rows={8} />
  return (
    <FormPage
      key={c.id}
      shape={editCompany.input}
      title={`编辑企业「${c.name}」`}
      groups={formGroups}
      initial={c}
      draftKey={`company/${c.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getCompany, { id })) })}
      onDone={a => {
        toast.success(`已保存企业「${(a as Company).name}」`)
        tab.close()
      }}
    />
  )
}
