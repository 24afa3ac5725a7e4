import type { Id } from '#kit/domain/id.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { add, type Decimal } from '#kit/domain/decimal.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, remove } from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { lockMeterRelations, moveMeterRelations } from '#modules/fees/server/public.ts'
import { replaceMeter, undoReplacement } from '../contract/meter-calls.ts'
import { meterState } from '../contract/choices.ts'
import { meter, meterReplace, type Meter, type MeterReplace } from '../contract/meter.ts'
import { computeUsage, modulusOf, readingRefusal } from '../domain/usage.ts'
import { replaceRefusal } from '../domain/reading.ts'
import { exceedsDigits } from './meter-validation.ts'
import { openBook, type BookReading } from './meter-history.ts'
import { validReading } from './reading-conditions.ts'

type ReplaceInput = NonNullable<typeof replaceMeter.input.T>

/** Refuses a new meter that the old one does not allow. */
function assertReplaceable(input: ReplaceInput, old: Meter, today: Day): void {
  const { replaceDate, newMeterNo, newDigits, newInitNum, oldEndNum } = input
  if (replaceDate > today) {
    refuseField('ReplaceDate', '换表日期不能晚于今天')
  }
  if (old.installDate !== undefined && replaceDate < old.installDate) {
    refuseField('ReplaceDate', `换表日期不能早于安装日期 ${old.installDate}`)
  }
  if (newMeterNo === old.meterNo) {
    refuseField('NewMeterNo', '新表号不能与旧表号相同')
  }
  if (newDigits !== undefined && exceedsDigits(newInitNum, newDigits)) {
    refuseField('NewInitNum', `新表起数超过 ${newDigits} 位表的最大值`)
  }
  const refusal = readingRefusal(oldEndNum, modulusOf(old), old.decimals)
  if (refusal) {
    refuseField('OldEndNum', refusal)
  }
}

const fieldOfRefusal = (refusal: string): string => {
  if (refusal.includes('日期')) return 'ReplaceDate'
  if (refusal.includes('旧表')) return 'OldEndNum'
  return refusal.includes('倍率') ? 'NewMultiple' : 'NewInitNum'
}

/** Refuses numbers that do not follow the last reading of the old meter. */
function assertFollowsLast(
  input: ReplaceInput,
  last: BookReading | undefined,
  base: Decimal | undefined,
): void {
  const refusal = replaceRefusal(
    { day: last?.readDate, current: input.isRollover || last?.isEstimate ? undefined : base },
    input.oldEndNum,
    input.newInitNum,
    input.newMultiple,
    input.replaceDate,
  )
  if (refusal) {
    refuseField(fieldOfRefusal(refusal), refusal)
  }
}

/** What the old meter counted since its last reading; nothing without a number to count from (MTR-4). */
function computeEndUsage(
  { oldEndNum, isRollover = false }: ReplaceInput,
  old: Meter,
  last: BookReading | undefined,
  base: Decimal | undefined,
): Decimal {
  if (base === undefined) return '0'
  try {
    return computeUsage({
      last: base,
      current: oldEndNum,
      multiplier: old.multiple,
      rollover: isRollover,
      modulus: modulusOf(old),
      afterEstimate: last?.isEstimate,
    })
  } catch (e) {
    if (e instanceof RangeError) return refuseField('OldEndNum', e.message)
    throw e
  }
}

/** Ends the old meter and inserts the new one, which takes over its sub-meters and its relations. */
async function insertSuccessor(tx: Tx, scope: Scope, old: Meter, input: ReplaceInput): Promise<Meter> {
  const {
    id: _id,
    version: _version,
    createTime: _createTime,
    updateTime: _updateTime,
    standardName: _standardName,
    verifyDate: _verifyDate,
    nextVerifyDate: _nextVerifyDate,
    ...kept
  } = old
  await tx.execute(sql`
    update meter
    set state = ${code(meterState, 'replaced')}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${old.id}
  `)
  const successor = await insert(tx, meter, scope, {
    ...kept,
    meterNo: input.newMeterNo,
    initNum: input.newInitNum,
    multiple: input.newMultiple,
    digits: input.newDigits ?? old.digits,
    installDate: input.replaceDate,
    state: 'active',
  })
  await moveSubMeters(tx, scope.ownerId, old.id, successor.id)
  await moveMeterRelations(tx, scope, old.id, successor.id)
  return successor
}

