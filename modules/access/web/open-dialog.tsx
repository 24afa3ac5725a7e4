import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { errorSentence } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { Status } from '#kit/web/status.tsx'
import type { Doorway } from '../contract/doorway.ts'
import { getOpenResult, getOpenRules, openDoorway } from '../contract/remote-open.ts'
import './access.css'

interface OpenProps {
  readonly of: readonly Doorway[]
  readonly onClose: () => void
}

const againMs = 1000

interface Sent {
  readonly taskId: Id
  readonly deviceName: string
}

/** Asked until it has ended; each answer waits some seconds for that. */
function OpenResult({ sent }: { readonly sent: Sent }) {
  const [hasEnded, setEnded] = useState(false)
  const { data } = useCall(
    getOpenResult,
    { taskId: sent.taskId },
    { staleMs: 0, quiet: true, refetchMs: hasEnded ? false : againMs },
  )
  if (data?.hasEnded && !hasEnded) {
    setEnded(true)
  }
  if (!data?.hasEnded) return <Status tone="doing">{`已发送到「${sent.deviceName}」，等待执行`}</Status>
  if (data.state === 'done') return <Status tone="done">门已打开</Status>
  return <Status tone="bad">{['未打开', data.reason ?? '设备未在时限内答复'].join('：')}</Status>
}

/** ACS-6: a door is opened from afar, with a reason where the project asks one; the result is shown. */
export function OpenDialog({ of: [doorway], onClose }: OpenProps) {
  return doorway && <OpenForm doorway={doorway} onClose={onClose} />
}

function OpenForm({ doorway, onClose }: { readonly doorway: Doorway; readonly onClose: () => void }) {
  const inputId = useId()
  const [reason, setReason] = useState('')
  const [sent, setSent] = useState<Sent>()
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const rules = useCall(getOpenRules, { id: doorway.id }).data
  const isMissing = rules?.needsReason === true && !reason.trim()
  const send = async (): Promise<void> => {
    setSending(true)
    setFault('')
    setSent(undefined)
    try {
      const typed = reason.trim()
      const input = { id: doorway.id, ...(typed ? { reason: typed } : {}) }
      setSent(await sendAndInvalidate(openDoorway, input, { quiet: true }))
    } catch (err) {
      setFault(errorSentence(err))
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={`远程开门「${doorway.doorwayName}」`}
      width={440}
      okText="开门"
      cancelText="关闭"
      okButtonProps={{ disabled: isMissing || !rules, loading: isSending }}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="access-check">
        <label htmlFor={inputId}>原因{rules?.needsReason ? '（必填）' : '（选填）'}</label>
        <Input
          id={inputId}
          value={reason}
          maxLength={200}
          onChange={event => setReason(event.target.value)}
        />
        <p role="status">
          {fault && <Status tone="bad">{fault}</Status>}
          {sent && <OpenResult key={sent.taskId} sent={sent} />}
        </p>
      </div>
    </Modal>
  )
}
