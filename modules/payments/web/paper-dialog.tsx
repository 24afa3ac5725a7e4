import { Button, Modal } from 'antd'
import { useCallback, useRef, useState } from 'react'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { labelOf } from '#kit/contract/field.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import {
  docType as docTypes,
  paperSize,
  listPrintSettings,
} from '#modules/accounts/contract/print-settings.ts'
import { PrintSheet, getPaperDimensions, type PrintContent } from '#modules/accounts/web/public.ts'
import './cashier.css'

/** One document on its paper, looked at and printed, as its project's template says. */
export function PaperDialog({
  docType,
  project,
  title,
  content,
  onClose,
}: {
  readonly docType: ChoiceOf<typeof docTypes>
  readonly project?: string
  readonly title: string
  readonly content: PrintContent
  readonly onClose: () => void
}) {
  const set = useCall(listPrintSettings, project ? { estateCode: project } : {}, {
    quiet: true,
    project: 0,
    staleMs: 0,
  }).data?.find(s => s.docType === docType)
  const go = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  const done = useCallback(() => {
    setPrinting(false)
    onClose()
  }, [onClose])
  const [w, h] = set ? getPaperDimensions(set) : [210, 297]
  const sheets = set
    ? Array.from({ length: set.copies }, (_, copy) => (
        <PrintSheet key={copy} setting={set} content={content} copy={copy} />
      ))
    : []
  return (
    <Modal
      open
      width={960}
      title={title}
      onCancel={onClose}
      afterOpenChange={open => {
        if (open) {
          go.current?.focus()
        }
      }}
      footer={[
        <span key="paper" className="receipt-paper">
          {set ? `${labelOf(paperSize, set.paperSize)} · 每张 ${set.copies} 联` : ''}
        </span>,
        <Button key="no" onClick={onClose}>
          关闭
        </Button>,
        <Button
          key="go"
          type="primary"
          ref={go}
          disabled={!sheets.length || printing}
          onClick={() => setPrinting(true)}
        >
          打印
        </Button>,
      ]}
    >
      <div className="receipt-desk scroll">
        {sheets.length ? (
          sheets.map(s => (
            <div className="print-fit" key={s.key}>
              {s}
            </div>
          ))
        ) : (
          <p>正在准备…</p>
        )}
      </div>
      {printing && (
        <PrintOut width={w} height={h} onDone={done}>
          {sheets}
        </PrintOut>
      )}
    </Modal>
  )
}
