import { maskedPattern } from '#kit/contract/rules.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { flagFilter } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { visitorBlock, visitorBlocks, type VisitorBlock } from '../contract/block.ts'
import { keptNumbers } from './entrance.ts'
import { lockProject } from './project-lock.ts'

type Draft = Pick<VisitorBlock, 'projectCode' | 'mobile' | 'certNo' | 'plateNo' | 'expireDate'>

function blockFaults(
  draft: Omit<Draft, 'projectCode'>,
  today: Day,
  before: VisitorBlock | undefined,
): FieldFault[] {
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
const kept = ({ certNo, plateNo }: Pick<Draft, 'certNo' | 'plateNo'>): Partial<Draft> =>
  certNo !== undefined && maskedPattern.test(certNo)
    ? { plateNo: keptNumbers({ plateNo }).plateNo }
    : keptNumbers({ certNo, plateNo })

/**
 * Rows in force that name all of the draft's numbers: another one would only have to be lifted twice. A plate
 * or a telephone alone may be several people's.
 */
async function repeatFaults(
  { projectCode, ...draft }: Draft,
  { tx, scope, today }: WriteContext,
  before: VisitorBlock | undefined,
): Promise<FieldFault[]> {
  const { mobile, certNo, plateNo } = { ...draft, ...kept(draft) }
  const numbers = Object.entries({ mobile, cert_no: certNo, plate_no: plateNo })
  const asked = numbers.filter(([, value]) => value !== undefined)
  // A masked document is the stored one: the row is edited beside it.
  if (!asked.length || (certNo !== undefined && maskedPattern.test(certNo))) return []
  await lockProject(tx, scope, projectCode)
  const [same] = await findAll(
    tx,
    visitorBlock,
    scope,
    { projectCode },
    {
      where: [
        ...asked.map(([column, value]) => sql`${sql.ref(`t.${column}`)} = ${value}`),
        sql`(t.expire_date is null or t.expire_date >= ${today}::date)`,
        sql`t.id <> ${before?.id ?? 0}`,
      ],
      limit: 1,
    },
  )
  if (!same) return []
  const until = same.expireDate === undefined ? '永久' : `至 ${same.expireDate}`
  const Field = mobile !== undefined ? 'Mobile' : certNo !== undefined ? 'CertNo' : 'PlateNo'
  return [{ Field, Message: `已在黑名单中（${same.name}，${until}），请编辑该记录` }]
}

export const blockServer = crudHandlers(visitorBlocks, {
  refusesChangeOf: ['projectCode'],
  check: async (draft, c, before) => [
    ...blockFaults(draft, c.today, before),
    ...(await repeatFaults(draft, c, before)),
  ],
  beforeInsert: kept,
  beforeUpdate: kept,
  filter: ({ onlyCurrent }, { today }) =>
    flagFilter(onlyCurrent, sql`(t.expire_date is null or t.expire_date >= ${today}::date)`),
})
