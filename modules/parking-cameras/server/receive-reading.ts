import { codeOf, keyOf, type FileKey } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Statement, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { keepStayPhoto, reportCar, requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { readingState, type ReadingState } from '../contract/choices.ts'
import { clockDifference, clockFault, isClockKnown, lateFault, passedAt } from '../domain/clock.ts'
import { checkReason } from '../domain/confidence.ts'
import { displayLines, unlicensedLines, waitingLines } from '../domain/display-text.ts'
import { isSameCar, openAgainSeconds, sameCarSeconds } from '../domain/same-car.ts'
import type { PlateReading, ReadingAnswer } from './adapters/adapter.ts'
import { RefusedRequest } from './authenticate.ts'
import { cameraScope, nonceStatement, seenStatement, type CameraRow } from './camera-rows.ts'
import { savePicture, type SavedPicture } from './pictures.ts'
import {
  findEarlierTimes,
  insertReading,
  lapseStatement,
  lockLane,
  recentStatement,
  type RecentRow,
} from './reading-rows.ts'
import { minConfidenceSetting } from './settings.ts'

export type Way = 'in' | 'out'

interface Received {
  readonly camera: CameraRow
  readonly reading: PlateReading
  readonly way: Way
  readonly scope: Scope
  readonly now: Moment
}

/** Of a lane for both ways the camera says which one it looks at. */
export function wayOf({ laneDirection, way }: Pick<CameraRow, 'laneDirection' | 'way'>): Way {
  const direction = keyOf(passageDirection, laneDirection)
  if (direction === 'both') return (way === undefined ? undefined : keyOf(passWay, way)) ?? 'in'
  return direction === 'exit' ? 'out' : 'in'
}

interface Outcome {
  readonly answer: ReadingAnswer
  readonly state: ReadingState
  readonly reason: string
  readonly passKey: string
  readonly stayId?: Id | undefined
}

const closed = (lines: readonly string[]): ReadingAnswer => ({ isOpen: false, lines })

/** The plate counts: the lane decides, and a refusal of it is an answer, too, that leaves nothing written. */
async function decide(tx: Tx, received: Received, passKey: string): Promise<Outcome> {
  const { camera, reading, way, scope, now } = received
  const { isOffline, hasPassed, deviceTime, plateNo } = reading
  if (isOffline && !hasPassed) {
    const reason = '断网期间未开闸，只作记录'
    return { answer: closed([]), state: 'refused', reason, passKey }
  }
  const passTime = isOffline ? passedAt(deviceTime, camera.clockDiff, now) : deviceTime
  try {
    const report = {
      laneId: camera.laneId,
      passKey,
      way,
      ...(plateNo === undefined ? {} : { plateNo }),
      ...(passTime === undefined ? {} : { passTime }),
      ...(hasPassed ? { hasPassed } : {}),
    }
    const [, answer] = await Promise.all([
      tx.execute(sql`savepoint decision`),
      reportCar(tx, scope, report, now),
    ])
    return {
      answer: { isOpen: answer.isOpen && !isOffline, lines: displayLines(answer) },
      state: answer.isOpen ? 'opened' : 'refused',
      reason: [answer.reason, answer.warning].filter(Boolean).join('；'),
      passKey,
      stayId: answer.stayId,
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await tx.execute(sql`rollback to savepoint decision`)
    return { answer: closed([error.message]), state: 'refused', reason: error.message, passKey }
  }
}

const isIn = ({ state }: RecentRow, ...states: readonly ReadingState[]): boolean =>
  states.some(each => codeOf(readingState, each) === state)

const isDecided = (row: RecentRow): boolean => isIn(row, 'opened', 'refused', 'checked')

/** As a camera names a passage that no other has reported before it. */
const ownKey = ({ camera, reading }: Received): string => `${camera.serialNo}/${reading.recordKey}`

/** The answer without the barrier. */
const shownOnly = ({ lines }: ReadingAnswer): ReadingAnswer => ({ isOpen: false, lines })

/**
 * The passage that another camera has reported and the lane decided. One that this camera has read itself is
 * over: what it reads now is the next car.
 */
function twinOf(
  recent: readonly RecentRow[],
  { camera, reading, way, now }: Received,
): RecentRow | undefined {
  if (reading.isOffline) return undefined
  const own = new Set(recent.filter(row => row.cameraId === camera.id).map(row => row.passKey))
  return recent.find(
    row =>
      row.cameraId !== camera.id &&
      !own.has(row.passKey) &&
      row.way === codeOf(passWay, way) &&
      !row.isOffline &&
      isDecided(row) &&
      secondsBetween(row.readTime, now) <= sameCarSeconds &&
      (isSameCar(row.plateNo, reading.plateNo) || isSameCar(row.checkedPlate, reading.plateNo)),
  )
}

async function decideNew(tx: Tx, received: Received, recent: readonly RecentRow[]): Promise<Outcome> {
  const { camera, reading } = received
  const twin = twinOf(recent, received)
  const passKey = twin?.passKey ?? ownKey(received)
  if (twin) {
    // Decided as the first camera read it: the lane shows the same of the same passage.
    const same = { ...received, reading: { ...reading, plateNo: twin.checkedPlate ?? twin.plateNo } }
    const outcome = await decide(tx, same, passKey)
    // The barrier has gone up for it: once more would let in who drives close behind.
    return isIn(twin, 'refused') ? outcome : { ...outcome, answer: shownOnly(outcome.answer) }
  }
  const reason = checkReason(reading, Number(camera.minConfidence ?? minConfidenceSetting.defaultValue))
  if (reason === undefined) return decide(tx, received, passKey)
  const lines = reading.plateNo === undefined ? unlicensedLines : waitingLines
  return { answer: closed(lines), state: 'toCheck', reason, passKey }
}

const photoStatements = (
  { scope, way }: Received,
  stayId: Id | undefined,
  photo: FileKey | undefined,
): Statement[] =>
  stayId === undefined || photo === undefined ? [] : [keepStayPhoto(scope, { stayId, way, photo })]

interface ShownClock {
  readonly clockDiff?: number
  readonly fault?: string | undefined
}

/** What a live reading shows of its camera's clock. */
async function clockOf(tx: Tx, { camera, reading, now }: Received): Promise<ShownClock> {
  if (reading.isOffline || reading.deviceTime === undefined) return {}
  const difference = clockDifference(reading.deviceTime, now)
  if (isClockKnown(difference, undefined)) return { clockDiff: difference, fault: clockFault(difference) }
  const earlier = await findEarlierTimes(tx, camera, now)
  return isClockKnown(difference, earlier && clockDifference(earlier.deviceTime, earlier.readTime))
    ? { clockDiff: difference, fault: clockFault(difference) }
    : { fault: lateFault(difference) }
}

/** Everything that a reading changes beside the decision, in one round trip. */
async function keep(tx: Tx, received: Received, outcome: Outcome, picture: SavedPicture): Promise<void> {
  const { camera, reading, scope, now } = received
  const { clockDiff, fault: clock } = await clockOf(tx, received)
  const fault = [clock, picture.fault && `抓拍${picture.fault}`].filter(Boolean).join('；')
  await tx.all(
    insertReading(received, outcome, picture),
    ...photoStatements(received, outcome.stayId, picture.key),
    ...(outcome.state === 'opened' && !reading.isOffline ? [lapseStatement(scope, camera.laneId, now)] : []),
    seenStatement(camera, new Date(scope.time), { clockDiff, fault: fault || undefined }),
  )
}

/** The same record again: what was answered, without opening for a car that is gone. */
async function answerAgain(tx: Tx, received: Received, stored: RecentRow): Promise<ReadingAnswer> {
  if (isIn(stored, 'toCheck')) return closed(waitingLines)
  // Checked, the barrier goes up by a command.
  if (isIn(stored, 'checked') || secondsBetween(stored.readTime, received.now) > openAgainSeconds)
    return closed([])
  const { answer } = await decide(tx, received, stored.passKey)
  const hasOpened = received.camera.opensBarrier && stored.passKey === ownKey(received)
  return hasOpened ? answer : shownOnly(answer)
}

/** A camera that has no barrier at it leaves the opening to the one that has. */
async function openElsewhere(tx: Tx, { camera, scope, reading }: Received, outcome: Outcome): Promise<void> {
  if (camera.opensBarrier || !outcome.answer.isOpen) return
  await requestLaneOpen(tx, scope, {
    laneId: camera.laneId,
    stayId: outcome.stayId,
    plateNo: reading.plateNo,
    origin: 'camera',
    reason: outcome.reason,
  })
}

/**
 * What a camera read: kept, decided and answered in one transaction. The answer goes out after the commit, so
 * that no barrier opens without its record; the same record gets the same answer.
 */
export async function receiveReading(
  app: App,
  camera: CameraRow,
  reading: PlateReading,
  { nonce, ip }: { readonly nonce: string | undefined; readonly ip: string },
): Promise<ReadingAnswer> {
  const now = fromInstant(app.clock())
  const scope = cameraScope(app, camera, ip)
  const received: Received = { camera, reading, way: wayOf(camera), scope, now }
  return app.database.tx(camera.ownerId, async tx => {
    const found = await tx.all<[unknown, { cameraId: Id }, RecentRow]>(
      lockLane(camera),
      nonce === undefined ? sql`select 1 as camera_id` : nonceStatement(camera, nonce, new Date(app.clock())),
      recentStatement(camera, reading.recordKey, now),
    )
    const [, nonces, recent] = found
    if (!nonces.length) throw new RefusedRequest(409, '请求已经收到过，重发时请使用新的 nonce 重新签名')
    const stored = recent.find(row => row.cameraId === camera.id && row.recordKey === reading.recordKey)
    if (stored) return answerAgain(tx, received, stored)
    const picture = await savePicture(app, tx, camera, reading.recordKey, reading.picture)
    const outcome = await decideNew(tx, received, recent)
    await keep(tx, received, outcome, picture)
    await openElsewhere(tx, received, outcome)
    app.live.publishOnCommit(tx, camera.ownerId, { topic: 'parkCameras' }, 'readings')
    return camera.opensBarrier ? outcome.answer : shownOnly(outcome.answer)
  })
}
