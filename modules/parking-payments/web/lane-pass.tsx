import { useState } from 'react'
import { saveStored } from '#kit/web/browser-store.ts'
import { send } from '#kit/web/send.ts'
import { enterByCode, leaveByCode } from '../contract/lane-pass.ts'
import { describeProblem } from './problem.ts'

export const carKeyName = 'parking.car'

const anonymous = { quiet: true, project: 0 } as const

interface Step {
  readonly isBusy: boolean
  readonly text: string | undefined
  readonly run: (action: () => Promise<string>) => Promise<void>
}

function useStep(): Step {
  const [isBusy, setBusy] = useState(false)
  const [text, setText] = useState<string>()
  const run = async (action: () => Promise<string>): Promise<void> => {
    setBusy(true)
    try {
      setText(await action())
    } catch (error) {
      setText(describeProblem(error))
    }
    setBusy(false)
  }
  return { isBusy, text, run }
}

interface PassProps {
  readonly code: string
  readonly carKey: string | undefined
}

/** A car without a plate comes in; this telephone keeps its number. */
export function EnterByCode({ code, carKey }: PassProps) {
  const { isBusy, text, run } = useStep()
  const enter = async (): Promise<string> => {
    const answer = await send(enterByCode, { code, carKey }, anonymous)
    if (!answer.isOpen) return answer.reason
    saveStored(carKeyName, answer.carKey)
    return `已开闸，编号 ${answer.plateNo}`
  }
  return (
    <section className="lane-pass" aria-label="无牌车入场">
      <p>无牌车或临时牌车，请停在道闸前，显示屏提示扫码后再入场。</p>
      <button
        type="button"
        className="big primary"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => void run(enter)}
      >
        无牌车入场
      </button>
      {text !== undefined && <p role="status">{text}</p>}
    </section>
  )
}

/** Nothing sees whether a car is there: the booth lets it in. */
export const EnterAtBooth = () => (
  <section className="lane-pass" aria-label="无牌车入场">
    <p>本入口没有车牌识别相机，无牌车请联系岗亭登记入场。</p>
  </section>
)

interface EnteredProps {
  readonly plateNo: string
  readonly onFee: () => void
}

/** The car that this telephone brought in, while it is inside. */
export const EnteredCar = ({ plateNo, onFee }: EnteredProps) => (
  <section className="lane-pass" aria-label="本机车辆">
    <p role="status">已入场，编号 {plateNo}；出场时请用本机扫描出口二维码。</p>
    <button type="button" className="big" onClick={onFee}>
      查询停车费
    </button>
  </section>
)

interface LeaveProps {
  readonly code: string
  readonly carKey: string
  readonly plateNo: string
  readonly onDue: () => void
}

/** The same car at an exit: out, or to its fee. */
export function LeaveByCode({ code, carKey, plateNo, onDue }: LeaveProps) {
  const { isBusy, text, run } = useStep()
  const leave = async (): Promise<string> => {
    const answer = await send(leaveByCode, { code, carKey }, anonymous)
    if (answer.due > 0) {
      onDue()
    }
    return answer.isOpen ? '已开闸，请离场' : answer.reason
  }
  return (
    <section className="lane-pass" aria-label="无牌车出场">
      <p>本机车辆：{plateNo}</p>
      <button
        type="button"
        className="big primary"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => void run(leave)}
      >
        无牌车离场
      </button>
      {text !== undefined && <p role="status">{text}</p>}
    </section>
  )
}
