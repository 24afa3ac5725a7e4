import { useCallback, useState, type ReactNode } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { danger } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { later } from '#kit/web/later.tsx'
import { useNews } from '#kit/web/live.ts'
import { invalidate } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { today } from '#kit/web/when.ts'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import { cancelInvoice, issueInvoices } from '../contract/open.ts'
import { askInvoice, invoiceFile, type InvoiceRecord } from '../contract/record.ts'
import { cancelRefusal } from '../domain/invoice.ts'
import { menu } from '../module.ts'
import { openFor, seeInvoice } from './places.ts'
import { callIt } from './words.ts'

const dialogs = () => import('./act-dialogs.tsx')
const EditInvoiceDialog = later(() => dialogs().then(m => m.EditInvoiceDialog))
const NumberDialog = later(() => dialogs().then(m => m.NumberDialog))
const RedDialog = later(() => import('./red-dialog.tsx').then(m => m.RedDialog))

const sums = (r: InvoiceRecord): readonly (readonly [string, string])[] => [
  ['购买方', r.buyerName],
  ['价税合计', yuan(r.totalAmount, true)],
]

const cancel = (r: InvoiceRecord): Promise<boolean> =>
  danger({
    verb: '作废',
    what: '张发票',
    count: 1,
    title: `作废发票 ${callIt(r)}`,
    sums: sums(r),
    follows: [r.isRed ? '蓝字发票恢复为已开具；有收款已退的仍为待红冲' : '收款恢复为可开票'],
    reason: { presets: ['信息有误', '不再需要'] },
    run: async reason => tellDone(await act(cancelInvoice, { id: r.id, reason }, { quiet: true }), '已作废'),
  })

const ask = async (r: InvoiceRecord): Promise<void> => {
  const now = await act(askInvoice, { id: r.id })
  void invalidate(['invoiceRecord'])
  tellDone(
    undefined,
    now.state === 'doing'
      ? (now.failReason ?? '平台还没有开好，请稍后再查')
      : now.state === 'failed'
        ? `开具失败：${now.failReason ?? ''}`
        : `已有结果：${callIt(now)}`,
  )
}

const issue = async (r: InvoiceRecord): Promise<void> =>
  tellDone(await act(issueInvoices, { ids: [String(r.id)] } as never), '已提交开票平台')

/** What can be done with an invoice, and the dialogs for it; hears of results as they come. */
export function useInvoiceVerbs(): {
  readonly verbs: (r: InvoiceRecord) => Verbs
  readonly dialogs: ReactNode
} {
  const [open, set] = useState<{ readonly what: 'edit' | 'number' | 'red'; readonly of: InvoiceRecord }>()
  const close = (): void => set(undefined)
  const day = today()
  useNews(
    'invoice',
    useCallback(() => {
      void invalidate(['invoiceRecord', 'payRecord'])
    }, []),
  )
  const verbs = (r: InvoiceRecord): Verbs => {
    const waits = r.state === 'pending' || r.state === 'failed'
    const hand = r.channel === 'manual'
    const { open: mayOpen, red: mayRed, cancel: mayCancel } = menu.invoice.may
    return [
      waits &&
        ({
          label: r.state === 'failed' ? '重新开具' : '开具',
          may: r.isRed ? mayRed : mayOpen,
          run: () => (hand ? set({ what: 'number', of: r }) : issue(r)),
        } as Verb),
      r.state === 'doing' && ({ label: '查询结果', run: () => ask(r) } as Verb),
      waits && !r.isRed && ({ label: '编辑', may: mayOpen, run: () => set({ what: 'edit', of: r }) } as Verb),
      r.invoiceNo !== undefined &&
        r.channel === 'platform' &&
        ({
          label: '下载',
          run: async () => {
            await download(invoiceFile, { id: r.id })
          },
        } as Verb),
      { label: '查看详情', run: () => go(seeInvoice(r.id)) },
      (r.state === 'red' || r.state === 'cancelled' || (r.state === 'issued' && r.redAmount > 0)) &&
        !r.isRed &&
        ({ label: '重新开票', may: mayOpen, run: () => go(openFor(r.recordIds, r.id)) } as Verb),
      (r.state === 'issued' || r.state === 'redDue') &&
        !r.isRed &&
        ({ label: '红冲', may: mayRed, danger: true, run: () => set({ what: 'red', of: r }) } as Verb),
      (waits || (r.state === 'issued' && r.medium === 'paper' && !r.isRed)) &&
        ({
          label: '作废',
          may: mayCancel,
          danger: true,
          why: cancelRefusal(r, day),
          run: () => cancel(r),
        } as Verb),
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
