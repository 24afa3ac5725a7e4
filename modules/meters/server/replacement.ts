import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { add } from '#kit/domain/decimal.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { insert, requireById, remove } from '#kit/server/table.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { replaceMeter, undoReplacement } from '../contract/meter-calls.ts'
import { meter, meterReplace } from '../contract/meter.ts'
import { computeUsage, modulusOf, readingRefusal } from '../domain/usage.ts'
import { replaceRefusal } from '../domain/reading.ts'
import { openBook } from './reading-book.ts'
import { lockMeterRelations, moveMeterRelations } from '#modules/fees/server/public.ts'
import { meterState } from '../contract/choices.ts'
import { validReading } from './reading-conditions.ts'

/**
 * MTR-11: the old meter ends with its last number, the new one begins; what the old one counted since its
 * last reading goes to the new one's first reading.
 */
export const replaceHandlers = [
  writes(
    replaceMeter,
    async (
      {
        meterId,
        oldEndNum,
        newMeterNo,
        newInitNum,
        newMultiple,
        newDigits,
        replaceDate,
        reason,
        isRollover = false,
      },
      { tx, scope, today },
    ) => {
      await lockMeterRelations(tx, scope.ownerId, [meterId])
      const leaf = (await openBook(tx, scope, [meterId], replaceDate, true)).meters.get(meterId)
      const old = await requireById(tx, meter, scope, meterId)
      const last = leaf?.rows.at(-1)
      const say = (Field: string, Message: string): never => {
        throw invalidInput([{ Field, Message }])
      }
      if (!leaf || old.state === 'replaced') return refuse(`仪表「${old.meterNo}」已更换过，请对新表操作`)
      if (replaceDate > today) {
        say('ReplaceDate', '换表日期不能晚于今天')
      }
      if (old.installDate !== undefined && replaceDate < old.installDate) {
        say('ReplaceDate', `换表日期不能早于安装日期 ${old.installDate}`)
      }
      if (newMeterNo === old.meterNo) {
        say('NewMeterNo', '新表号不能与旧表号相同')
      }
      if (newDigits !== undefined && Number(newInitNum) >= 10 ** newDigits) {
        say('NewInitNum', `新表起数超过 ${newDigits} 位表的最大值`)
      }
      const shows = readingRefusal(oldEndNum, modulusOf(old), old.decimals)
      if (shows) {
        say('OldEndNum', shows)
      }
      const base = last?.curNum ?? old.initNum
      const no = replaceRefusal(
        { day: last?.readDate, current: isRollover || last?.isEstimate ? undefined : base },
        oldEndNum,
        newInitNum,
        newMultiple,
        replaceDate,
      )
      if (no) {
        say(
          no.includes('日期')
            ? 'ReplaceDate'
            : no.includes('旧表')
              ? 'OldEndNum'
              : no.includes('倍率')
                ? 'NewMultiple'
                : 'NewInitNum',
          no,
        )
      }
      let own = '0'
      // Without a base the old meter's number is no usage (MTR-4).
      if (base !== undefined) {
        try {
          own = computeUsage({
            last: base,
            current: oldEndNum,
            multiplier: old.multiple,
            rollover: isRollover,
            modulus: modulusOf(old),
            afterEstimate: last?.isEstimate,
          })
        } catch (e) {
          say('OldEndNum', (e as Error).message)
        }
      }
      const oldUsage = last ? own : add(own, leaf.carried)
      const since = last?.readDate ?? leaf.since ?? old.installDate
      const {
        id: _,
        version: __,
        createTime: ___,
        updateTime: ____,
        standardName: _____,
        verifyDate: ______,
        nextVerifyDate: _______,
        ...same
      } = old
      await tx.execute(
        sql`
          update meter
          set state = ${code(meterState, 'replaced')}, ${touch(scope)}
          where owner_id = ${scope.ownerId} and id = ${meterId}
        `,
      )
      const made = await insert(tx, meter, scope, {
        ...same,
        meterNo: newMeterNo,
        initNum: newInitNum,
        multiple: newMultiple,
        digits: newDigits ?? old.digits,
        installDate: replaceDate,
        state: 'active',
      })
      await tx.execute(
        sql`
          update meter
          set parent_meter_id = ${made.id}
          where owner_id = ${scope.ownerId} and parent_meter_id = ${meterId} and ${live()}
        `,
      )
      await moveMeterRelations(tx, scope, meterId, made.id)
      await audit(tx, scope, [
        {
          action: 'state',
          entity: 'meter',
          entityId: meterId,
          projectCode: old.projectCode,
          before: { state: old.state },
          after: { state: 'replaced', newMeterNo },
          reason,
        },
      ])
      return insert(tx, meterReplace, scope, {
        projectCode: old.projectCode,
        meterId,
        oldEndNum,
        newMeterNo,
        newMeterId: made.id,
        newInitNum,
        newMultiple,
        replaceDate,
        oldUsage,
        since,
        reason,
      })
    },
  ),
  writes(undoReplacement, async ({ meterId, reason }, { tx, scope }) => {
    await lockMeterRelations(tx, scope.ownerId, [meterId])
    const old = await requireById(tx, meter, scope, meterId, true)
    const done = await tx.one<{ id: number; newMeterId: number }>(
      sql`
        select id, new_meter_id
        from meter_replace
        where owner_id = ${scope.ownerId} and meter_id = ${meterId} and ${live()}
        order by id desc
        limit 1
      `,
    )
    if (old.state !== 'replaced' || !done) return refuse(`仪表「${old.meterNo}」没有换过表，不用撤销`)
    const fresh = await requireById(tx, meter, scope, done.newMeterId, true)
    if (fresh.state === 'replaced') return refuse(`新表「${fresh.meterNo}」又换过表，请先撤销那一次`)
    if (
      await tx.one(
        sql`
          select 1
          from meter_reading r
          where r.owner_id = ${scope.ownerId} and r.meter_id = ${fresh.id} and ${validReading('r')}
          limit 1
        `,
      )
    )
      return refuse(`新表「${fresh.meterNo}」已有读数，请先删除它的读数再撤销`)
    await tx.execute(
      sql`
        update meter
        set parent_meter_id = ${meterId}
        where owner_id = ${scope.ownerId} and parent_meter_id = ${fresh.id} and ${live()}
      `,
    )
    await moveMeterRelations(tx, scope, fresh.id, meterId)
    await remove(tx, meterReplace, scope, [done.id], reason)
    await remove(tx, meter, scope, [fresh.id], reason)
    // The standard may have been set on the new meter meanwhile: its relation has moved back too.
    await tx.execute(
      sql`
        update meter
        set state = ${code(meterState, 'active')}, standard_id = ${fresh.standardId ?? null}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = ${meterId}
      `,
    )
    await audit(tx, scope, [
      {
        action: 'state',
        entity: 'meter',
        entityId: meterId,
        projectCode: old.projectCode,
        before: { state: 'replaced', newMeterNo: fresh.meterNo },
        after: { state: 'active' },
        reason,
      },
    ])
    return requireById(tx, meter, scope, meterId)
  }),
]
