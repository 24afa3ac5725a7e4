import { useCallback, useState, type ReactNode } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
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

const summaryLines = (r: InvoiceRecord): readonly (readonly [string, string])[] => [
  ['购买方', r.buyerName],
  ['价税合计', displayYuan(r.totalAmount, true)],
]

const confirmCancel = (r: InvoiceRecord): Promise<boolean> =>
  confirmDanger({
    actionLabel: '作废',
    unit: '张发票',
    count: 1,
    title: `作废发票 ${invoiceLabel(r)}`,
    affectedSums: summaryLines(r),
    consequences: [r.isRed ? '蓝字发票恢复为已开具；有收款已退的仍为待红冲' : '收款恢复为可开票'],
    reason: { presets: ['信息有误', '不再需要'] },
    run: async reason =>
      toastResult(await sendAndInvalidate(cancelInvoice, { id: r.id, reason }, { quiet: true }), '已作废'),
  })

const queryResult = async (r: InvoiceRecord): Promise<void> => {
  const now = await sendAndInvalidate(queryInvoice, { id: r.id })
  void invalidate(['invoiceRecord'])
  toastResult(
    undefined,
    now.state === 'doing'
      ? (now.failReason ?? '平台还没有开好，请稍后再查')
      : now.state === 'failed'
        ? `开具失败：${now.failReason ?? ''}`
        : `已有结果：${invoiceLabel(now)}`,
  )
}

const submitInvoice = async (r: InvoiceRecord): Promise<void> =>
  toastResult(await sendAndInvalidate(issueInvoices, { ids: [String(r.id)] }), '已提交开票平台')

/** What can be done with an invoice, and the dialogs for it; hears of results as they come. */
export function useInvoiceActions(): {
  readonly verbs: (r: InvoiceRecord) => Actions
  readonly dialogs: ReactNode
} {
  const [open, set] = useState<{ readonly what: 'edit' | 'number' | 'red'; readonly of: InvoiceRecord }>()
  const close = (): void => set(undefined)
  const day = today()
  useLiveUpdate(
    'invoice',
    useCallback(() => {
      void invalidate(['invoiceRecord', 'payRecord'])
    }, []),
  )
  const verbs = (r: InvoiceRecord): Actions => {
    const waits = r.state === 'pending' || r.state === 'failed'
    const hand = r.channel === 'manual'
    const { open: mayOpen, red: mayRed, cancel: mayCancel } = menu.invoice.permissions
    return [
      waits && {
        label: r.state === 'failed' ? '重新开具' : '开具',
        needs: r.isRed ? mayRed : mayOpen,
        run: () => (hand ? set({ what: 'number', of: r }) : submitInvoice(r)),
      },
      r.state === 'doing' && { label: '查询结果', run: () => queryResult(r) },
      waits && !r.isRed && { label: '编辑', needs: mayOpen, run: () => set({ what: 'edit', of: r }) },
      r.invoiceNo !== undefined &&
        r.channel === 'platform' && {
          label: '下载',
          run: async () => {
            await download(getInvoiceFile, { id: r.id })
          },
        },
      { label: '查看详情', run: () => navigateTo(invoicePath(r.id)) },
      (r.state === 'red' || r.state === 'cancelled' || (r.state === 'issued' && r.redAmount > 0)) &&
        !r.isRed && {
          label: '重新开票',
          needs: mayOpen,
          run: () => navigateTo(invoicingPath(r.recordIds, r.id)),
        },
      (r.state === 'issued' || r.state === 'redDue') &&
        !r.isRed && { label: '红冲', needs: mayRed, danger: true, run: () => set({ what: 'red', of: r }) },
      (waits || (r.state === 'issued' && r.medium === 'paper' && !r.isRed)) && {
        label: '作废',
        needs: mayCancel,
        danger: true,
        disabledReason: cancelRefusal(r, day),
        run: () => confirmCancel(r),
      },
    ]
  }
  return {
    verbs,
    dialogs: open && (
      <>
        {open.what === 'edit' && <EditInvoiceDialog of={open.of} onClose={close} />}
        {open.what === 'number' && <NumberDialog of={open.of} onClose={close} />}
        {open.what === 'red' && <RedDialog of={open.of} onClose={close} />}
      </>
    ),
  }
}
