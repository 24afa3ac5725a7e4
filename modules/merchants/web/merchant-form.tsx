import { useNavigate, useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addMerchant, editMerchant, getMerchant, type Merchant } from '../contract/merchant.ts'
import { formGroups } from './merchant-groups.ts'
import { merchantPath } from './paths.ts'

export function AddMerchantPage() {
  const add = useSend(addMerchant, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  return (
    <FormPage
      shape={addMerchant.input}
      title="新增商家"
      groups={formGroups}
      draftKey="merchant/new"
      submitLabel="新增商家"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as Merchant
        toast.success(`已新增商家「${made.name}」`)
        tab.close()
        void navigate(merchantPath(made.id))
      }}
    />
  )
}

export function EditMerchantPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(getMerchant, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editMerchant, { quiet: true })
  const tab = useTab()
  const m = one.data
  useTabTitle(m && `编辑 ${m.name}`)
  if (id <= 0)
    return <ErrorState error={new Error('地址里没有要编辑的商家编号')} onRetry={() => location.reload()} />
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!m) return <RowSkeleton rows={8} />
  return (
    <FormPage
      key={m.id}
      shape={editMerchant.input}
      title={`编辑商家「${m.name}」`}
      groups={formGroups}
      initial={m}
      draftKey={`merchant/${m.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getMerchant, { id })) })}
      onDone={a => {
        toast.success(`已保存商家「${(a as Merchant).name}」`)
        tab.close()
      }}
    />
  )
}
