import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { writes } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { bindMeters, lockMeterRelations } from '#modules/fees/server/public.ts'
import { setMeterStandard } from '../contract/meter-calls.ts'
import { meter } from '../contract/meter.ts'

export const standardHandlers = [
  writes(setMeterStandard, async ({ ids, standardId, beginDate }, { tx, scope }) => {
    await lockMeterRelations(tx, scope.ownerId, ids.map(parseId))
    const found = await findByIds(tx, meter, scope, ids, { lock: true })
    const missingIds = ids.map(parseId).filter(id => !found.some(m => m.id === id))
    const bindable = found.filter(m => m.state !== 'replaced')
    if (!found.length) throw notFound()
    const refusals = await bindMeters(
      tx,
      scope,
      bindable.map(({ id, meterNo: no, projectCode, sourceType, ...source }) => ({
        id,
        no,
        projectCode,
        sourceType: sourceType === 'room' || sourceType === 'publicArea' ? sourceType : undefined,
        sourceCode: source.sourceCode,
        sourceName: source.sourceName,
        buildCode: source.buildCode,
      })),
      standardId,
      beginDate,
    )
    const bound = bindable.filter(m => !refusals.has(m.id))
    await tx.execute(
      sql`
        update meter
        set standard_id = ${standardId}, ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and id = any(${bound.map(m => m.id)})
          and standard_id is distinct from ${standardId}
      `,
    )
    await audit(
      tx,
      scope,
      bound.map(meterRow => ({
        action: 'update',
        entity: 'meter',
        entityId: meterRow.id,
        projectCode: meterRow.projectCode,
        before: { standardId: meterRow.standardId },
        after: { standardId, beginDate },
      })),
    )
    return {
      success: bound.length,
      fail: refusals.size + missingIds.length,
      skipped: found.length - bindable.length,
      rows: [
        ...found
          .filter(m => refusals.has(m.id))
          .map(m => ({ id: m.id, code: m.meterNo, reason: defined(refusals.get(m.id)) })),
        ...found
          .filter(m => m.state === 'replaced')
          .map(m => ({ id: m.id, code: m.meterNo, reason: '仪表已更换' })),
        ...missingIds.map(id => ({ id, reason: notFound().message })),
      ],
    }
  }),
]
