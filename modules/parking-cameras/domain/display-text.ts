import { displayYuan, type Fen } from '#kit/domain/money.ts'

interface Decided {
  readonly isOpen: boolean
  readonly reason: string
  readonly plateNo: string
  readonly due: Fen
}

/** Nobody reads more at a barrier. */
const maxLine = 30

/** What the lane shows and says: the plate, then why or how much. */
export const displayLines = ({ isOpen, reason, plateNo, due }: Decided): readonly string[] =>
  [plateNo, due > 0 && !isOpen ? `请缴费 ${displayYuan(due)} 元` : reason].map(line => line.slice(0, maxLine))

export const waitingLines: readonly string[] = ['请稍候', '正在核对车牌']
export const unlicensedLines: readonly string[] = ['未识别到车牌', '请扫码或联系岗亭']
