import type { Day } from '#kit/domain/day.ts'
import { useCallback, useState, type ReactNode } from 'react'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useLiveUpdate } from '#kit/web/live.ts'
import { invalidate } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { today } from '#kit/web/date-format.ts'
import type { Actions } from '#kit/web/action.tsx'
import { cancelInvoice, issueInvoices } from '../contract/invoicing.ts'
import { queryInvoice, getInvoiceFile, type InvoiceRecord } from '../contract/record.ts'
import { cancelRefusal } from '../domain/invoice.ts'
import { menu } from '../module.ts'
import { invoicingPath, invoicePath } from './paths.ts'
import { invoiceLabel } from './labels.ts'

const loadDialogs = () => import('./action-dialogs.tsx')
const EditInvoiceDialog = lazyComponent(() => loadDialogs().then(m => m.EditInvoiceDialog))
const NumberDialog = lazyComponent(() => loadDialogs().then(m => m.NumberDialog))
const RedDialog = lazyComponent(() => import('./red-dialog.tsx').then(m => m.RedDialog))

const summaryLines = (invoice: InvoiceRecord): readonly (readonly [string, string])[] => [
  ['购买方', invoice.buyerName],
  ['价税合计', displayYuanWithSymbol(invoice.totalAmount)],
]

const confirmCancel = (invoice: InvoiceRecord): Promise<boolean> =>
  confirmAndSend(cancelInvoice, {
    actionLabel: '作废',
    unit: '张发票',
    title: `作废发票 ${invoiceLabel(invoice)}`,
    affectedSums: summaryLines(invoice),
    consequences: [invoice.isRed ? '蓝字发票恢复为已开具；有收款已退的仍为待红冲' : '收款恢复为可开票'],
    reason: { presets: ['信息有误', '不再需要'] },
    input: { id: invoice.id },
  })

const describeResult = (invoice: InvoiceRecord): string => {
  if (invoice.state === 'doing') return invoice.failReason ?? '平台尚未开好，请稍后再查'
  return invoice.state === 'failed'
    ? `开具失败：${invoice.failReason ?? ''}`
    : `已有结果：${invoiceLabel(invoice)}`
}

const queryResult = async (invoice: InvoiceRecord): Promise<void> => {
  const current = await sendAndInvalidate(queryInvoice, { id: invoice.id })
  void invalidate(['invoiceRecord'])
  toastResult(undefined, describeResult(current))
}

const submitInvoice = async (invoice: InvoiceRecord): Promise<void> =>
  toastResult(await sendAndInvalidate(issueInvoices, { ids: [String(invoice.id)] }), '已提交开票平台')

interface OpenDialog {
  readonly kind: 'edit' | 'number' | 'red'
  readonly invoice: InvoiceRecord
}

const permissions = menu.invoice.permissions
const isWaiting = ({ state }: InvoiceRecord): boolean => state === 'pending' || state === 'failed'

const issueActions = (invoice: InvoiceRecord, openDialog: (dialog: OpenDialog) => void): Actions => [
  isWaiting(invoice) && {
    label: invoice.state === 'failed' ? '重新开具' : '开具',
    needs: invoice.isRed ? permissions.red : permissions.open,
    run: () =>
      invoice.channel === 'manual' ? openDialog({ kind: 'number', invoice }) : submitInvoice(invoice),
  },
  invoice.state === 'doing' && { label: '查询结果', run: () => queryResult(invoice) },
  isWaiting(invoice) &&
    !invoice.isRed && {
      label: '编辑',
      needs: permissions.open,
      run: () => openDialog({ kind: 'edit', invoice }),
    },
  invoice.invoiceNo !== undefined &&
    invoice.channel === 'platform' && {
      label: '下载',
      run: async () => {
        await download(getInvoiceFile, { id: invoice.id })
      },
    },
]

const takeBackActions = (
  invoice: InvoiceRecord,
  openDialog: (dialog: OpenDialog) => void,
  day: Day,
): Actions => {
  const { state, isRed } = invoice
  const isTakenBack =
    state === 'red' || state === 'cancelled' || (state === 'issued' && invoice.redAmount > 0)
  const isIssuedPaper = state === 'issued' && invoice.medium === 'paper' && !isRed
  return [
    isTakenBack &&
      !isRed && {
        label: '重新开票',
        needs: permissions.open,
        run: () => navigateTo(invoicingPath(invoice.recordIds, invoice.id)),
      },
    (state === 'issued' || state === 'redDue') &&
      !isRed && {
        label: '红冲',
        needs: permissions.red,
        danger: true,
        run: () => openDialog({ kind: 'red', invoice }),
      },
    (isWaiting(invoice) || isIssuedPaper) && {
      label: '作废',
      needs: permissions.cancel,
      danger: true,
      disabledReason: cancelRefusal(invoice, day),
      run: () => confirmCancel(invoice),
    },
  ]
}

/** The actions of an invoice and their dialogs; shown invoices are updated as results arrive. */
export function useInvoiceActions(): {
  readonly actionsOf: (invoice: InvoiceRecord) => Actions
  readonly dialogs: ReactNode
} {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  const day = today()
  useLiveUpdate(
    'invoice',
    useCallback(() => {
      void invalidate(['invoiceRecord', 'payRecord'])
    }, []),
  )
  return {
    actionsOf: invoice => [
      ...issueActions(invoice, setDialog),
      { label: '查看详情', run: () => navigateTo(invoicePath(invoice.id)) },
      ...takeBackActions(invoice, setDialog, day),
    ],
    dialogs: dialog && (
      <>
        {dialog.kind === 'edit' && <EditInvoiceDialog invoice={dialog.invoice} onClose={close} />}
        {dialog.kind === 'number' && <NumberDialog invoice={dialog.invoice} onClose={close} />}
        {dialog.kind === 'red' && <RedDialog invoice={dialog.invoice} onClose={close} />}
      </>
    ),
  }
}
