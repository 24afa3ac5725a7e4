import { Button, Input, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import type { Elevator } from '../contract/elevator.ts'
import { checkFloor } from '../contract/right.ts'
import './elevators.css'

interface Asked {
  readonly cardNo: string
  readonly floor: string
}

/** The answer for a card and a floor, in one line. */
function CheckResult({ lift, asked }: { readonly lift: Elevator; readonly asked: Asked }) {
  const { data } = useCall(checkFloor, { elevatorId: lift.id, ...asked }, { staleMs: 0 })
  if (!data) return null
  const facts = [data.holderName, data.reason, data.untilDate && `至 ${data.untilDate}`, data.hint]
  return (
    <>
      <Status tone={data.isAllowed ? 'done' : 'bad'}>{data.isAllowed ? '可到达' : '不能到达'}</Status>
      {facts.filter(Boolean).join('，')}
    </>
  )
}

/** Whether a card goes to a floor now, and because of what, or why not. */
export function CheckDialog({ lift, onClose }: { readonly lift: Elevator; readonly onClose: () => void }) {
  const cardId = useId()
  const floorId = useId()
  const [cardNo, setCardNo] = useState('')
  const [floor, setFloor] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const typed = cardNo.trim()
  const isCurrent = asked?.cardNo === typed && asked.floor === floor
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={`乘梯检查「${lift.name}」`}
      width={440}
      footer={null}
      onCancel={onClose}
    >
      <form
        className="elevator-check"
        onSubmit={event => {
          event.preventDefault()
          if (typed && floor !== undefined) {
            setAsked({ cardNo: typed, floor })
          }
        }}
      >
        <label htmlFor={cardId}>卡号、邀请码或通行码</label>
        <Input id={cardId} value={cardNo} maxLength={20} onChange={event => setCardNo(event.target.value)} />
        <label htmlFor={floorId}>楼层</label>
        <Select
          id={floorId}
          value={floor ?? null}
          placeholder="请选择楼层"
          options={(lift.floorList ?? []).map(value => ({ value, label: `${value} 层` }))}
          onChange={value => setFloor(value ?? undefined)}
        />
        <Button type="primary" htmlType="submit" disabled={!typed || floor === undefined}>
          检查
        </Button>
        <p role="status">{asked && isCurrent && <CheckResult lift={lift} asked={asked} />}</p>
      </form>
    </Modal>
  )
}
