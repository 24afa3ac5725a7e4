import { confirmAndSend, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { invoiceState } from '../contract/choices.ts'
import { issueInvoices, redInvoices } from '../contract/invoicing.ts'
import { exportInvoices, listInvoices, getInvoice, type InvoiceRecord } from '../contract/record.ts'
import { issueRefusal, redRefusal } from '../domain/invoice.ts'
import { menu } from '../module.ts'
import type { InvoiceWithParts } from './invoice-detail.tsx'
import { invoiceGroups } from './invoice-groups.ts'
import { invoicePaths, invoicePath } from './paths.ts'
import { useInvoiceActions } from './invoice-actions.tsx'
import { invoiceLabel, kindLabel } from './labels.ts'

const InvoiceDetail = lazyComponent(() => import('./invoice-detail.tsx').then(m => m.InvoiceDetail))

const listColumns = buildColumns(listInvoices.output, [
  { key: 'invoiceNo', identity: true, width: 196, render: invoiceLabel, text: invoiceLabel },
  { key: 'kind', title: '票种', width: 112, render: kindLabel, text: kindLabel },
  { key: 'buyerName', width: 130, grow: 1 },
  { key: 'sourceName', width: 100, grow: 1, hidePriority: 2 },
  { key: 'payerName', hiddenByDefault: true },
  { key: 'netAmount', wideOnly: true },
  { key: 'taxAmount', hidePriority: 1 },
  { key: 'totalAmount', strong: true },
  { key: 'redAmount', wideOnly: true },
  { key: 'issueTime', hidePriority: 1 },
  { key: 'operatorName', wideOnly: true },
  { key: 'failReason', hiddenByDefault: true },
  { key: 'serialNo', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '有效', filter: { state: ['pending', 'doing', 'issued', 'failed', 'redDue', 'red'] } },
  { id: 'pending', name: '待开具', filter: { state: ['pending'] } },
  { id: 'doing', name: '开具中', filter: { state: ['doing'] } },
  { id: 'issued', name: '已开具', filter: { state: ['issued'] } },
  { id: 'failed', name: '开具失败', filter: { state: ['failed'] } },
  { id: 'redDue', name: '待红冲', filter: { state: ['redDue'] } },
  { id: 'part', name: '部分红冲', filter: { state: ['issued', 'redDue'], redAmountFrom: 1 } },
  { id: 'red', name: '已红冲', filter: { state: ['red'] } },
  { id: 'cancelled', name: '已作废', filter: { state: ['cancelled'] } },
  { id: '*', name: '全部', filter: {} },
]

/** The drawer loads the invoice with its parts, which the rows of the list do not have. */
const hasParts = (invoice: InvoiceRecord): invoice is InvoiceRecord & InvoiceWithParts => 'parts' in invoice

const findFirstRefusal = (
  invoices: readonly InvoiceRecord[],
  refusalOf: (invoice: InvoiceRecord) => string | undefined,
): string | undefined => {
  for (const invoice of invoices) {
    const refusal = refusalOf(invoice)
    if (refusal) return `${invoiceLabel(invoice)}：${refusal}`
  }
  return undefined
}

const platformOnlyRefusal = ({ channel }: InvoiceRecord): string | undefined =>
  channel === 'manual' ? '手工登记的发票请逐张办理' : undefined

/** 发票管理: every invoice with its state and actions. */
export default function InvoicesPage() {
  const { actionsOf, dialogs } = useInvoiceActions()
  const { open: issuePermission, red: redPermission } = menu.invoice.permissions
  const issueAll = async (ids: readonly string[]): Promise<boolean> => {
    const result = await sendAndInvalidate(issueInvoices, { ids })
    toast.success(`已提交开票平台 ${result.count} 张，进度见任务中心`)
    return true
  }
  const redAll = (invoices: readonly InvoiceRecord[]): Promise<boolean> =>
    confirmAndSend(redInvoices, {
      actionLabel: '红冲',
      unit: '张发票',
      count: invoices.length,
      consequences: ['每张把余下的金额全部红冲，完成后收款恢复为可开票', '只红冲一部分请逐张办理'],
      reason: { presets: ['抬头有误', '金额有误', '收款已退'] },
      input: { ids: invoices.map(invoice => String(invoice.id)) },
      doneText: result => `已提交红冲 ${result.count} 张，进度见任务中心`,
    })
  return (
    <>
      <ListPage
        list={listInvoices}
        itemName="发票"
        keywordPlaceholder="发票号/流水号/购买方/税号/对象"
        columns={listColumns}
        filters={[
          'invoiceType',
          'medium',
          'isRed',
          'channel',
          'issueTime',
          'createTime',
          'totalAmount',
          'redAmount',
          'buildCode',
          'state',
        ]}
        barFilters={['invoiceType', 'issueTime', 'isRed']}
        views={views}
        export={exportInvoices}
        primaryAction={{ label: '开票', needs: issuePermission, run: () => navigateTo(invoicePaths.waiting) }}
        rowActions={actionsOf}
        batchActions={[
          {
            label: '开具',
            needs: issuePermission,
            disabledReason: selection =>
              findFirstRefusal(
                selection.rows,
                invoice => platformOnlyRefusal(invoice) ?? issueRefusal(invoice),
              ) ?? (selection.count > 100 ? '一次最多 100 张' : undefined),
            run: selection => issueAll(selection.ids.map(String)),
          },
          {
            label: '红冲',
            needs: redPermission,
            danger: true,
            disabledReason: selection =>
              findFirstRefusal(
                selection.rows,
                invoice => platformOnlyRefusal(invoice) ?? redRefusal(invoice),
              ) ?? (selection.count > 50 ? '一次最多 50 张' : undefined),
            run: selection => redAll(selection.rows),
          },
        ]}
        drawer={{
          title: invoiceLabel,
          width: 880,
          status: invoice => <ChoiceStatus choices={invoiceState} value={invoice.state} />,
          loadCall: getInvoice,
          groups: invoiceGroups,
          afterGroups: invoice => hasParts(invoice) && <InvoiceDetail invoice={invoice} />,
          historyEntity: 'invoiceRecord',
          openAsPage: invoice => navigateTo(invoicePath(invoice.id)),
        }}
      />
      {dialogs}
    </>
  )
}
