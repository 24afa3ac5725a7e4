import { Button, Modal } from 'antd'
import { useCallback, useRef, useState } from 'react'
import { type ChoiceOf, labelOf } from '#kit/contract/field.ts'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import {
  docType as docTypes,
  paperSize,
  listPrintSettings,
} from '#modules/accounts/contract/print-settings.ts'
import { PrintSheet, getPaperDimensions, type PrintContent } from '#modules/accounts/web/public.ts'
import { PrintPreviewBody } from './print-preview-body.tsx'
import './cashier.css'

/** One document on its paper, looked at and printed, as its project's template says. */
export function PrintDialog({
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
  useFocusReturn()
  const setting = useCall(listPrintSettings, project ? { estateCode: project } : {}, {
    quiet: true,
    project: 0,
    staleMs: 0,
  }).data?.find(s => s.docType === docType)
  const printButton = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  const closeAfterPrint = useCallback(() => {
    setPrinting(false)
    onClose()
  }, [onClose])
  const [width, height] = setting ? getPaperDimensions(setting) : [210, 297]
  const sheets = setting
    ? Array.from({ length: setting.copies }, (_, copy) => (
        <PrintSheet key={copy} setting={setting} content={content} copy={copy} />
      ))
    : []
  return (
    <Modal
      open
      width={960}
      title={title}
      onCancel={onClose}
      afterOpenChange={isOpen => {
        if (isOpen) {
          printButton.current?.focus()
        }
      }}
      footer={[
        <span key="paper" className="receipt-paper">
          {setting ? `${labelOf(paperSize, setting.paperSize)} · 每张 ${setting.copies} 联` : ''}
        </span>,
        <Button key="no" onClick={onClose}>
          关闭
        </Button>,
        <Button
          key="go"
          type="primary"
          ref={printButton}
          disabled={!sheets.length || printing}
          onClick={() => setPrinting(true)}
        >
          打印
        </Button>,
      ]}
    >
      <PrintPreviewBody>
        {sheets.length ? (
          sheets.map(s => (
            <div className="print-fit" key={s.key}>
              {s}
            </div>
          ))
        ) : (
          <RowSkeleton rows={8} />
        )}
      </PrintPreviewBody>
      {printing && (
        <PrintOut width={width} height={height} onDone={closeAfterPrint}>
          {sheets}
        </PrintOut>
      )}
    </Modal>
  )
}