const moveSubMeters = (tx: Tx, ownerId: Id, from: Id, to: Id): Promise<number> =>
  tx.execute(sql`
    update meter
    set parent_meter_id = ${to}
    where owner_id = ${ownerId} and parent_meter_id = ${from} and ${notDeleted()}
  `)

/**
 * MTR-11: the old meter ends with its last number, the new one begins; what the old one counted since its
 * last reading goes to the new one's first reading.
 */
async function replace(input: ReplaceInput, { tx, scope, today }: WriteContext): Promise<MeterReplace> {
  const { meterId, replaceDate, reason } = input
  await lockMeterRelations(tx, scope.ownerId, [meterId])
  const bookMeter = (await openBook(tx, scope, [meterId], replaceDate, { lock: true })).meters.get(meterId)
  const old = await requireById(tx, meter, scope, meterId)
  if (!bookMeter || old.state === 'replaced') return refuse(`仪表「${old.meterNo}」已更换过，请对新表操作`)
  assertReplaceable(input, old, today)
  const last = bookMeter.rows.at(-1)
  const base = last?.curNum ?? old.initNum
  assertFollowsLast(input, last, base)
  const endUsage = computeEndUsage(input, old, last, base)
  const successor = await insertSuccessor(tx, scope, old, input)
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'meter',
      entityId: meterId,
      projectCode: old.projectCode,
      before: { state: old.state },
      after: { state: 'replaced', newMeterNo: input.newMeterNo },
      reason,
    },
  ])
  return insert(tx, meterReplace, scope, {
    projectCode: old.projectCode,
    meterId,
    oldEndNum: input.oldEndNum,
    newMeterNo: input.newMeterNo,
    newMeterId: successor.id,
    newInitNum: input.newInitNum,
    newMultiple: input.newMultiple,
    replaceDate,
    oldUsage: last ? endUsage : add(endUsage, bookMeter.replacedUsage),
    since: last?.readDate ?? bookMeter.since ?? old.installDate,
    reason,
  })
}

/** The last replacement of a meter and its successor; refuses when the successor has a history of its own. */
async function requireUndoable(tx: Tx, scope: Scope, old: Meter) {
  const replacement = await tx.one<{ id: Id; newMeterId: Id }>(sql`
    select id, new_meter_id
    from meter_replace
    where owner_id = ${scope.ownerId} and meter_id = ${old.id} and ${notDeleted()}
    order by id desc
    limit 1
  `)
  if (old.state !== 'replaced' || !replacement) return refuse(`仪表「${old.meterNo}」没有换过表，无需撤销`)
  const successor = await requireById(tx, meter, scope, replacement.newMeterId, { lock: true })
  if (successor.state === 'replaced') return refuse(`新表「${successor.meterNo}」又换过表，请先撤销该次换表`)
  const reading = await tx.one(sql`
    select 1
    from meter_reading r
    where r.owner_id = ${scope.ownerId} and r.meter_id = ${successor.id} and ${validReading('r')}
    limit 1
  `)
  if (reading) return refuse(`新表「${successor.meterNo}」已有读数，请先删除它的读数再撤销`)
  return { replacementId: replacement.id, successor }
}

async function undo(
  { meterId, reason }: NonNullable<typeof undoReplacement.input.T>,
  { tx, scope }: WriteContext,
): Promise<Meter> {
  await lockMeterRelations(tx, scope.ownerId, [meterId])
  const old = await requireById(tx, meter, scope, meterId, { lock: true })
  const { replacementId, successor } = await requireUndoable(tx, scope, old)
  await moveSubMeters(tx, scope.ownerId, successor.id, meterId)
  await moveMeterRelations(tx, scope, successor.id, meterId)
  await remove(tx, meterReplace, scope, [replacementId], reason)
  await remove(tx, meter, scope, [successor.id], reason)
  // The standard may have been set on the new meter since: its relation has moved back too.
  await tx.execute(sql`
    update meter
    set state = ${code(meterState, 'active')}, standard_id = ${successor.standardId ?? null}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${meterId}
  `)
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'meter',
      entityId: meterId,
      projectCode: old.projectCode,
      before: { state: 'replaced', newMeterNo: successor.meterNo },
      after: { state: 'active' },
      reason,
    },
  ])
  return requireById(tx, meter, scope, meterId)
}

export const replaceHandlers = [
  writes(replaceMeter, (input, context) => replace(input, context)),
  writes(undoReplacement, (input, context) => undo(input, context)),
]
