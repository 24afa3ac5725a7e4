import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { parseId } from '#kit/domain/id.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { saveMerchantOrder } from '../contract/order.ts'
import { paths } from './paths.ts'

const groups: readonly FormFieldGroup[] = [
  { keys: ['merchantId', { key: 'details', wide: true }] },
  {
    title: '其他',
    keys: [
      'discountAmount',
      { key: 'refundsExpired', help: '到期仍未发放的停车券可以退款；否则到期作废' },
      { key: 'remark', wide: true },
    ],
  },
]

/** 商户购券: which coupons and how many; paid by the order that is opened then. */
export default function BuyPage() {
  const [params] = useSearchParams()
  const shop = params.get('merchant')
  const sending = useSend(saveMerchantOrder, { quiet: true })
  const initial = useMemo(() => (shop ? { merchantId: parseId(shop) } : {}), [shop])
  return (
    <FormPage
      key={shop}
      shape={saveMerchantOrder.input}
      draftKey={draftKeyOf(saveMerchantOrder, [shop ?? ''])}
      title="商户购券"
      groups={groups}
      initial={initial}
      submitLabel="下单"
      save={values => sending.mutateAsync(values)}
      onDone={order => {
        toast.success(`已下单 ${order.orderNo}，付款后入库`)
        navigateTo(recordPath(paths.order, order.id))
      }}
    />
  )
}
