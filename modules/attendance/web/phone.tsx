import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { isMonth } from '#kit/domain/month.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { dayState } from '../contract/choices.ts'
import { useAddressMonth } from './month-address.ts'
import { getMyAttendance, punchByPhone } from '../contract/log.ts'
import '#kit/web/phone/phone.css'
import './attendance.css'

type OwnAttendance = NonNullable<typeof getMyAttendance.output.T>

/** The position as the telephone knows it; nothing where it does not say. */
const locate = (): Promise<{ readonly longitude?: string; readonly latitude?: string }> =>
  new Promise(resolve => {
    if (!('geolocation' in navigator)) return resolve({})
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ longitude: coords.longitude.toFixed(6), latitude: coords.latitude.toFixed(6) }),
      () => resolve({}),
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 },
    )
  })

function PunchButton({ own }: { readonly own: OwnAttendance }) {
  const [isLocating, setLocating] = useState(false)
  const punching = useSend(punchByPhone, { quiet: true })
  const punch = async (): Promise<void> => {
    setLocating(true)
    const position = await locate()
    setLocating(false)
    punching.mutate(position)
  }
  return (
    <section className="clock">
      <button
        type="button"
        className="big primary"
        disabled={own.punchRefusal !== undefined || isLocating || punching.isPending}
        onClick={() => void punch()}
      >
        {isLocating ? '正在定位' : '打卡'}
      </button>
      {own.punchRefusal && <small role="status">{own.punchRefusal}</small>}
      {punching.error && (
        <p className="fault" role="alert">
          {punching.error.message}
        </p>
      )}
      {punching.data && !punching.error && (
        <small role="status">
          {punching.data.punchTime.slice(11, 16)} 打卡成功
          {punching.data.place ? `，${punching.data.place}` : ''}
        </small>
      )}
    </section>
  )
}

const DayLine = ({ day }: { readonly day: OwnAttendance['days'][number] }) => {
  const minutes = day.lateMinutes + day.earlyMinutes
  const tone = day.state === undefined ? '' : (dayState.rows[day.state][2] ?? '')
  return (
    <li>
      <b>{day.workDate.slice(5)}</b>
      <span className={tone}>
        {day.state === undefined ? '未结束' : labelOf(dayState, day.state)}
        {minutes ? ` ${minutes} 分钟` : ''}
      </span>
      <small>
        {day.inTime?.slice(11, 16) ?? '--'} 至 {day.outTime?.slice(11, 16) ?? '--'}
      </small>
    </li>
  )
}

function MyAttendance() {
  const [month, setMonth] = useAddressMonth()
  const own = useCall(getMyAttendance, { month }, { quiet: true, keepPrevious: true, staleMs: 0 })
  if (own.isError)
    return (
      <p className="empty" role="alert">
        加载失败{' '}
        <button type="button" className="big" onClick={() => void own.refetch()}>
          重试
        </button>
      </p>
    )
  if (!own.data) return <p className="empty">正在加载…</p>
  const { staffName, groupName, planText, punches, days } = own.data
  return (
    <>
      <header>
        <div>
          <h1>{staffName ?? '我的考勤'}</h1>
          <small>{groupName}</small>
        </div>
        <small>今日：{planText ?? '无班次'}</small>
      </header>
      <main>
        <PunchButton own={own.data} />
        {punches.length > 0 && (
          <small>今日打卡：{punches.map(({ punchTime }) => punchTime.slice(11, 16)).join('、')}</small>
        )}
        <input
          type="month"
          aria-label="月份"
          value={month}
          onChange={e => {
            if (isMonth(e.target.value)) {
              setMonth(e.target.value)
            }
          }}
        />
      </main>
      <ol className="days">
        {days.toReversed().map(day => (
          <DayLine key={day.workDate} day={day} />
        ))}
      </ol>
      {!days.length && <p className="empty">该月暂无考勤记录</p>}
    </>
  )
}

/** 手机打卡: the own punch and the own month, for one hand on a telephone. */
export default function PhonePage() {
  return (
    <SignedInOnly>
      <div className="phone attendance-phone">
        <MyAttendance />
      </div>
    </SignedInOnly>
  )
}
