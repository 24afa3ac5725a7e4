import { Button, Modal } from 'antd'
import { useCallback, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { inCapitals } from '#kit/domain/money.ts'
import { act } from '#kit/web/acts.ts'
import { yuan } from '#kit/web/figure.tsx'
import { go as walk } from '#kit/web/go.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { momentText } from '#kit/web/when.ts'
import { paperSize, printSettings } from '#modules/accounts/contract/print.ts'
import { PrintSheet, type PrintContent } from '#modules/accounts/web/public.ts'
import { payMethod } from '../contract/choices.ts'
import { printedReceipts, receipts } from '../contract/receipt.ts'
import { periodWords } from '#modules/bills/web/public.tsx'
import { recordActs } from './public.acts.ts'

type Receipt = NonNullable<typeof receipts.output.T>[number]
const methodWords = (r: Receipt): string => r.methods.map(m => (r.methods.length > 1 ? `${labelOf(payMethod, m.method)} ${yuan(m.amount)}` : labelOf(payMethod, m.method))).join('，')
const title: Partial<Record<Receipt['recordType'], string>> = { prestore: '预存充值' }
/** What stands on one receipt; a record without bills says what the money is for. */
function contentOf(r: Receipt, printedAt: string): PrintContent {
  const rows = r.details.map(d => [d.feeItemName, d.sourceName, periodWords(d.beginDate, d.endDate), yuan(d.principal), d.lateFee ? yuan(d.lateFee) : '', yuan(d.principal + d.lateFee)])
  const net = r.receivedAmount - r.changeAmount
  return {
    facts: [
      { part: 'no', label: '收据号', value: `${r.receiptNo ?? r.recordNo}${r.printCount ? `（补打第 ${r.printCount} 次）` : ''}${r.state === 'voided' ? '（已作废）' : ''}` }, { part: 'date', label: '日期', value: r.payTime.slice(0, 16) },
      { part: 'payer', label: '缴费人', value: r.payerName ?? '--' }, { part: 'room', label: '对象', value: r.sourceName },
    ],
    columns: [{ label: '收费项目' }, { label: '对象' }, { part: 'period', label: '账期' }, { label: '本金', right: true }, { part: 'lateFee', label: '违约金', right: true }, { label: '金额', right: true }],
    rows: rows.length ? rows : [[title[r.recordType] ?? '收款', r.sourceName, '', yuan(net), '', yuan(net)]],
    total: ['合计', '', '', '', '', yuan(net)],
    lines: [{ part: 'capitals', label: '人民币（大写）', value: inCapitals(net) }, { part: 'method', label: '支付方式', value: methodWords(r) }, ...(r.roundOff ? [{ part: 'discount' as const, label: '抹零', value: yuan(r.roundOff) }] : []), { part: 'operator', label: '收款人', value: r.cashierName ?? '' }],
    ...(r.remark ? { remark: r.remark } : {}), signatures: ['收款人', '缴费人'], printedAt,
  }
}

/** Receipts by preview and printer; each printing is counted, so that the next says 补打 (PAY-20). */
export function ReceiptsDialog({ ids, onClose }: { readonly ids: readonly number[]; readonly onClose: () => void }) {
  const list = useCall(receipts, { ids: ids.map(String) }, { fresh: 0 }), set = useCall(printSettings, undefined, { quiet: true, project: 0 }).data?.find(s => s.docType === 'receipt'), company = useSession(s => s.signed?.manager.companyName) ?? ''
  const may = usePermission(), only = list.data?.length === 1 ? list.data[0] : undefined
  const go = useRef<HTMLButtonElement>(null), [printing, setPrinting] = useState(false), [at] = useState(() => momentText()), done = useCallback(() => { setPrinting(false); onClose() }, [onClose])
  // The till turns to its next customer as the dialog closes, which is a step of the address too: that one first.
  const follow = (to: string): void => { onClose(); setTimeout(() => walk(to), 0) }
  const width = set?.paperSize === 'roll' ? 80 : 241, sheets = set && list.data ? list.data.flatMap(r => Array.from({ length: set.copies }, (_, copy) => <PrintSheet key={`${r.id}/${copy}`} setting={set as never} company={company} content={contentOf(r, at)} copy={copy} />)) : []
  const size: Record<string, readonly [number, number | undefined]> = { a4: [210, 297], a5: [148, 210], third: [241, 93], roll: [80, undefined], half: [241, 140] }
  const [w, h] = set ? size[set.paperSize] ?? [width, undefined] : [width, undefined]
  return (
    <Modal open width={960} title={`打印收据（${ids.length} 张）`} onCancel={onClose} afterOpenChange={open => { if (open) go.current?.focus() }} footer={[<span key="paper" className="receipt-paper">{set ? `${labelOf(paperSize, set.paperSize)} · 每张 ${set.copies} 联` : ''}</span>, ...(only ? recordActs(only).filter(a => may(a.may)).map(a => <Button key={a.label} onClick={() => follow(a.to(only))}>{a.label}</Button>) : []), <Button key="no" onClick={onClose}>关闭</Button>, <Button key="go" type="primary" ref={go} disabled={!sheets.length || printing} onClick={() => { setPrinting(true); void act(printedReceipts, { ids: ids.map(String) }, { quiet: true }) }}>打印</Button>]}>
      <div className="receipt-desk scroll">{list.isError ? <p>{list.error.message}</p> : sheets.length ? sheets.map(s => <div className="print-fit" key={s.key}>{s}</div>) : <p>正在准备…</p>}</div>
      {printing && <PrintOut width={set?.landscape && h ? h : w} height={set?.landscape && h ? w : h} onDone={done}>{sheets}</PrintOut>}
    </Modal>
  )
}
