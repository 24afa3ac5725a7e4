import { useNavigate, useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addMerchant, editMerchant, oneMerchant, type Merchant } from '../contract/merchant.ts'
import { askGroups } from './groups.ts'
import { seeMerchant } from './places.ts'

export function AddMerchantPage() {
  const add = useSend(addMerchant, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  return (
    <FormPage
      of={addMerchant.input}
      title="新增商家"
      groups={askGroups}
      draft="merchant/new"
      words="新增商家"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as Merchant
        toast.success(`已新增商家「${made.name}」`)
        tab.close()
        void navigate(seeMerchant(made.id))
      }}
    />
  )
}

export function EditMerchantPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneMerchant, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editMerchant, { quiet: true })
  const tab = useTab()
  const m = one.data
  useTabName(m && `编辑 ${m.name}`)
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的商家编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!m) return <Skeleton rows={8} />
  return (
    <FormPage
      key={m.id}
      of={editMerchant.input}
      title={`编辑商家「${m.name}」`}
      groups={askGroups}
      initial={m}
      draft={`merchant/${m.id}`}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneMerchant, { id })) })}
      onDone={a => {
        toast.success(`已保存商家「${(a as Merchant).name}」`)
        tab.close()
      }}
    />
  )
}
