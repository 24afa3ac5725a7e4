import { useState } from 'react'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { getMyDuty, setMyDuty } from '../contract/person-config.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'

const pauseEnds: readonly (readonly [string, (now: Moment) => Moment | undefined])[] = [
  ['1 小时', now => addMinutes(now, 60)],
  ['2 小时', now => addMinutes(now, 120)],
  ['今天', now => `${dayOfMoment(now)} 23:59:59`],
  ['直到恢复', () => undefined],
]

/** 暂停接单: somebody who has paused is given no new order; what is in hand stays. */
export function MobileDuty() {
  const duty = useCall(getMyDuty, undefined, { quiet: true, project: 0 })
  const change = useSend(setMyDuty, { quiet: true, project: 0 })
  const [isChoosing, setChoosing] = useState(false)
  const [fault, setFault] = useState<string>()
  if (!duty.data) return null
  const { isPaused, pausedUntil } = duty.data
  const set = async (pause: boolean, end?: Moment): Promise<void> => {
    setChoosing(false)
    setFault(undefined)
    try {
      await change.mutateAsync({ isPaused: pause, ...(end === undefined ? {} : { pausedUntil: end }) })
      await duty.refetch()
    } catch (error) {
      setFault(describeRefusal(error, '网络已断开，接单状态未改变'))
    }
  }
  return (
    <>
      <button
        type="button"
        className="duty"
        role="switch"
        aria-checked={isPaused}
        disabled={change.isPending}
        onClick={() => (isPaused ? void set(false) : setChoosing(!isChoosing))}
      >
        暂停接单
        {isPaused && pausedUntil && <small>至 {pausedUntil.slice(5, 16)}</small>}
      </button>
      {isChoosing && (
        <div className="duty-choice" role="group" aria-label="暂停多久">
          {pauseEnds.map(([label, endOf]) => (
            <button
              type="button"
              className="big"
              key={label}
              onClick={() => void set(true, endOf(fromInstant(serverNow())))}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {fault && (
        <p className="duty-choice fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
