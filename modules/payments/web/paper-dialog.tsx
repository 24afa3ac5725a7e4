import { Button, Modal } from 'antd'
import { useCallback, useRef, useState } from 'react'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { labelOf } from '#kit/contract/field.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { docType as docTypes, paperSize, printSettings } from '#modules/accounts/contract/print.ts'
import { PrintSheet, type PrintContent } from '#modules/accounts/web/public.ts'
import './cashier.css'

const sizes: Readonly<Record<string, readonly [number, number | undefined]>> = { a4: [210, 297], a5: [148, 210], third: [241, 93], roll: [80, undefined], half: [241, 140] }
/** One document on its paper, looked at and printed, as its kind is set up. */
export function PaperDialog({ docType, title, content, onClose }: { readonly docType: ChoiceOf<typeof docTypes>; readonly title: string; readonly content: PrintContent; readonly onClose: () => void }) {
  const set = useCall(printSettings, undefined, { quiet: true, project: 0 }).data?.find(s => s.docType === docType), company = useSession(s => s.signed?.manager.companyName) ?? '', go = useRef<HTMLButtonElement>(null), [printing, setPrinting] = useState(false), done = useCallback(() => { setPrinting(false); onClose() }, [onClose])
  const [w, h] = sizes[set?.paperSize ?? 'a4'] ?? [210, 297], sheets = set ? Array.from({ length: set.copies }, (_, copy) => <PrintSheet key={copy} setting={set as never} company={company} content={content} copy={copy} />) : []
  return (
    <Modal open width={960} title={title} onCancel={onClose} afterOpenChange={open => { if (open) go.current?.focus() }} footer={[<span key="paper" className="receipt-paper">{set ? `${labelOf(paperSize, set.paperSize)} · 每张 ${set.copies} 联` : ''}</span>, <Button key="no" onClick={onClose}>关闭</Button>, <Button key="go" type="primary" ref={go} disabled={!sheets.length || printing} onClick={() => setPrinting(true)}>打印</Button>]}>
      <div className="receipt-desk scroll">{sheets.length ? sheets.map(s => <div className="print-fit" key={s.key}>{s}</div>) : <p>正在准备…</p>}</div>
      {printing && <PrintOut width={set?.landscape && h ? h : w} height={set?.landscape && h ? w : h} onDone={done}>{sheets}</PrintOut>}
    </Modal>
  )
}
