import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { correctPlate, releaseStay } from '#modules/parking-lanes/contract/stay.ts'
import { releaseUnseen, repriceAtBooth } from '../contract/booth-money.ts'
import { openLane, passLane } from '../contract/lane-view.ts'
import { answerText } from './lane-text.ts'
import type { LaneEvent, LaneView } from './live-lanes.ts'

/** The lane and its car as they were when the dialog opened: what comes after them changes nothing in it. */
export interface LaneCar {
  readonly lane: LaneView
  readonly event: LaneEvent | undefined
  /** A car whose record is inside. */
  readonly stayId: Id
  readonly due: Fen
}

const plateOf = ({ event }: LaneCar): string => event?.plateNo ?? ''

export const ReleaseDialog = actionDialog({
  call: releaseStay,
  title: (car: LaneCar) => `放行「${plateOf(car)}」`,
  submitLabel: '放行',
  keys: [
    { key: 'isFree', wide: true },
    { key: 'reason', wide: true },
  ],
  target: ({ lane, stayId }) => ({ id: stayId, outLaneId: lane.laneId }),
  initial: ({ due }) => ({ isFree: due > 0 }),
  doneText: car => `已放行「${plateOf(car)}」`,
})

/** What is due, and what of it is let off. */
const LetOff = ({ due, amount }: { readonly due: Fen; readonly amount: Fen | undefined }) => (
  <p>
    待收 {displayYuan(due)} 元
    {amount !== undefined && amount < due && `，减免 ${displayYuan(subtractFen(due, amount))} 元`}
  </p>
)

export const RepriceDialog = actionDialog({
  call: repriceAtBooth,
  title: (car: LaneCar) => `改价「${plateOf(car)}」`,
  submitLabel: '确认收取',
  danger: true,
  keys: ['amount', 'payMethod', { key: 'reason', wide: true, help: '记入交接班' }],
  target: ({ lane, stayId, due }) => ({ id: stayId, laneId: lane.laneId, due }),
  initial: () => ({ payMethod: 'cash' as const }),
  rules: ({ amount }, { due }) =>
    amount < due ? undefined : { amount: '应小于待收金额，按原价的请直接收费' },
  below: ({ amount }, { due }) => <LetOff due={due} amount={amount} />,
  doneText: (car, { paidAmount, waivedAmount }) =>
    `已收取「${plateOf(car)}」停车费 ${displayYuan(paidAmount)} 元，减免 ${displayYuan(waivedAmount)} 元`,
})

export const CorrectDialog = actionDialog({
  call: correctPlate,
  title: (car: LaneCar) => `修改「${plateOf(car)}」的车牌`,
  submitLabel: '修改',
  keys: ['plateNo', { key: 'reason', wide: true }],
  target: ({ stayId }) => ({ id: stayId }),
  doneText: (_, stay) => `已改为「${stay.plateNo}」`,
})

/** A car that nobody saw come in: no fee can be computed, so the booth enters what it takes. */
export const UnseenDialog = actionDialog({
  call: releaseUnseen,
  title: (car: LaneCar) => `无入场放行「${plateOf(car)}」`,
  submitLabel: '放行',
  keys: [
    'amount',
    { key: 'payMethod', isHidden: ({ amount }) => !amount },
    { key: 'reason', wide: true, help: '记入交接班；收取金额的，请说明金额的依据' },
  ],
  target: car => ({ laneId: car.lane.laneId, plateNo: plateOf(car) }),
  initial: () => ({ payMethod: 'cash' as const }),
  doneText: car => `已放行「${plateOf(car)}」`,
})

export const OpenDialog = actionDialog({
  call: openLane,
  title: ({ lane }: LaneCar) => `远程开闸「${lane.laneName}」`,
  submitLabel: '开闸',
  keys: [{ key: 'reason', wide: true, help: '记入交接班；是否已开闸见车道' }],
  target: ({ lane, event }) => ({
    laneId: lane.laneId,
    ...(lane.isWaiting && event ? { plateNo: event.plateNo } : {}),
  }),
  doneText: ({ lane }) => `已请「${lane.laneName}」开闸`,
})

interface PassProps {
  readonly car: LaneCar
  /** The plate was misread at the exit: the car is decided again by the right one. */
  readonly isCorrection: boolean
  readonly onClose: () => void
}

/** 登记通行: a car that no camera reported, or reported with another plate. */
export function PassDialog({ car: { lane, event }, isCorrection, onClose }: PassProps) {
  const sending = useSend(passLane, { quiet: true })
  const [initial] = useState(() => ({
    passKey: `booth-${crypto.randomUUID()}`,
    projectCode: lane.projectCode,
    laneId: lane.laneId,
    ...(isCorrection && event ? { way: event.way } : {}),
  }))
  const wayKeys = lane.direction === 'both' ? ['way'] : []
  const plateKey = isCorrection
    ? { key: 'plateNo', help: '按正确的车牌重新判断，可以通过的随即开闸' }
    : 'plateNo'
  const groups = [{ keys: [plateKey, ...wayKeys, { key: 'hasPassed', wide: true }] }]
  const { laneId, passKey } = initial
  return (
    <EditDialog
      shape={passLane.input}
      title={isCorrection ? `修改「${event?.plateNo ?? ''}」的车牌` : `登记通行「${lane.laneName}」`}
      groups={groups}
      initial={initial}
      draftKey={undefined}
      submitLabel={isCorrection ? '修改' : '登记'}
      presentation="dialog"
      save={values => sending.mutateAsync({ ...values, laneId, passKey })}
      onClose={onClose}
      onDone={answer => {
        if (answer.isOpen) {
          toast.success(answerText(answer))
        } else {
          toast.warning(answerText(answer))
        }
        onClose()
      }}
    />
  )
}
