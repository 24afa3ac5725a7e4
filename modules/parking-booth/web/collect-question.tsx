import { Modal } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { boothPayMethod, collectAtBooth } from '../contract/booth-money.ts'

/** What was due when the question was put; it must still be that (PAY-1). */
export interface AskedFee {
  readonly stayId: Id
  readonly plateNo: string
  readonly due: Fen
  readonly payMethod: 'cash' | 'card'
}

interface QuestionProps {
  readonly asked: AskedFee
  /** After it was collected or refused. */
  readonly onAnswered: () => void
  readonly onClose: () => void
}

/** One key takes no money: the amount is confirmed, by Enter. */
export function CollectQuestion({ asked, onAnswered, onClose }: QuestionProps) {
  const { stayId, plateNo, due, payMethod } = asked
  const sending = useSend(collectAtBooth)
  const amount = `${displayYuan(due)} 元`
  const collect = async () => {
    await sending.mutateAsync({ id: stayId, amount: due, payMethod })
    toast.success(`已收取「${plateNo}」停车费 ${amount}`)
  }
  const answered = () => {
    onAnswered()
    onClose()
  }
  return (
    <Modal
      open
      width={400}
      title={`收取「${plateNo}」停车费`}
      okText={`确认收取 ${amount}`}
      okButtonProps={{ autoFocus: true, loading: sending.isPending }}
      onOk={() => void collect().then(answered, answered)}
      onCancel={onClose}
    >
      <p>
        {labelOf(boothPayMethod, payMethod)} <b>{amount}</b>，收到后确认；收取后车辆在出口等候的随即开闸。
      </p>
    </Modal>
  )
}
