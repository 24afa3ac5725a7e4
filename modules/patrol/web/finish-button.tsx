import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { finishOwnRound } from '../contract/round.ts'
import type { ShownRound } from './rounds.ts'

interface FinishButtonProps {
  readonly round: ShownRound
  /** Signs that the server does not have yet: it would count their points as missed. */
  readonly waits: boolean
  readonly onFinished: () => void
}

/** Ends a round of which a point cannot be reached. */
export function FinishButton({ round, waits, onFinished }: FinishButtonProps) {
  const missing = round.points.length - round.done
  if (round.state !== 'running' || missing === 0) return null
  const finish = async (): Promise<void> => {
    const isAgreed = await confirm({
      title: '结束巡更',
      text: `还有 ${missing} 个点位未签到，结束后计为漏检。`,
      okLabel: '结束巡更',
    })
    if (!isAgreed) return
    await sendAndInvalidate(finishOwnRound, { id: round.id })
    onFinished()
  }
  return (
    <button type="button" className="big more" disabled={waits} onClick={() => void finish()}>
      {waits ? '上传签到后可结束' : '结束巡更'}
    </button>
  )
}
