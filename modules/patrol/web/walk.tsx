import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { readStored } from '#kit/web/browser-store.ts'
import { openQrReader } from '#kit/web/phone/qr-reader.ts'
import { QrScanner } from '#kit/web/phone/qr-scanner.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { WaitingNotice } from '#kit/web/phone/waiting-notice.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import { useAppearance, useAppliedAppearance } from '#kit/web/theme/appearance.ts'
import { RefusedSigns, useSignQueue, type NewSign } from '#modules/planned-work/web/public.signs.ts'
import { sendPatrolSigns } from '../contract/round.ts'
import { codeOfScan } from '../domain/matching.ts'
import { applyQueue, findScanned, isOpen, type ShownRound } from './rounds.ts'
import { useOwnRounds } from './use-own-rounds.ts'
import { positionFor } from './walk-device.ts'
import { asksMore, draftKey, emptyDraft, hasEntries, photosKey, type Arrival } from './walk-draft.ts'
import { PointList, RoundList } from './walk-lists.tsx'
import { FinishButton } from './finish-button.tsx'
import { WalkPoint } from './walk-point.tsx'
import '#kit/web/phone/phone.css'
import './walk.css'

/** 现场巡更: the rounds of the person who walks, on a phone; also without a network. */
export default function WalkPage() {
  return (
    <SignedInOnly>
      <div className="phone walk">
        <Walk />
      </div>
    </SignedInOnly>
  )
}

/** The light of the page, whatever the system says: rounds are walked at night. */
function NightButton() {
  const [, setAppearance] = useAppearance()
  const { theme } = useAppliedAppearance()
  const isDark = theme === 'dark'
  return (
    <button
      type="button"
      className="big"
      aria-pressed={isDark}
      onClick={() => setAppearance(isDark ? 'light' : 'dark')}
    >
      夜间
    </button>
  )
}

/** Phones have signs under this name. */
const queueName = 'patrol.signs'

interface OpenedPoint {
  readonly stepId: Id
  readonly arrival?: Arrival
}

/** What the page shows, and what waits on the phone. */
function useWalkState() {
  const own = useOwnRounds()
  const signs = useSignQueue({ name: queueName, call: sendPatrolSigns, onAnswer: own.applyAnswer })
  const [roundId, setRoundId] = useState<Id>()
  const [opened, setOpened] = useState<OpenedPoint>()
  const [isScanning, setScanning] = useState(false)
  const [message, setMessage] = useState<string>()
  const rounds = applyQueue(own.rounds, signs.queue, fromInstant)
  const round = rounds.find(each => each.id === roundId)
  const point = round?.points.find(each => each.stepId === opened?.stepId)
  const add = (signed: NewSign, text: string): void => {
    signs.add([signed])
    navigator.vibrate?.(80)
    setMessage(text)
    setOpened(undefined)
  }
  const sign = (signed: NewSign): void => add(signed, `「${signed.pointName}」已签到`)
  const shown = { own, signs, rounds, round, point, opened, isScanning, message }
  return { ...shown, setRoundId, setOpened, setScanning, setMessage, add, sign }
}

/** Text or photos were entered at the point before it was scanned. */
const isFilledIn = (stepId: Id): boolean =>
  hasEntries(readStored(draftKey(stepId), emptyDraft), readStored(photosKey(stepId), []))

/** The page with what a scanned code leads to. */
function useWalk() {
  const state = useWalkState()
  const { rounds, round, opened, setMessage } = state
  const addUnknown = (code: string, deviceMs: number): void => {
    const open = round ?? rounds.find(each => isOpen(each, fromInstant(serverNow())))
    if (!open) return setMessage('现在没有可以签到的巡更任务')
    // The server keeps it beside the record and says what is wrong with it.
    const sign = {
      taskId: open.id,
      taskName: open.planName,
      pointName: '未识别的二维码',
      signType: 'qr' as const,
      code,
      deviceMs,
      photos: [],
    }
    state.add(sign, '二维码不在今天的路线中，已记录')
  }
  const scan = async (text: string): Promise<void> => {
    const deviceMs = Date.now()
    const code = codeOfScan(text)
    const found = findScanned(rounds, 'qr', text, { now: fromInstant(serverNow()), roundId: round?.id })
    state.setScanning(false)
    if (!found) return addUnknown(code, deviceMs)
    const { point } = found
    const arrival: Arrival = { signType: 'qr', code, deviceMs, ...(await positionFor(point.signKinds)) }
    state.setRoundId(found.round.id)
    const isOpened = opened?.stepId === point.stepId
    if (point.signTime === undefined && (isOpened || asksMore(point) || isFilledIn(point.stepId))) {
      setMessage(undefined)
      return state.setOpened({ stepId: point.stepId, arrival })
    }
    state.sign({
      ...arrival,
      taskId: found.round.id,
      taskName: found.round.planName,
      stepId: point.stepId,
      pointName: point.name,
      photos: [],
    })
  }
  return { ...state, scan }
}

