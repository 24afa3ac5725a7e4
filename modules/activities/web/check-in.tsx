import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { Refused } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { activities } from '../contract/activity.ts'
import { activitySigns, checkIn, checkInByCode, type ActivitySign } from '../contract/sign.ts'
import { unpaidMark, unpaidText } from '../domain/fee.ts'
import { paths } from '../module.ts'
import '#kit/web/phone/phone.css'
import './phone.css'

const QrScanner = lazyComponent(() => import('#kit/web/phone/qr-scanner.tsx').then(m => m.QrScanner))

const offlineText = '网络不通，请检查网络后重试'
const shownSigns = 50

const problemOf = (error: unknown): string =>
  error instanceof Refused ? describeRefusal(error, offlineText) : offlineText

const checkedText = (sign: ActivitySign): string =>
  `${[sign.userName, sign.roomPath].filter(Boolean).join(' ')} 已签到，${sign.personCount} 人${unpaidMark(sign)}`

function SignList({
  activityId,
  onDone,
}: {
  readonly activityId: Id
  readonly onDone: (text: string) => void
}) {
  const [keyword, setKeyword] = useState('')
  const found = useCall(
    activitySigns.list,
    {
      activityId: [String(activityId)],
      state: ['signed'],
      size: shownSigns,
      keyword: keyword.trim() || undefined,
    },
    { quiet: true, staleMs: 0 },
  )
  const rows = found.data?.rows ?? []
  const confirmOne = async (row: ActivitySign): Promise<void> => {
    try {
      onDone(checkedText(await sendAndInvalidate(checkIn, { id: row.id })))
    } catch (error) {
      onDone(problemOf(error))
    }
  }
  return (
    <section aria-label="未签到">
      <input
        type="search"
        aria-label="查找住户"
        placeholder="姓名"
        value={keyword}
        onChange={event => setKeyword(event.target.value)}
      />
      {found.data && rows.length === 0 && <p className="empty">没有未签到的住户</p>}
      <ul className="signs">
        {rows.map(row => (
          <li key={row.id}>
            <div>
              <b>{row.userName}</b>
              <small>{[row.roomPath, `${row.personCount} 人`, row.remark].filter(Boolean).join(' · ')}</small>
              {row.payState === 'unpaid' && <span className="unpaid">{unpaidText(row)}</span>}
            </div>
            <button type="button" className="big" onClick={() => void confirmOne(row)}>
              签到
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OpenedCheckIn({ id }: { readonly id: Id }) {
  const opened = useCall(activities.get, { id }, { quiet: true, staleMs: 0 })
  const [isScanning, setScanning] = useState(false)
  const [message, setMessage] = useState<string>()
  const of = opened.data
  if (!of)
    return (
      <p className="empty" role={opened.error ? 'alert' : 'status'}>
        {opened.error ? problemOf(opened.error) : '正在加载…'}
      </p>
    )
  const scan = async (code: string): Promise<void> => {
    try {
      setMessage(checkedText(await sendAndInvalidate(checkInByCode, { activityId: id, code })))
    } catch (error) {
      setMessage(problemOf(error))
    }
  }
  return (
    <>
      <header>
        <div>
          <Link className="back" to={`${paths.detail}?id=${id}`} aria-label="返回活动">
            ‹
          </Link>
          <h1>{of.title}</h1>
        </div>
        <small>
          {of.beginTime.slice(5, 16)} · {of.address}
        </small>
      </header>
      <main>
        <dl className="facts">
          <div>
            <dt>已报名</dt>
            <dd>{of.signCount} 人</dd>
          </div>
          <div>
            <dt>已签到</dt>
            <dd>{of.checkInCount} 人</dd>
          </div>
        </dl>
        {message !== undefined && (
          <p className="message" role="status">
            {message}
          </p>
        )}
        <SignList activityId={id} onDone={setMessage} />
      </main>
      <div className="foot one">
        <button type="button" className="big primary" onClick={() => setScanning(true)}>
          扫描住户的签到码
        </button>
      </div>
      {isScanning && (
        <QrScanner
          title="扫描住户的签到码"
          message={message}
          onCode={code => void scan(code)}
          onClose={() => setScanning(false)}
        />
      )}
    </>
  )
}

/** 活动签到: at the place, on a phone. */
export default function ActivityCheckInPage() {
  const [params] = useSearchParams()
  const id = parseId(params.get('id') ?? '')
  return (
    <SignedInOnly>
      <div className="phone activity">
        {id ? <OpenedCheckIn id={id} key={id} /> : <p className="empty">地址不完整，请从活动管理打开签到</p>}
      </div>
    </SignedInOnly>
  )
}
