import { Button, Input, Modal, Radio } from 'antd'
import { useId, useState } from 'react'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import type { passageDirection } from '../contract/choices.ts'
import type { Doorway } from '../contract/doorway.ts'
import { checkRight } from '../contract/reach.ts'
import './access.css'

type PassageDirection = ChoiceOf<typeof passageDirection>

const directions: { readonly label: string; readonly value: PassageDirection }[] = [
  { label: '不限方向', value: 'both' },
  { label: '进入', value: 'entrance' },
  { label: '离开', value: 'exit' },
]

interface CheckProps {
  readonly doorway: Doorway
  readonly onClose: () => void
}

/** Whether a card opens the door now, and because of what, or why not. */
export function CheckDialog({ doorway, onClose }: CheckProps) {
  const inputId = useId()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const [direction, setDirection] = useState<PassageDirection>('both')
  const { data, isFetching } = useCall(
    checkRight,
    { doorwayId: doorway.id, cardNo: asked, direction },
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
        <label htmlFor={inputId}>卡号、邀请码或通行码</label>
        <div>
          <Input id={inputId} value={typed} maxLength={20} onChange={event => setTyped(event.target.value)} />
          <Button type="primary" htmlType="submit" disabled={!typed.trim()} loading={isFetching}>
            检查
          </Button>
        </div>
        <Radio.Group
          aria-label="方向"
          optionType="button"
          options={directions}
          value={direction}
          onChange={event => setDirection(event.target.value)}
        />
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
