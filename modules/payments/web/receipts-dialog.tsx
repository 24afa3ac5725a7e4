import { defined } from '#kit/domain/defined.ts'
import { Button, Modal } from 'antd'
import { useCallback, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { navigateTo as walk } from '#kit/web/navigation.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { currentMinute } from '#kit/web/date-format.ts'
import { docType, paperSize } from '#modules/accounts/contract/print-settings.ts'
import { PrintSheet, getPaperDimensions, type PrintPaper } from '#modules/accounts/web/public.ts'
import { markReceiptsPrinted, getReceipts } from '../contract/receipt.ts'
import { receiptDocTypeOf } from '../domain/receipt.ts'
import { recordActionsOf } from './public.actions.ts'
import { buildReceiptContent, type Receipt } from './receipt-content.ts'

interface PrintRun {
  readonly key: string
  readonly size: readonly [number, number | undefined]
  readonly list: readonly Receipt[]
}

/** A printer takes one paper at a time: what lies on the same paper goes out together. */
const groupByPaperSize = (list: readonly Receipt[]): PrintRun[] =>
  [...Map.groupBy(list, r => getPaperDimensions(r.paper as PrintPaper).join('×'))].map(([key, mine]) => ({
    key,
    size: getPaperDimensions(defined(mine[0]).paper as PrintPaper),
    list: mine,
  }))

const docTypeLabelOf = (list: readonly Receipt[]): string => {
  const kinds = new Set(list.map(receiptDocTypeOf))
  return kinds.size === 1 ? labelOf(docType, defined([...kinds][0])) : '单据'
}

/**
 * Receipts by preview and printer; each printing is counted first, so that the next says 补打 and looks the
 * same (PAY-20).
 */
export function ReceiptsDialog({
  ids,
  onClose,
}: {
  readonly ids: readonly number[]
  readonly onClose: () => void
}) {
  const list = useCall(getReceipts, { ids: ids.map(String) }, { staleMs: 0, quiet: true })
  const go = useRef<HTMLButtonElement>(null)
  const [at] = useState(() => currentMinute())
  const [counted, setCounted] = useState<ReadonlyMap<number, number>>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const [run, setRun] = useState(0)
  const [taken, setTaken] = useState<readonly Receipt[]>()
  const may = usePermission()
  const only = list.data?.length === 1 ? list.data[0] : undefined
  // The till turns to its next customer as the dialog closes, which is a step of the address too: that one
  // first.
  const follow = (to: string): void => {
    onClose()
    setTimeout(() => walk(to), 0)
  }
  const shown = taken ?? list.data ?? []
  const runs = groupByPaperSize(shown)
  // The paper of the list may be another's change younger than what was counted: what was counted is printed.
  const print = async (): Promise<void> => {
    if (busy || !list.data) return
    setBusy(true)
    setFault('')
    try {
      const done = await sendAndInvalidate(markReceiptsPrinted, { ids: ids.map(String) }, { quiet: true })
      const by = new Map(done.rows.map(r => [r.id, r]))
      setTaken(list.data.map(r => ({ ...r, paper: by.get(r.id)?.paper ?? r.paper })))
      setCounted(new Map(done.rows.map(r => [r.id, r.nth])))
      setRun(0)
    } catch (e) {
      setFault(`没有打印：${e instanceof Error ? e.message : '登记打印没有成功'}`)
      setBusy(false)
    }
  }
  const next = useCallback(
    () =>
      setRun(n => {
        if (n + 1 >= runs.length) {
          setTimeout(onClose)
        }
        return n + 1
      }),
    [onClose, runs.length],
  )
  const sheets = (of: readonly Receipt[]) =>
    of.flatMap(r =>
      Array.from({ length: r.paper.copies }, (_, copy) => (
        <PrintSheet
          key={`${r.id}/${copy}`}
          setting={r.paper as PrintPaper}
          content={buildReceiptContent(r, at, counted?.get(r.id))}
          copy={copy}
        />
      )),
    )
  const now = runs[run]
  const first = shown[0]?.paper
  return (
    <Modal
      open
      width={960}
      title={`打印${docTypeLabelOf(shown)}（${ids.length} 张）`}
      onCancel={onClose}
      afterOpenChange={open => {
        if (open) {
          go.current?.focus()
        }
      }}
      footer={[
        fault ? (
          <span key="fault" role="alert" className="receipt-paper cashier-fault">
            {fault}
          </span>
        ) : (
          <span key="paper" className="receipt-paper">
            {first
              ? `${labelOf(paperSize, first.paperSize)} · 每张 ${first.copies} 联${runs.length > 1 ? `，共 ${runs.length} 种纸，依次打印` : ''}`
              : ''}
          </span>
        ),
        ...(only
          ? recordActionsOf(only)
              .filter(a => may(a.needs))
              .map(a => (
                <Button key={a.label} onClick={() => follow(a.pathOf(only))}>
                  {a.label}
                </Button>
              ))
          : []),
        <Button key="no" onClick={onClose}>
          关闭
        </Button>,
        <Button
          key="go"
          type="primary"
          ref={go}
          disabled={!shown.length}
          loading={busy}
          onClick={() => void print()}
        >
          打印
        </Button>,
      ]}
    >
      <div className="receipt-desk scroll">
        {list.isError ? (
          <p>{list.error.message}</p>
        ) : shown.length ? (
          sheets(shown).map(s => (
            <div className="print-fit" key={s.key}>
              {s}
            </div>
          ))
        ) : (
          <p>正在准备…</p>
        )}
      </div>
      {counted && now && (
        <PrintOut key={now.key} width={now.size[0]} height={now.size[1]} onDone={next}>
          {sheets(now.list)}
        </PrintOut>
      )}
    </Modal>
  )
}
