import { useState, type ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { isMonth } from '#kit/domain/month.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { locate } from '#kit/web/phone/locate.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { dayState } from '../contract/choices.ts'
import { useAddressMonth } from './month-address.ts'
import { getMyAttendance, punchByPhone } from '../contract/log.ts'
import '#kit/web/phone/phone.css'
import './attendance.css'

const PhoneRequests = lazyComponent(() => import('./phone-requests.tsx').then(m => m.PhoneRequests))

type OwnAttendance = NonNullable<typeof getMyAttendance.output.T>

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

function MyAttendance({ children }: { readonly children: ReactNode }) {
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
        {children}
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

const views = { punch: '打卡', requests: '申请' } as const

/** 手机打卡: the own punch, the own month and the own requests, for one hand on a phone. */
export default function PhonePage() {
  const [view, setView] = useAddressValue('view')
  const isAsking = view === 'requests'
  const switches = (
    <nav className="kinds" aria-label="考勤">
      {keysOfRecord(views).map(key => (
        <button
          key={key}
          type="button"
          aria-pressed={(key === 'requests') === isAsking}
          onClick={() => setView(key === 'punch' ? undefined : key)}
        >
          {views[key]}
        </button>
      ))}
    </nav>
  )
  return (
    <SignedInOnly>
      <div className="phone attendance-phone">
        {isAsking ? (
          <>
            <header>
              <div>
                <h1>考勤申请</h1>
              </div>
              {switches}
            </header>
            <PhoneRequests />
          </>
        ) : (
          <MyAttendance>{switches}</MyAttendance>
        )}
      </div>
    </SignedInOnly>
  )
}
