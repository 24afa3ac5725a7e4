import { useEffect, useState } from 'react'
import { fromInstant } from '#kit/domain/moment.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import { clockBars, type ClockBar, type OrderDetail } from './clock-bars.ts'
import { formatMinutes } from './time-left.ts'
import './orders.css'

/** The current moment, updated each second while something counts. */
function useNow(isCounting: boolean) {
  const [now, setNow] = useState(() => fromInstant(Date.now()))
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => setNow(fromInstant(Date.now())), 1000)
    return () => clearInterval(timer)
  }, [isCounting])
  return now
}

const secondsPerHour = 3600

/** Minutes, and seconds too within the last hour: what runs is seen to run. */
const formatCountdown = (seconds: number): string => {
  const s = Math.abs(Math.round(seconds))
  return s < secondsPerHour ? `${Math.floor(s / 60)} 分 ${s % 60} 秒` : formatMinutes(s / 60)
}

function headline({ state, seconds = 0, isLate }: ClockBar): string {
  if (state === 'off') return '未计时'
  if (state === 'done') return formatMinutes(seconds / 60)
  if (state === 'paused') return '暂停计时'
  return seconds < 0 || isLate ? `超时 ${formatCountdown(seconds)}` : `还剩 ${formatCountdown(seconds)}`
}

function note(bar: ClockBar, finishMinutesLeft: number | undefined): string {
  const paused = bar.pausedMinutes ? `已扣除挂起 ${formatMinutes(bar.pausedMinutes)}` : ''
  if (bar.state === 'paused')
    return finishMinutesLeft === undefined || bar.key !== 'finish'
      ? ''
      : `恢复后还有 ${formatMinutes(finishMinutesLeft)}`
  if (bar.state === 'running' && bar.deadline)
    return [`${relativeText(bar.deadline)} 到期`, paused].filter(Boolean).join('，')
  return [bar.isLate ? `${bar.label}超时` : '', paused].filter(Boolean).join('，')
}

const limitText = (limitMinutes: number | undefined, isExtended: boolean): string => {
  const limit = limitMinutes === undefined ? '无时限' : `时限 ${formatMinutes(limitMinutes)}`
  return isExtended ? `${limit}，已延期` : limit
}

interface ClockProps {
  readonly bar: ClockBar
  readonly isExtended: boolean
  readonly finishMinutesLeft: number | undefined
}

function Clock({ bar, isExtended, finishMinutesLeft }: ClockProps) {
  const { tone, label, limitMinutes, stretches } = bar
  const text = headline(bar)
  return (
    <section
      className={`order-clock ${bar.key}`}
      style={cssVariables({ '--tone': `var(--${tone})` })}
      aria-label={`${label}：${text}`}
    >
      <header>
        <span className="order-clock-name">
          <StatusIcon tone={tone} /> {label}
        </span>
        <small>{limitText(limitMinutes, isExtended)}</small>
      </header>
      <p>
        <b className={bar.state}>{text}</b> <small>{note(bar, finishMinutesLeft)}</small>
      </p>
      <div className="order-bar" aria-hidden>
        {stretches.map((stretch, i) => (
          <i
            key={i}
            className={stretch.isPaused ? 'paused' : ''}
            style={{ left: `${stretch.from}%`, width: `${Math.max(0, stretch.to - stretch.from)}%` }}
          />
        ))}
      </div>
    </section>
  )
}

/** 响应, 到场, 完成 as bars over wall-clock time, and how often somebody has urged. */
export function OrderClocks({ order }: { readonly order: OrderDetail }) {
  const now = useNow(order.endTime === undefined && order.finishTime === undefined)
  return (
    <div className="order-clocks">
      {clockBars(order, now).map(bar => (
        <Clock
          key={bar.key}
          bar={bar}
          isExtended={bar.key === 'finish' && order.originalFinishDeadline !== undefined}
          finishMinutesLeft={order.finishMinutesLeft}
        />
      ))}
      <section className="order-clock" aria-label={`催办 ${order.expediteCount} 次`}>
        <header>
          <span className="order-clock-name">催办</span>
        </header>
        <p>
          <b>{order.expediteCount}</b> <small>次</small>
        </p>
        <small>{order.lastExpediteTime ? relativeText(order.lastExpediteTime) : ''}</small>
      </section>
    </div>
  )
}
