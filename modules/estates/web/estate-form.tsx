import { useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addEstate, editEstate, getEstate } from '../contract/estate.ts'
import { AddressControl, splitAddress } from './address-control.tsx'

const groups: readonly FormFieldGroup[] = [
  {
    title: '基本信息',
    keys: ['name', 'projectCode', 'projectType', 'projectNo', 'feeMode', 'deliverDate', 'state', 'sort'],
  },
  {
    title: '位置',
    keys: [
      { key: 'provinceName', label: '所在地区', control: AddressControl, deriveValues: splitAddress },
      { key: 'cityName', isHidden: () => true },
      { key: 'districtName', isHidden: () => true },
      { key: 'address', wide: true },
      'zoneCode',
      'longitude',
      'latitude',
    ],
  },
  {
    title: '联系与报警',
    keys: [
      'manager',
      'managerPhone',
      'servicePhone',
      { key: 'alarmPhone', wide: true },
      { key: 'alarmEmail', wide: true },
    ],
  },
  { title: '规模', keys: ['landArea', 'buildArea', 'greenRate', 'houseCount', 'logo'] },
]

export function AddEstatePage() {
  const add = useSend(addEstate, { quiet: true })
  const tab = useTab()
  return (
    <FormPage
      shape={addEstate.input}
      title="新增项目"
      groups={groups}
      draftKey="estate/new"
      submitLabel="新增项目"
      save={v => add.mutateAsync(v)}
      onDone={() => {
        toast.success('已新增项目，接下来可以新增楼栋')
        tab.close()
      }}
    />
  )
}

export function EditEstatePage() {
  const [at] = useSearchParams()
  const code = at.get('code') ?? ''
  const edit = useSend(editEstate, { quiet: true })
  const tab = useTab()
  const one = useCall(getEstate, { code }, { quiet: true, project: 0, enabled: code !== '' })
  useTabTitle(one.data && `编辑 ${one.data.name}`)
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!one.data) return <RowSkeleton rows={8} />
  return (
    <FormPage
      shape={editEstate.input}
      title={`编辑项目「${one.data.name}」`}
      groups={groups}
      initial={one.data}
      draftKey={`estate/${one.data.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getEstate, { code })) })}
      onDone={() => {
        toast.success('已保存项目')
        tab.close()
      }}
    />
  )
}
