import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { later } from '#kit/web/later.tsx'
import { Choice } from '#kit/web/status.tsx'
import { invoiceState } from '../contract/choices.ts'
import { oneInvoice, type InvoiceRecord } from '../contract/record.ts'
import type { Whole } from './body.tsx'
import { invoiceGroups } from './groups.ts'
import { useInvoiceVerbs } from './verbs.tsx'
import { callIt } from './words.ts'

const InvoiceMore = later(() => import('./body.tsx').then(m => m.InvoiceMore))

/** 发票详情: one invoice as a page of its own. */
export default function InvoicePage() {
  const { verbs, dialogs } = useInvoiceVerbs()
  return (
    <DetailPage
      one={oneInvoice as never}
      title={(r: InvoiceRecord) => `${callIt(r)} ${r.buyerName}`}
      status={r => <Choice of={invoiceState} value={r.state} />}
      groups={invoiceGroups}
      history="invoiceRecord"
      verbs={r => verbs(r).filter(v => !v || v.label !== '查看详情')}
      more={r => <InvoiceMore of={r as unknown as Whole} />}
      below={dialogs}
    />
  )
}
