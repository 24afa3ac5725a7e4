import { maskedPattern } from '#kit/contract/rules.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { flagFilter } from '#kit/server/sql.ts'
import { visitorBlocks, type VisitorBlock } from '../contract/block.ts'
import { keptNumbers } from './entrance.ts'

type Draft = Pick<VisitorBlock, 'mobile' | 'certNo' | 'plateNo' | 'expireDate'>

function blockFaults(draft: Draft, today: Day, before: Draft | undefined): FieldFault[] {
  const { mobile, certNo, plateNo, expireDate } = draft
  const isPast = expireDate !== undefined && expireDate !== before?.expireDate && expireDate < today
  return [
    ...((mobile ?? certNo ?? plateNo)
      ? []
      : [{ Field: 'Mobile', Message: '请填写手机、证件号或车牌，否则无法识别' }]),
    ...(isPast ? [{ Field: 'ExpireDate', Message: '到期日不能早于今天' }] : []),
  ]
}

/** A masked document is one that stays as it is. */
const kept = ({ certNo, plateNo }: Draft): Partial<Draft> =>
  certNo !== undefined && maskedPattern.test(certNo)
    ? { plateNo: keptNumbers({ plateNo }).plateNo }
    : keptNumbers({ certNo, plateNo })

export const blockServer = crudHandlers(visitorBlocks, {
  refusesChangeOf: ['projectCode'],
  check: (draft, { today }, before) => blockFaults(draft, today, before),
  beforeInsert: kept,
  beforeUpdate: kept,
  filter: ({ onlyCurrent }, { today }) =>
    flagFilter(onlyCurrent, sql`(t.expire_date is null or t.expire_date >= ${today}::date)`),
})