type WalkState = ReturnType<typeof useWalk>

const Header = ({ walk, title }: { readonly walk: WalkState; readonly title: string }) => (
  <header>
    <div>
      <h1>{title}</h1>
      {walk.round && (
        <small className="count">
          {walk.round.done} / {walk.round.points.length}
        </small>
      )}
      <NightButton />
    </div>
    {walk.own.isOld && <small role="status">当前无网络，签到保存在手机上，恢复后自动上传</small>}
  </header>
)

/** The rounds, or one of them with its points. */
function WalkLists({ walk }: { readonly walk: WalkState }) {
  const { own, rounds, round } = walk
  if (own.isLoading)
    return (
      <p className="empty" role="status">
        正在加载…
      </p>
    )
  if (round)
    return (
      <>
        <PointList round={round} onOpen={stepId => walk.setOpened({ stepId })} />
        <FinishButton round={round} waits={walk.signs.waiting.length > 0} onFinished={own.refetch} />
      </>
    )
  if (own.refusal !== undefined)
    return (
      <p className="empty fault" role="alert">
        {own.refusal}
      </p>
    )
  if (!rounds.length)
    return (
      <p className="empty">{own.isOld ? '无法读取任务，请在有网络处打开本页一次' : '今天没有巡更任务'}</p>
    )
  return <RoundList rounds={rounds} now={fromInstant(serverNow())} onOpen={walk.setRoundId} />
}

/** A label that was scanned outside the page opens it with its code. */
function useScannedAddress(walk: WalkState): void {
  const [address, setAddress] = useSearchParams()
  const code = address.get('code')
  const isReady = !walk.own.isLoading
  useEffect(() => {
    if (code !== null && isReady) {
      setAddress({}, { replace: true })
      void walk.scan(code)
    }
  }, [code, isReady])
}

function Foot({ walk, round }: { readonly walk: WalkState; readonly round: ShownRound | undefined }) {
  return (
    <div className={round ? 'foot pair' : 'foot'}>
      {round && (
        <button type="button" className="big" onClick={() => walk.setRoundId(undefined)}>
          返回
        </button>
      )}
      <button
        type="button"
        className="big primary scan"
        onClick={() => {
          walk.setMessage(undefined)
          walk.setScanning(true)
        }}
      >
        扫码签到
      </button>
    </div>
  )
}

function Walk() {
  const walk = useWalk()
  const { signs, round, point, opened } = walk
  useScannedAddress(walk)
  // Fetched while there is a network: a cellar has none.
  useEffect(() => void openQrReader(), [])
  const isPointOpen = round !== undefined && isOpen(round, fromInstant(serverNow()))
  return (
    <>
      <Header walk={walk} title={point?.name ?? round?.planName ?? '现场巡更'} />
      <WaitingNotice count={signs.waiting.length} unit="次签到" onSend={signs.upload} />
      <RefusedSigns signs={signs} />
      {walk.message && !point && !signs.refused.length && (
        <p className="accepted" role="status">
          {walk.message}
        </p>
      )}
      {round && point && opened ? (
        <WalkPoint
          key={point.stepId}
          round={round}
          point={point}
          arrival={opened.arrival}
          isOpen={isPointOpen}
          onScan={() => walk.setScanning(true)}
          onSign={walk.sign}
          onBack={() => walk.setOpened(undefined)}
        />
      ) : (
        <>
          <WalkLists walk={walk} />
          <Foot walk={walk} round={round} />
        </>
      )}
      {walk.isScanning && (
        <QrScanner
          title="扫码签到"
          onCode={text => void walk.scan(text)}
          onClose={() => walk.setScanning(false)}
        />
      )}
    </>
  )
}
