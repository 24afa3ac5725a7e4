import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { invoiceState } from '../contract/choices.ts'
import { getInvoice, type InvoiceRecord } from '../contract/record.ts'
import { invoiceGroups } from './invoice-groups.ts'
import { useInvoiceActions } from './invoice-actions.tsx'
import { invoiceLabel } from './labels.ts'

const InvoiceDetail = lazyComponent(() => import('./invoice-detail.tsx').then(m => m.InvoiceDetail))

/** 发票详情: one invoice as a page of its own. */
export default function InvoicePage() {
  const { actionsOf, dialogs } = useInvoiceActions()
  return (
    <DetailPage
      loadCall={getInvoice}
      title={(invoice: InvoiceRecord) => `${invoiceLabel(invoice)} ${invoice.buyerName}`}
      status={invoice => <ChoiceStatus choices={invoiceState} value={invoice.state} />}
      groups={invoiceGroups}
      historyEntity="invoiceRecord"
      actions={invoice => actionsOf(invoice).filter(action => !action || action.label !== '查看详情')}
      afterGroups={invoice => <InvoiceDetail invoice={invoice} />}
      footer={dialogs}
    />
  )
}
