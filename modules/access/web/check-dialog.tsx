import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import type { Doorway } from '../contract/doorway.ts'
import { checkRight } from '../contract/reach.ts'
import './access.css'

interface CheckProps {
  readonly doorway: Doorway
  readonly onClose: () => void
}

/** Whether a card opens the door now, and because of what, or why not. */
export function CheckDialog({ doorway, onClose }: CheckProps) {
  const inputId = useId()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, isFetching } = useCall(
    checkRight,
    { doorwayId: doorway.id, cardNo: asked },
    { enabled: asked !== '', staleMs: 0 },
  )
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={`通行检查「${doorway.doorwayName}」`}
      width={440}
      footer={null}
      onCancel={onClose}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          setAsked(typed.trim())
        }}
        className="access-check"
      >
        <label htmlFor={inputId}>卡号</label>
        <div>
          <Input id={inputId} value={typed} maxLength={20} onChange={event => setTyped(event.target.value)} />
          <Button type="primary" htmlType="submit" disabled={!typed.trim()} loading={isFetching}>
            检查
          </Button>
        </div>
        <p role="status">
          {data && asked === typed.trim() && (
            <>
              <Status tone={data.isAllowed ? 'done' : 'bad'}>{data.isAllowed ? '可开门' : '不能开门'}</Status>
              {[data.holderName, data.reason, data.untilDate && `至 ${data.untilDate}`]
                .filter(Boolean)
                .join('，')}
            </>
          )}
        </p>
      </form>
    </Modal>
  )
}
